/**
 * `npm run deploy:cloudflare [-- --stage NAME] [--dry-run | --create]`: applies the migrations and
 * deploys the Workers; `--create` makes database and bucket first; a dry run bundles, checks
 * the size and asks no account anything. What is deployed stands in `wrangler.deployed.toml`.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { writeAssets } from '../test/tools/assets.ts'
import { buildConsole } from '../test/tools/console.ts'
import { BUDGET_KIB } from './budget.ts'
import { cloudflareCommand, understood } from './command.ts'
import { writePdfReader } from './pdf-reader.ts'
import { outputOf, ROOT, run, runUnlessThere } from './run.ts'
import { databaseIn, nameOf, sandboxFor, wranglerFor } from './stage.ts'

const OUT = '.wrangler/dry-run'
/** Beside those that they are made of, because paths in them are relative. */
const MADE = 'wrangler.deployed.toml'
const SANDBOX = 'infra/sandbox.deployed.toml'

const { dry, create, stage } = understood(() =>
  cloudflareCommand(process.argv.slice(2), process.env),
)
const tracked = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')

const wrangler = (...rest: string[]): void => run('npx', ['wrangler', ...rest, '--config', MADE])

/** Writes what wrangler is to read. */
function configure(database?: string): void {
  writeAssets()
  writePdfReader()
  writeFileSync(join(ROOT, MADE), wranglerFor(tracked, { stage, database }))
  const sandbox = readFileSync(join(ROOT, 'infra/sandbox.toml'), 'utf8')
  writeFileSync(join(ROOT, SANDBOX), sandboxFor(sandbox, stage))
}

/** What is there already stays as it is, so that a creation that stopped half-way can go on. */
function createAll(): void {
  configure()
  const make = (...rest: string[]): void =>
    runUnlessThere('npx', ['wrangler', ...rest, '--config', MADE])
  make('d1', 'create', nameOf(stage))
  make('r2', 'bucket', 'create', nameOf(stage))
  const flag = stage === undefined ? '' : ` -- --stage ${stage}`
  console.log(`Now deploy: npm run deploy:cloudflare${flag}`)
}

function dryRun(): void {
  configure()
  run('npx', ['wrangler', 'deploy', '--dry-run', '--outdir', join(ROOT, OUT), '--config', SANDBOX])
  wrangler('deploy', '--dry-run', '--outdir', OUT)
  for (const [name, budget] of Object.entries(BUDGET_KIB)) {
    const kib = gzipSync(readFileSync(join(ROOT, OUT, `${name}.js`))).length / 1024
    console.log(`dry run: ${name}.js: ${Math.round(kib)} KiB gzip of ${budget} KiB`)
    if (kib > budget) process.exitCode = 1
  }
}

function deploy(): void {
  const name = nameOf(stage)
  const database = databaseIn(outputOf('npx', ['wrangler', 'd1', 'list', '--json']), name)
  if (database === undefined) {
    console.error(`This account has no database ${name} yet: deploy with --create first.`)
    process.exit(2)
  }
  configure(database)
  wrangler('d1', 'migrations', 'apply', name, '--remote')
  // The other is bound to it, which it must exist for.
  run('npx', ['wrangler', 'deploy', '--config', SANDBOX])
  wrangler('deploy')
}

if (!create) await buildConsole()
if (dry) dryRun()
else if (create) createAll()
else deploy()
