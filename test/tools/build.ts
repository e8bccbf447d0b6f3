/**
 * `npm run build`: the JavaScript and declarations of src in dist with the packages that they import,
 * the programs of both clouds as deployments bundle them, and the files of dist/assets.
 */

import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { bundleProgram } from '../../infra/bundle.ts'
import { writePdfReader } from '../../infra/pdf-reader.ts'
import { writeAssets } from './assets.ts'
import { ensureClientTypes } from './client-types/main.ts'
import { buildConsole } from './console.ts'
import { vendor, writeLicenses } from './vendor.ts'

const ROOT = join(import.meta.dirname, '../..')
const DIST = join(ROOT, 'dist')

/** Runs a program of a package; throws when it fails. */
function run(program: string, ...args: string[]): void {
  const path = join(ROOT, 'node_modules', program)
  const env = { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' }
  // `npm pack --json` answers on the standard output.
  const options: SpawnSyncOptions = { cwd: ROOT, env, stdio: ['ignore', 2, 2] }
  const { status } = spawnSync(process.execPath, [path, ...args], options)
  if (status !== 0) throw new Error(`${program} failed (${status})`)
}

/**
 * Bundles the Workers as a deployment of this repository does. Returns the paths of the modules that
 * they hold.
 */
function buildWorkers(): readonly string[] {
  writePdfReader()
  const folder = mkdtempSync(join(tmpdir(), 'strata-workers-'))
  mkdirSync(join(DIST, 'workers'))
  const inputs = [
    ['worker.js', 'wrangler.toml'],
    ['sandbox.js', 'infra/sandbox.toml'],
  ].flatMap(([name = '', config = '']) => {
    const how = ['--dry-run', '--metafile', '--outdir', folder, '--config', config]
    run('wrangler/bin/wrangler.js', 'deploy', ...how)
    const program = readFileSync(join(folder, name), 'utf8')
    // The map of 8 MB stays behind.
    writeFileSync(
      join(DIST, 'workers', name),
      program.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n'),
    )
    return Object.keys(JSON.parse(readFileSync(join(folder, 'bundle-meta.json'), 'utf8')).inputs)
  })
  rmSync(folder, { recursive: true })
  return inputs
}

/** Bundles the functions and the CDK app of AWS. Returns the paths of the modules that they hold. */
async function buildAws(): Promise<readonly string[]> {
  const functions = await bundleProgram(join(DIST, 'lambda'))
  const app = await build({
    entryPoints: [join(ROOT, 'infra/app.ts')],
    ...{ outdir: join(DIST, 'infra'), bundle: true, format: 'esm', platform: 'node' },
    ...{ target: 'node24', metafile: true, logLevel: 'warning' },
    // They are found where the package is installed.
    external: ['aws-cdk-lib', 'aws-cdk-lib/*', 'constructs', 'cdk-nag', 'zod'],
  })
  return [...Object.keys(functions.metafile.inputs), ...Object.keys(app.metafile.inputs)]
}

ensureClientTypes()
// Written first: afterwards the folder exists, and Workers that serve from it are not disturbed.
writeAssets()
await buildConsole()
for (const name of readdirSync(DIST))
  if (name !== 'assets') rmSync(join(DIST, name), { recursive: true })
run('typescript/bin/tsc', '-p', 'tsconfig.build.json')
writeLicenses(join(DIST, 'vendor'), [
  ...(await vendor(DIST)),
  ...buildWorkers(),
  ...(await buildAws()),
])
