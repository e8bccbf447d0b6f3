/**
 * The Worker as wrangler bundles it, in workerd on this machine, spoken to by HTTP. Its clock is
 * wound by us, because locally no cron fires; its storage may outlive it.
 */

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { unstable_startWorker } from 'wrangler'

export const ROOT = join(import.meta.dirname, '../..')
const CONFIG = join(ROOT, 'wrangler.toml')
export const QUIET = {
  WRANGLER_SEND_METRICS: 'false',
  DO_NOT_TRACK: '1',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CI: '1',
}

export interface LocalWorker {
  readonly url: string
  stop(): Promise<void>
}

/** Applies the migrations to a fresh local database in this folder. */
export async function migrateLocally(folder: string): Promise<void> {
  const args = ['d1', 'migrations', 'apply', 'strata', '--local', '--persist-to', folder]
  await promisify(execFile)('npx', ['wrangler', ...args, '--config', CONFIG], {
    cwd: ROOT,
    env: { ...process.env, ...QUIET },
  })
}

export interface WorkerOptions {
  /** 0: any free port. */
  readonly port?: number
  /** How often the clock ticks: a deployed Worker's each minute. */
  readonly clockMs?: number
  /** What of the Worker's log is shown. */
  readonly logLevel?: 'error' | 'log'
  /** Instead of the deployed program; it exports the same classes. */
  readonly entrypoint?: string
}

export async function startWorker(
  vars: Readonly<Record<string, string>>,
  folder: string,
  { port = 0, clockMs = 2_000, logLevel = 'error', entrypoint }: WorkerOptions = {},
): Promise<LocalWorker> {
  Object.assign(process.env, QUIET)
  const bindings = Object.entries(vars).map(([name, value]) => {
    // Of a plain one wrangler prints the beginning.
    return [name, { type: 'secret_text', value }] as const
  })
  const worker = await unstable_startWorker({
    config: CONFIG,
    ...(entrypoint === undefined ? {} : { entrypoint }),
    bindings: Object.fromEntries(bindings),
    dev: {
      server: { port, hostname: '127.0.0.1' },
      inspector: false,
      logLevel,
      persist: folder,
      testScheduled: true,
      watch: false,
    },
  })
  await worker.ready
  const url = (await worker.url).origin
  const wind = (): void => {
    fetch(`${url}/cdn-cgi/handler/scheduled`)
      .then((response) => response.body?.cancel())
      .catch(() => {})
  }
  const timer = setInterval(wind, clockMs)
  return {
    url,
    async stop() {
      clearInterval(timer)
      await worker.dispose()
    },
  }
}
