/**
 * `strata dev`: runs a personal server for the current folder. Layers are pushed at each save, and
 * the API key is stable. Without a configured model, a scripted model answers, so no account is
 * needed.
 */

import { existsSync, mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { newKey } from '../engine/tenant/api-keys.ts'
import { nodeOptions } from '../hosts/node/options.ts'
import type { NodeHost } from '../hosts/node.ts'
import { systemClock } from '../hosts/shared/clock.ts'
import { startModelServer } from '../testing/model-server.ts'
import { consoleLine } from './console-line.ts'
import { type Layers, layersOf } from './dev-layers.ts'
import { serve } from './serve.ts'
import type { Environment, Terminal } from './terminal.ts'

export interface DevOptions {
  readonly port?: number | undefined
  readonly data?: string | undefined
}

const SCRIPTED = 'openai/scripted'

/** Serves until stopped and restarts when `.env` changes. Returns the exit code. */
export async function dev(terminal: Terminal, devOptions: DevOptions): Promise<number> {
  for (let starts = 0; ; starts += 1) {
    const changed = whenChanged(ENV_FILE)
    try {
      const code = await devOnce(terminal, devOptions, changed.promise)
      if (!changed.isResolved()) return code
    } catch (error) {
      if (starts === 0) throw error
      terminal.err(`strata: ${(error as Error).message}; the server waits until .env changes`)
      await changed.promise
    } finally {
      changed.stop()
    }
    terminal.out(`${ENV_FILE} changed; restarting the server`)
  }
}

const ENV_FILE = '.env'
/** Debounce interval in milliseconds, because editors save in several steps. */
const SETTLED_MS = 300

/** Returns a promise that resolves when a file in the current folder changes. */
function whenChanged(path: string) {
  const initial = JSON.stringify(fileOf(path))
  const { promise, resolve } = Promise.withResolvers<void>()
  let isResolved = false
  let timer: NodeJS.Timeout | undefined
  const compare = (): void => {
    if (JSON.stringify(fileOf(path)) === initial) return
    isResolved = true
    resolve()
  }
  const watcher = watch('.', (_, name) => {
    if (name !== path) return
    clearTimeout(timer)
    timer = setTimeout(compare, SETTLED_MS)
  })
  return {
    promise,
    isResolved: () => isResolved,
    stop() {
      clearTimeout(timer)
      watcher.close()
    },
  }
}

async function devOnce(
  terminal: Terminal,
  devOptions: DevOptions,
  ended: Promise<void>,
): Promise<number> {
  const env: Environment = {
    WARM_UP: 'false',
    ...fileOf(ENV_FILE),
    ...terminal.env,
    ...optionsEnv(devOptions),
  }
  const options = nodeOptions(env)
  const configuredKey = env.STRATA_ADMIN_KEY?.trim()
  const key = configuredKey || keptKey(options.dataDir)
  const isScripted = Object.keys(options.model.providers).length === 0
  const model = isScripted ? await startModelServer({ keep: 0 }) : undefined
  const scripted = model && { OPENAI_BASE_URL: model.url, STRATA_MODEL: SCRIPTED }
  let layers: Layers | undefined
  try {
    return await serve(
      nodeOptions({ ...env, ...scripted, STRATA_ADMIN_KEY: key }),
      async (host) => {
        await greet({ ...terminal, env }, host, { key, own: Boolean(configuredKey), isScripted })
        layers = await layersOf({ ...terminal, env: { ...env, ...client(host.url, key) } })
        terminal.out(nextOf(host.url, configuredKey ? '…' : key, isScripted))
      },
      ended,
    )
  } finally {
    layers?.close()
    await model?.close()
  }
}

interface Greeting {
  readonly key: string
  /** Whether the operator chose the API key. */
  readonly own: boolean
  readonly isScripted: boolean
}

async function greet(
  { out, env }: Terminal,
  host: NodeHost,
  { key, own: configuredKey, isScripted }: Greeting,
): Promise<void> {
  out(`Strata listens on ${host.url} (data in ${nodeOptions(env).dataDir})`)
  out(`Console:  ${await consoleLine(host, true)}`)
  out(`API docs: ${host.url}/docs`)
  out(`API key:  ${configuredKey ? 'the one of STRATA_ADMIN_KEY' : key}`)
  for (const warning of host.warnings) out(`warning: ${warning}`)
  await host.world.model.ready?.()
  out(`Model:    ${isScripted ? PLAY : modelOf(host.world.model.find(undefined))}`)
}

const client = (url: string, key: string) => ({ STRATA_URL: url, STRATA_API_KEY: key })

const optionsEnv = ({ port, data }: DevOptions): Environment => ({
  ...(port === undefined ? {} : { PORT: String(port) }),
  ...(data === undefined ? {} : { DATA_DIR: data }),
})

const fileOf = (path: string): Environment =>
  existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {}

/** Returns an API key that stays the same across restarts, so that open terminals keep working. */
function keptKey(dataDir: string): string {
  const file = join(dataDir, 'dev-key')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  const { key } = newKey(systemClock.random)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(file, `${key}\n`, { mode: 0o600 })
  return key
}

const PLAY = `${SCRIPTED}: no provider key is set, so a scripted model answers. It repeats
          the input, or follows lines such as \`@say Hello\` (see strata dev --help). To use a real
          model, set OPENAI_API_KEY or ANTHROPIC_API_KEY in .env; the server reads it immediately.`

const modelOf = (lookup: { ok: true; value: { id: string } } | NotFound): string =>
  lookup.ok ? lookup.value.id : `${lookup.error.message} Until then, runs are rejected.`
interface NotFound {
  readonly ok: false
  readonly error: { readonly message: string }
}

function nextOf(url: string, key: string, isScripted: boolean): string {
  const input = isScripted ? '@say Hello from the script.' : 'Say hello.'
  return `
Try it from another terminal:
  export STRATA_URL=${url} STRATA_API_KEY=${key}
  npx strata run "${input}"
Press Ctrl-C to stop the server.`
}
