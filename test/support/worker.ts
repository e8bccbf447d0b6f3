/**
 * The Worker as wrangler bundles it, in workerd on this machine, spoken to by HTTP. Its clock is
 * wound by us, because locally no cron fires; its storage may outlive it.
 */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { unstable_startWorker } from 'wrangler'
import { writePdfReader } from '../../infra/pdf-reader.ts'
import { writeAssets } from '../tools/assets.ts'

export const ROOT = join(import.meta.dirname, '../..')
const CONFIG = join(ROOT, 'wrangler.toml')
/** Variables of a Worker whose model is the scripted server; its address and a key come on top. */
export const SCRIPTED = {
  ALLOW_LOOPBACK: 'true',
  OPENAI_API_KEY: 'none',
  STRATA_MODEL: 'openai/scripted',
  STRATA_MASTER_KEY: '0123456789abcdef'.repeat(4),
}

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

/**
 * The second Worker, to which the binding of the first leads by wrangler's registry: one for all
 * Workers of this process, in a registry that no other process uses.
 */
const sandbox = { users: 0, worker: undefined as ReturnType<typeof startSandbox> | undefined }
const registry = mkdtemp(join(tmpdir(), 'strata-registry-'))

async function startSandbox() {
  Object.assign(process.env, QUIET)
  writePdfReader()
  const worker = await unstable_startWorker({
    config: join(ROOT, 'infra/sandbox.toml'),
    dev: {
      server: { port: 0, hostname: '127.0.0.1' },
      inspector: false,
      logLevel: 'error',
      watch: false,
      registry: await registry,
    },
  })
  await worker.ready
  // It can be found a moment after it is ready.
  const entry = join(await registry, 'strata-sandbox')
  for (let looked = 0; !existsSync(entry) && looked < 600; looked += 1) await sleep(50)
  return worker
}

async function leaveSandbox(): Promise<void> {
  const { worker } = sandbox
  sandbox.users -= 1
  if (sandbox.users > 0) return
  sandbox.worker = undefined
  await (await worker)?.dispose()
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
  /** A folder instead of dist/assets, which is written before the first start. */
  readonly assets?: string
}

let hasAssets = false

export async function startWorker(
  vars: Readonly<Record<string, string>>,
  folder: string,
  { port = 0, clockMs = 2_000, logLevel = 'error', entrypoint, assets }: WorkerOptions = {},
): Promise<LocalWorker> {
  const bindings = Object.entries(vars).map(([name, value]) => {
    // Of a plain one wrangler prints the beginning.
    return [name, { type: 'secret_text', value }] as const
  })
  if (!hasAssets) writeAssets()
  hasAssets = true
  sandbox.users += 1
  sandbox.worker ??= startSandbox()
  await sandbox.worker
  const worker = await unstable_startWorker({
    config: CONFIG,
    ...(entrypoint === undefined ? {} : { entrypoint }),
    ...(assets === undefined ? {} : { assets }),
    bindings: Object.fromEntries(bindings),
    dev: {
      server: { port, hostname: '127.0.0.1' },
      inspector: false,
      logLevel,
      persist: folder,
      registry: await registry,
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
      await leaveSandbox()
    },
  }
}
