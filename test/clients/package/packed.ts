/** The tarball: made as a release is, its files judged, and an empty folder that has it installed. */

import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

export const ROOT = join(import.meta.dirname, '../../..')
/** The program, its packages, and the programs of both clouds, which hold most of both again. */
const MOST_BYTES = 35_000_000
/** What an installation may take on the disk, without optional packages. */
const MOST_INSTALLED_BYTES = 90_000_000

/** Of this process's variables those that are a deployment's or come from `npm run` stay away. */
const NOT_THEIRS =
  /^(?:STRATA_|OPENAI_|ANTHROPIC_|ALLOW_|PORT$|HOST$|DATA_DIR$|npm_(?:package|lifecycle)_|npm_config_local_prefix$|INIT_CWD$)/

/** As a person's shell has it: how packages are reached, and nothing of this repository. */
export const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !NOT_THEIRS.test(name)))

const PATIENCE_MS = 300_000

/** What it printed; throws with all of it when it fails. */
export function ran(cwd: string, program: string, ...args: string[]): string {
  return ranWith({}, cwd, program, ...args)
}

export function ranWith(
  env: Readonly<Record<string, string>>,
  cwd: string,
  program: string,
  ...args: string[]
): string {
  const all = { ...environment(), ...env }
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    ...{ cwd, env: all, encoding: 'utf8', timeout: PATIENCE_MS },
  })
  if (error) throw error
  if (status === 0) return stdout
  throw new Error(`${[program, ...args].join(' ')} failed (${status}):\n${stdout}${stderr}`)
}

export interface Packed {
  readonly tarball: string
  readonly files: number
  readonly bytes: number
}
interface Manifest {
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

/** Throws when it is too large, holds what it must not, or lacks a file that package.json names. */
export function packed(folder: string, manifest: Manifest): Packed {
  const out = ran(ROOT, 'npm', 'pack', '--json', '--silent', '--pack-destination', folder)
  // npm 11 answers a list, later ones an object by name.
  const [made] = Object.values(JSON.parse(out.slice(out.search(/^[[{]/m)))) as [Listing]
  const { filename, unpackedSize: bytes, files } = made
  const paths = files.map(({ path }) => path)
  if (bytes > MOST_BYTES) throw new Error(`${bytes} bytes unpacked: more than ${MOST_BYTES}`)
  const wrong = paths.filter(
    (path) => !BELONGS.test(path) || /\.test\.|^(?!examples\/packs\/).*\/tests?\//.test(path),
  )
  if (wrong.length > 0) throw new Error(`these do not belong there: ${wrong.join(', ')}`)
  const named = [
    ...Object.values(manifest.bin),
    ...Object.values(manifest.exports).flatMap(targets),
  ]
  const missing = named
    .map((path) => path.replace(/^\.\//, ''))
    .filter((path) => !paths.includes(path))
  if (missing.length > 0) throw new Error(`the package lacks ${missing.join(', ')}`)
  return { tarball: join(folder, filename), files: files.length, bytes }
}

interface Listing {
  readonly filename: string
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}
const targets = (entry: string | object): string[] =>
  typeof entry === 'string' ? [entry] : Object.values(entry)

/** Code and declarations that a build has made, what deployments need, and documents. */
const BELONGS = new RegExp(
  [
    'dist/.*\\.(?:js|mjs|d\\.ts)',
    'dist/vendor/licenses\\.txt',
    'dist/assets/[\\w.-]+',
    'dist/assets/console/[\\w./-]+\\.(?:br|gz)',
    'infra/(?:sandbox\\.toml|package\\.json|cdk\\.json|migrations/\\w+\\.sql|action/action\\.yml|grafana/\\w+\\.json)',
    '(?:docs|examples|infra|src|test/sim)/(?:[\\w.-]+/)*[\\w.-]+\\.md',
    'docs/(?:console|timeline)\\.png',
    'examples/packs/(?:[\\w.-]+/)*[\\w.-]+',
    'examples/(?:approval|fanout-ci)\\.sh',
    'examples/providers\\.json',
    'src/testing/script\\.ts',
    'wrangler\\.toml|openapi\\.yaml|package\\.json|LICENSE|[A-Z]+\\.md',
  ]
    .map((path) => `^(?:${path})$`)
    .join('|'),
)

/** An empty folder with the package and nothing else. */
export async function installedIn(folder: string, tarball: string): Promise<void> {
  await mkdir(folder)
  const name = { name: 'app', private: true, type: 'module' }
  await writeFile(join(folder, 'package.json'), JSON.stringify(name))
  ran(folder, 'npm', 'install', '--silent', '--no-audit', '--no-fund', tarball)
}

/** Returns megabytes of the installation. Throws when it is too large or not what was tested. */
export function judged(folder: string): number {
  const modules = join(folder, 'node_modules')
  const bytes = globSync('**', { cwd: modules, withFileTypes: true })
    .filter((entry) => entry.isFile())
    // A file takes whole blocks.
    .reduce((sum, { parentPath, name }) => {
      const { size } = statSync(join(parentPath, name))
      return sum + Math.ceil(size / 4_096) * 4_096
    }, 0)
  if (bytes > MOST_INSTALLED_BYTES)
    throw new Error(`${bytes} bytes installed: more than ${MOST_INSTALLED_BYTES}`)
  const versions = (lock: Lock): Record<string, string | undefined> =>
    Object.fromEntries(
      Object.entries(lock.packages)
        .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
        .map(([path, { version }]) => [path, version]),
    )
  const read = (path: string): Lock => JSON.parse(readFileSync(path, 'utf8')) as Lock
  const { 'node_modules/strata': _, ...installed } = versions(
    read(join(modules, '.package-lock.json')),
  )
  const tested = versions(read(join(ROOT, 'package-lock.json')))
  if (!isDeepStrictEqual(installed, tested))
    throw new Error(`installed ${JSON.stringify(installed)}, tested ${JSON.stringify(tested)}`)
  return bytes / 1e6
}

interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      { readonly version?: string; readonly dev?: boolean; readonly devOptional?: boolean }
    >
  >
}
