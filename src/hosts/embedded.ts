/**
 * `strata`: the server inside a program of yours, in the same process. Deployments of their own are
 * `strata/worker` and `strata/lambda`.
 */

import { newKey } from '../engine/tenant/api-keys.ts'
import { nodeOptions } from './node/options.ts'
import { startNode } from './node.ts'
import { systemClock } from './shared/clock.ts'
import { createLog, failureEntry } from './shared/log.ts'

export interface ServerOptions {
  /**
   * The settings that README lists, by their names: `PORT` (`0`: any free port), `DATA_DIR`,
   * `OPENAI_API_KEY` … Default: the variables of this process.
   */
  readonly settings?: Readonly<Record<string, string | undefined>>
  /**
   * Receives each line of the log, as JSON without a line end; `LOG_LEVEL` filters. Default: none.
   */
  readonly onLog?: (line: string) => void
}

export interface StrataServer {
  /** URL of the server, such as `http://127.0.0.1:8787`. */
  readonly url: string
  /**
   * The admin API key, when this start has made it: the only time that it is known. Keep it, or
   * choose one with `newApiKey` and give it as `STRATA_ADMIN_KEY`.
   */
  readonly adminKey: string | undefined
  /** Sentences about settings that are unsafe or cannot work. */
  readonly warnings: readonly string[]
  /** Stops taking requests, lets runs come to a commit, closes the storage: within 5 s. */
  close(): Promise<void>
}

/**
 * Starts a server. It listens and works on runs until it is closed; what has not ended then goes
 * on with the next start on the same storage. Rejects with a sentence when a setting is wrong, the
 * port is taken, or another process has the folder.
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

/** A new API key that no server knows yet, for `STRATA_ADMIN_KEY`. */
export const newApiKey = (): string => newKey(systemClock.random).key
