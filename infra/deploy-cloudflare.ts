/**
 * `npm run deploy:cloudflare [-- --dry-run | --create]`: applies the migrations and deploys the
 * Worker; `--create` makes database, bucket and queues first; a dry run bundles, checks the size
 * and asks no account anything.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ROOT, run } from './run.ts'

/** More than this is slow to start and, on some plans, refused. */
const MAX_GZIP = 1_048_576
const OUT = '.wrangler/dry-run'
const LANES = ['main', 'subagent', 'background', 'resume']

const args = process.argv.slice(2)
const wrangler = (...rest: string[]): void => run('npx', ['wrangler', ...rest])

if (args.includes('--dry-run')) {
  wrangler('deploy', '--dry-run', '--outdir', OUT)
  const gzip = gzipSync(readFileSync(join(ROOT, OUT, 'worker.js'))).length
  console.log(`dry run: ${Math.round(gzip / 1024)} KiB gzip of ${MAX_GZIP / 1024} KiB`)
  process.exitCode = gzip <= MAX_GZIP ? 0 : 1
} else {
  if (args.includes('--create')) {
    wrangler('d1', 'create', 'strata')
    wrangler('r2', 'bucket', 'create', 'strata')
    for (const lane of LANES) {
      wrangler('queues', 'create', `strata-${lane}-dead`)
      wrangler('queues', 'create', `strata-${lane}`)
    }
    console.log('Now write the database_id shown above into wrangler.toml and deploy.')
  } else {
    wrangler('d1', 'migrations', 'apply', 'strata', '--remote')
    wrangler('deploy')
  }
}
