/**
 * Package `strata`: runs the server inside another program, in the same process. Separate
 * deployments use `strata/worker` and `strata/lambda`.
 */

import { newKey } from '../engine/tenant/api-keys.ts'
import { nodeOptions } from './node/options.ts'
import { startNode } from './node.ts'
import { systemClock } from './shared/clock.ts'
import { createLog, failureEntry } from './shared/log.ts'

export interface ServerOptions {
  /**
   * Settings by name, as listed in README: `PORT` (`0`: any free port), `DATA_DIR`,
   * `OPENAI_API_KEY` … Defaults to the environment variables of this process.
   */
  readonly settings?: Readonly<Record<string, string | undefined>>
  /**
   * Callback that receives each log line as JSON without a line break; `LOG_LEVEL` filters the
   * lines. If absent, nothing is logged.
   */
  readonly onLog?: (line: string) => void
}

export interface StrataServer {
  /** URL of the server, such as `http://127.0.0.1:8787`. */
  readonly url: string
  /**
   * Admin API key, if this start generated one; it is returned only once. Store the key, or choose
   * one with `newApiKey` and set it as `STRATA_ADMIN_KEY`.
   */
  readonly adminKey: string | undefined
  /** Warnings about settings that are unsafe or ineffective, one sentence each. */
  readonly warnings: readonly string[]
  /** Stops accepting requests, allows runs to commit, and closes the storage, within 5 s. */
  close(): Promise<void>
}

/**
 * Starts a server, which listens and executes runs until it is closed. Unfinished runs continue at
 * the next start on the same storage. Rejects with an explanation if a setting is invalid, the port
 * is in use, or another process has locked the folder.
 *
 *     const server = await startServer({ settings: { PORT: '0', DATA_DIR: '/var/lib/strata' } })
 */
export async function startServer(options: ServerOptions = {}): Promise<StrataServer> {
  const { settings = process.env, onLog = () => {} } = options
  const node = nodeOptions(settings)
  const log = createLog({ level: node.logLevel, sink: onLog })
  const onError = (where: string, error: unknown) => log.write(failureEntry(where, error))
  const host = await startNode(node, onError, log)
  if (host.adminKey !== undefined) await host.keyShown()
  const { url, adminKey, warnings } = host
  return { url, adminKey, warnings, close: () => host.close() }
}

/** Returns a new API key for `STRATA_ADMIN_KEY`; no server knows this key yet. */
export const newApiKey = (): string => newKey(systemClock.random).key
