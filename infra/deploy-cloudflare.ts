/**
 * `npm run deploy:cloudflare [-- --dry-run | --create]`: applies the migrations and deploys the
 * Worker; `--create` makes database and bucket first; a dry run bundles, checks the size
 * and asks no account anything.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { cloudflareCommand, notReady, understood } from './command.ts'
import { ROOT, run, runUnlessThere } from './run.ts'

/** More than this is slow to start and, on some plans, refused. */
const MAX_GZIP = 1_048_576
const OUT = '.wrangler/dry-run'

const wrangler = (...rest: string[]): void => run('npx', ['wrangler', ...rest])

/** What is there already stays as it is, so that a creation that stopped half-way can go on. */
function create(): void {
  const make = (...rest: string[]): void => runUnlessThere('npx', ['wrangler', ...rest])
  make('d1', 'create', 'strata')
  make('r2', 'bucket', 'create', 'strata')
  console.log('Now write the database_id shown above into wrangler.toml and deploy.')
  console.log('It is shown again by: npx wrangler d1 list')
}

function dryRun(): void {
  wrangler('deploy', '--dry-run', '--outdir', OUT)
  const gzip = gzipSync(readFileSync(join(ROOT, OUT, 'worker.js'))).length
  console.log(`dry run: ${Math.round(gzip / 1024)} KiB gzip of ${MAX_GZIP / 1024} KiB`)
  process.exitCode = gzip <= MAX_GZIP ? 0 : 1
}

function deploy(): void {
  understood(() => {
    const missing = notReady(readFileSync(join(ROOT, 'wrangler.toml'), 'utf8'))
    if (missing !== undefined) throw new Error(missing)
  })
  wrangler('d1', 'migrations', 'apply', 'strata', '--remote')
  wrangler('deploy')
}

const command = understood(() => cloudflareCommand(process.argv.slice(2), process.env))
if (command.dry) dryRun()
else if (command.create) create()
else deploy()
