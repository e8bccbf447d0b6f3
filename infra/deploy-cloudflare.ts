/**
 * `npm run deploy:cloudflare [-- --stage NAME] [--dry-run | --create]`: applies the migrations and
 * deploys the Worker; `--create` makes database and bucket first; a dry run bundles, checks
 * the size and asks no account anything. What is deployed stands in `wrangler.deployed.toml`.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { cloudflareCommand, understood } from './command.ts'
import { outputOf, ROOT, run, runUnlessThere } from './run.ts'
import { databaseIn, nameOf, wranglerFor } from './stage.ts'

/** More than this is slow to start and, on some plans, refused. */
const MAX_GZIP = 1_048_576
const OUT = '.wrangler/dry-run'
/** Beside wrangler.toml, because paths in it are relative to it. */
const MADE = 'wrangler.deployed.toml'

const { dry, create, stage } = understood(() =>
  cloudflareCommand(process.argv.slice(2), process.env),
)
const tracked = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')

const wrangler = (...rest: string[]): void => run('npx', ['wrangler', ...rest, '--config', MADE])

/** Writes what wrangler is to read. */
function configure(database?: string): void {
  writeFileSync(join(ROOT, MADE), wranglerFor(tracked, { stage, database }))
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
  wrangler('deploy', '--dry-run', '--outdir', OUT)
  const gzip = gzipSync(readFileSync(join(ROOT, OUT, 'worker.js'))).length
  console.log(`dry run: ${Math.round(gzip / 1024)} KiB gzip of ${MAX_GZIP / 1024} KiB`)
  process.exitCode = gzip <= MAX_GZIP ? 0 : 1
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
  wrangler('deploy')
}

if (dry) dryRun()
else if (create) createAll()
else deploy()
