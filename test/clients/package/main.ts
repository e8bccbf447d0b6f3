/**
 * `node test/clients/package/main.ts`: the package as people get it. Packs it, installs the tarball into an empty
 * folder, and does there what a person would: `npx strata dev`, a first run, `strata init`; then a
 * program with the server inside it, the types, and the entries of both clouds. Prints what it found.
 */

import { execFile, spawnSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { BUDGET_KIB } from '../../../src/cli/deploy/budget.ts'
import { startModelServer } from '../../../src/testing/model-server.ts'
import { dryRun } from './deploys.ts'
import { firstRun } from './dev.ts'
import { installedIn, judged, packed, ROOT, ran, ranWith } from './packed.ts'
import { served } from './serve.ts'

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const bin = (name: string): string => join(ROOT, 'node_modules/.bin', name)

/** An older Node that this machine has, and its version. */
function olderNode(): readonly [path: string, version: string] | undefined {
  for (const folder of (process.env.PATH ?? '').split(':')) {
    const path = join(folder, 'node')
    const version = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? ''
    if (/^v\d/.test(version) && Number.parseInt(version.slice(1), 10) < 24) return [path, version]
  }
  return undefined
}

function refusesOlder(app: string): string {
  const older = olderNode()
  if (!older) return 'older Node: skipped, this machine has none'
  const program = join(app, 'node_modules/strata', manifest.bin.strata)
  const { status, stdout, stderr } = spawnSync(older[0], [program, 'dev'], { encoding: 'utf8' })
  const isRight = status === 1 && stdout === '' && /^strata: Node 24 or newer .*\n$/.test(stderr)
  if (isRight) return `Node ${older[1]}: ${stderr.trim()}`
  throw new Error(`Node ${older[1]} ends with ${status}:\n${stdout}${stderr}`)
}

/** Every entry compiles in a strict program; the libraries of our own two are checked whole. */
async function typed(app: string): Promise<void> {
  const options = { target: 'es2024', module: 'nodenext', strict: true, noEmit: true }
  const node = { types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] }
  // Declarations of clouds name the platform's modules, which only their programs have.
  for (const [file, skipLibCheck] of [
    ['embedded.ts', false],
    ['testing.ts', true],
    ['clouds.ts', true],
  ] as const) {
    const config = { compilerOptions: { ...options, ...node, skipLibCheck }, files: [file] }
    await writeFile(join(app, 'tsconfig.json'), JSON.stringify(config))
    ran(app, bin('tsc'), '-p', '.')
  }
}

async function embedded(app: string): Promise<string> {
  const model = await startModelServer()
  const program = promisify(execFile)(process.execPath, ['embedded.ts', model.url], { cwd: app })
  return program.then(({ stdout }) => stdout.trim()).finally(model.close)
}

/** Bundled by wrangler as a deployment would be, from the package's own wrangler.toml. */
async function worker(app: string): Promise<string> {
  const given = readFileSync(join(app, 'node_modules/strata/wrangler.toml'), 'utf8')
  const toml = given
    .replace('src/hosts/worker.ts', 'worker.js')
    // What is named there is in the package's Worker already.
    .replace(/\[alias\][^[]*/, '')
    .replace('infra/migrations', 'node_modules/strata/infra/migrations')
    .replace('"dist/assets"', '"node_modules/strata/dist/assets"')
  await writeFile(join(app, 'wrangler.toml'), toml)
  const env = { CI: '1', WRANGLER_SEND_METRICS: 'false' }
  const out = ranWith(env, app, bin('wrangler'), 'deploy', '--dry-run', '--outdir', 'worker-out')
  const [, gzip = ''] = /gzip: ([\d.]+) KiB/.exec(out) ?? []
  if (!(Number(gzip) <= BUDGET_KIB.worker)) throw new Error(`the Worker is too large:\n${out}`)
  return `${gzip} KiB gzip of ${BUDGET_KIB.worker} KiB`
}

function lambda(app: string): string {
  const queues = ['MAIN', 'SUBAGENT', 'BACKGROUND', 'RESUME'].map((lane) => `QUEUE_${lane}`)
  const named = ['TABLE', 'BUCKET', ...queues].map((name) => [
    `STRATA_${name}`,
    'https://x.example',
  ])
  const env = { AWS_REGION: 'us-east-1', STRATA_MASTER_KEY: '0'.repeat(64) }
  const out = ranWith({ ...env, ...Object.fromEntries(named) }, app, process.execPath, 'lambda.mjs')
  if (out.trim() !== 'clock dead http work') throw new Error(`strata/lambda exports ${out}`)
  return out.trim()
}

function testing(app: string): string {
  const out = ran(app, process.execPath, 'testing.ts').trim()
  if (out !== 'completed: Hello. todo') throw new Error(`a pack's test printed ${out}`)
  return out
}

function sandbox(app: string): string {
  const out = ran(app, process.execPath, 'sandbox.mjs').trim()
  if (out !== 'hi') throw new Error(`a command in a process of its own says ${out}`)
  return out
}

/** Those without bindings of a platform can be imported as they are. */
function resolves(app: string): void {
  const names = Object.keys(manifest.exports).map((one) => one.replace(/^\./, 'strata'))
  const program = names.map((name) => `import.meta.resolve('${name}')`).join(';')
  ran(app, process.execPath, '--input-type=module', '--eval', program)
  const closed = `import('strata/dist/cli/main.js').then(() => process.exit(1), () => {})`
  ran(app, process.execPath, '--input-type=module', '--eval', closed)
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-package-'))
  try {
    const { tarball, files, bytes } = packed(folder, manifest)
    console.log(`package: ${files} files, ${(bytes / 1e6).toFixed(1)} MB unpacked, no tests`)
    const app = join(folder, 'app')
    const began = performance.now()
    await installedIn(app, tarball)
    console.log(`installed in ${Math.round((performance.now() - began) / 1_000)} s`)
    console.log(`${judged(app).toFixed(1)} MB installed, in the versions of package-lock.json`)
    console.log(refusesOlder(app))
    const first = await firstRun(app)
    console.log(`npx strata dev: the first run ended after ${(first / 1_000).toFixed(1)} s`)
    cpSync(join(import.meta.dirname, 'programs'), app, { recursive: true })
    resolves(app)
    console.log(`exports: ${Object.keys(manifest.exports).join(' ')}`)
    await typed(app)
    console.log('types: strict programs compile')
    console.log(`embedded, with a webhook: ${await embedded(app)}`)
    console.log(`strata/testing: ${testing(app)}`)
    console.log(`a command in a process of its own says ${sandbox(app)}`)
    console.log(`strata/worker: ${await worker(app)}`)
    console.log(`strata/lambda: ${lambda(app)}`)
    console.log(`strata serve, after npm ${await served(app)}: a model of OpenAI`)
    for (const cloud of ['cloudflare', 'aws'] as const)
      console.log(`strata deploy ${cloud} ${dryRun(app, cloud)}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

await main()
