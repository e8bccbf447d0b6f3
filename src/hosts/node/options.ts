/**
 * Options of a deployment on Node, read once from the environment. The README lists the variables.
 */

import { readFileSync } from 'node:fs'
import { parse } from '@iarna/toml'
import {
  type CommonOptions,
  choice,
  commonOptions,
  type Environment,
  wholeNumber,
  words,
} from '../shared/options.ts'
import { isInstalled } from './packages.ts'

export interface NodeOptions extends CommonOptions {
  /** Folder for local data: the database, files, and the master key. */
  readonly dataDir: string
  /** Configuration keys that satisfy `requires.config` of skills. */
  readonly skillConfig: ReadonlyMap<string, string>
  readonly host: string
  /** Port number of the server; 0 selects any free port. */
  readonly port: number
  readonly store: 'sqlite' | 'dynamodb'
  readonly objects: 'files' | 's3'
  readonly queue: 'memory' | 'sqs'
  /** True if GET /metrics needs no key. */
  readonly metricsOpen: boolean
  /** True if `strata serve` compiles the run code at startup (`warm-up.ts`). */
  readonly warmUp: boolean
}

/**
 * Parses a variable such as `browser.enabled=true, region=eu`; a key without a value is enabled.
 */
function pairs(env: Environment, name: string): ReadonlyMap<string, string> {
  const entries = (env[name] ?? '').split(',').filter((pair) => pair.trim() !== '')
  return new Map(
    entries.map((entry) => {
      const [key = '', ...value] = entry.split('=')
      if (key.trim() === '') throw new Error(`${name} must be key=value pairs, not ${entry.trim()}`)
      return [key.trim(), value.length === 0 ? 'true' : value.join('=').trim()]
    }),
  )
}

/** Replaces a file path in STRATA_PROVIDERS with the file's JSON content. */
export function withProviders(env: Environment): Environment {
  const path = env.STRATA_PROVIDERS?.trim()
  if (!path || path.startsWith('{')) return env
  return { ...env, STRATA_PROVIDERS: fileAsJson(path) }
}

/**
 * Reads a JSON file. Omits the parser's message from errors, because its excerpt may contain a key.
 */
function fileAsJson(path: string): string {
  const failed = (reason: string) => new Error(`STRATA_PROVIDERS: ${path} ${reason}.`)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    throw failed('cannot be read')
  }
  try {
    return JSON.stringify(path.endsWith('.toml') ? parse(text) : JSON.parse(text))
  } catch (error) {
    const { line } = error as { line?: number }
    throw failed(
      'is not valid ' +
        `${path.endsWith('.toml') ? 'TOML' : 'JSON'}${line ? ` (line ${line + 1})` : ''}`,
    )
  }
}

/** Parses a list of host names without schemes; a name without a port matches any port. */
function hostNames(env: Environment): readonly string[] {
  const names = words(env, 'STRATA_HOSTS')
  for (const name of names) {
    const url = URL.parse(`http://${name}`)
    if (url?.pathname === '/' && url.username === '' && !/[/*]/.test(name)) continue
    throw new Error(`STRATA_HOSTS must be names such as agents.example.com, not ${name}`)
  }
  return names
}

/** Returns the storage location of a server's data, as set by these environment variables. */
export const storageOf = (
  env: Environment,
): Pick<NodeOptions, 'dataDir' | 'store' | 'objects'> => ({
  dataDir: env.DATA_DIR?.trim() || '.data',
  store: choice(env, 'STORE', ['sqlite', 'dynamodb']),
  objects: choice(env, 'OBJECTS', ['files', 's3']),
})

/** Reads all options from the environment; throws a one-line error if a variable is invalid. */
export function nodeOptions(env: Environment): NodeOptions {
  const common = commonOptions(withProviders(env), { role: true, isInstalled })
  const options: NodeOptions = {
    ...common,
    limits: { ...common.limits, hosts: hostNames(env) },
    ...storageOf(env),
    skillConfig: pairs(env, 'STRATA_SKILL_CONFIG'),
    host: env.HOST?.trim() || '127.0.0.1',
    port: wholeNumber(env, 'PORT', [8787, 0, 65_535]),
    queue: choice(env, 'QUEUE', ['memory', 'sqs']),
    metricsOpen: choice(env, 'METRICS_OPEN', ['false', 'true']) === 'true',
    warmUp: choice(env, 'WARM_UP', ['true', 'false']) === 'true',
  }
  // Shared storage must not reference data that only one process can reach.
  if (options.store === 'dynamodb' && options.objects !== 's3')
    throw new Error(
      'STORE=dynamodb requires OBJECTS=s3 because every process must be able to read the ' +
        'bodies',
    )
  if (options.queue === 'sqs' && options.store !== 'dynamodb')
    throw new Error(
      'QUEUE=sqs requires STORE=dynamodb because the consumer of a wake must be able to ' +
        'read the run',
    )
  return options
}
