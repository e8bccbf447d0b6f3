/**
 * The real server for tests: `launch.ts`, where what a test starts is stopped by `cleanup`, the
 * last first.
 */

import { afterAll, beforeAll } from 'vitest'
import { cleanup } from './cleanup.ts'
import type { Open, Server, ServerOptions } from './launch.ts'
import { temporaryFolder as folder, launchServer } from './launch.ts'
import { type ModelServer, startModelServer } from './model-server.ts'

export type { Message, RunShown, Server } from './launch.ts'
export {
  childrenOf,
  createRun,
  eventPages,
  MAIN,
  runToEnd,
  transcript,
  untilEnd,
} from './launch.ts'

/** Closed after the test, unless somebody else is named who closes it. */
export const startServer = (options: Partial<ServerOptions> = {}): Promise<Server> =>
  launchServer({ open: cleanup, ...options })

/** Gone after the test. */
export const temporaryFolder = (): Promise<string> => folder(cleanup)

/** One server, with a scripted model behind it, for all tests of a file or a `describe`. */
export function sharedServer(
  env: Readonly<Record<string, string>> = {},
): () => Server & { readonly model: ModelServer } {
  const open: Open = []
  let server: (Server & { readonly model: ModelServer }) | undefined
  beforeAll(async () => {
    const model = await startModelServer()
    open.push(model.close)
    const started = await startServer({ open, env: { OPENAI_BASE_URL: model.url, ...env } })
    server = { ...started, model }
  })
  afterAll(async () => {
    for (const close of open.splice(0).reverse()) await close()
  })
  return () => {
    if (!server) throw new Error('the server has not been started')
    return server
  }
}
