/**
 * `strata deploy cloudflare`: applies migrations and deploys the Workers; `--create` first creates
 * the database and bucket. A dry run checks configuration and size without calling any account.
 * Tracked files stay unchanged: wrangler reads copies with the stage's names.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { BUDGET_KIB } from './budget.ts'
import type { CloudflareCommand } from './command.ts'
import { isSource, programOf, ROOT, workFolder } from './place.ts'
import { outputOf, run, runUnlessThere } from './run.ts'
import { type BuiltWorker, databaseIn, nameOf, sandboxFor, wranglerFor } from './stage.ts'

/**
 * The generated file is stored next to the original, because paths in the configuration are
 * relative.
 */
const CONFIG_FILE = isSource ? 'wrangler.deployed.toml' : 'worker.toml'
const SANDBOX = isSource ? 'infra/sandbox.deployed.toml' : 'sandbox.toml'
const OUT = '.wrangler/dry-run'

export function deployCloudflare({ dry, create, stage }: CloudflareCommand): number {
  const wrangler = programOf('cloudflare', 'wrangler', 'wrangler')
  const folder = workFolder('cloudflare')
  const act = (...args: string[]): void => run(process.execPath, [wrangler, ...args], folder)
  if (isSource) run(process.execPath, [join(ROOT, 'infra/assets.ts')], ROOT)
  const configure = (database?: string): void => writeConfigurations(folder, { stage, database })
  if (dry) {
    configure()
    act('deploy', '--dry-run', '--outdir', join(folder, OUT), '--config', SANDBOX)
    act('deploy', '--dry-run', '--outdir', join(folder, OUT), '--config', CONFIG_FILE)
    const workers = isSource ? join(folder, OUT) : join(ROOT, 'dist/workers')
    // A dry run updates the Worker sizes in the repository's documentation.
    const figures = [join(ROOT, 'infra/figures.ts'), 'cloudflare', workers]
    if (isSource) run(process.execPath, figures, ROOT)
    return isSmall(workers) ? 0 : 1
  }
  if (create) {
    configure()
    // Existing resources are kept, so that an interrupted creation can resume.
    const make = (...args: string[]): void =>
      runUnlessThere(process.execPath, [wrangler, ...args, '--config', CONFIG_FILE], folder)
    make('d1', 'create', nameOf(stage))
    make('r2', 'bucket', 'create', nameOf(stage))
    const flag = stage === undefined ? '' : ` --stage ${stage}`
    console.log(
      `To deploy, run: ${isSource ? 'npm run strata --' : 'npx strata'} deploy ` +
        `cloudflare${flag}`,
    )
    return 0
  }
  mkdirSync(folder, { recursive: true })
  const listing = outputOf(process.execPath, [wrangler, 'd1', 'list', '--json'], folder)
  const database = databaseIn(listing, nameOf(stage))
  if (database === undefined) {
    console.error(
      `Database ${nameOf(stage)} not found in this account; deploy with --create first.`,
    )
    return 2
  }
  configure(database)
  act('d1', 'migrations', 'apply', nameOf(stage), '--remote', '--config', CONFIG_FILE)
  // The main Worker has a binding to the sandbox, which must exist first.
  act('deploy', '--config', SANDBOX)
  act('deploy', '--config', CONFIG_FILE)
  return 0
}

interface Stage {
  readonly stage: string | undefined
  readonly database: string | undefined
}

/** Writes the configuration files that wrangler reads. */
function writeConfigurations(folder: string, stage: Stage): void {
  mkdirSync(folder, { recursive: true })
  const built = (name: string): BuiltWorker | undefined =>
    isSource ? undefined : { folder, root: ROOT, main: join(ROOT, 'dist/workers', name) }
  const tracked = (name: string): string => readFileSync(join(ROOT, name), 'utf8')
  const worker = wranglerFor(tracked('wrangler.toml'), { ...stage, built: built('worker.js') })
  const sandbox = sandboxFor(tracked('infra/sandbox.toml'), {
    stage: stage.stage,
    built: built('sandbox.js'),
  })
  writeFileSync(join(folder, CONFIG_FILE), worker)
  writeFileSync(join(folder, SANDBOX), sandbox)
}

function isSmall(folder: string): boolean {
  const sizes = Object.entries(BUDGET_KIB).map(([name, budget]) => {
    const kib = gzipSync(readFileSync(join(folder, `${name}.js`))).length / 1024
    console.log(`dry run: ${name}.js is ${Math.round(kib)} KiB gzipped (limit: ${budget} KiB)`)
    return kib <= budget
  })
  return sizes.every(Boolean)
}
