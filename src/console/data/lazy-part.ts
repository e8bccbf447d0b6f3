/**
 * Lazily loaded parts of the console. While the server is unreachable, loading is retried;
 * reloading the page would show the browser's error page.
 */

import { api, ConnectionError } from './api.ts'
import { noteReplaced } from './release.ts'

const PAUSE_MS = 1_500

/** Loads a part of the console; fails if a newer release has replaced the part. */
export async function loaded<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load()
    } catch {
      // The first attempt may have failed because the connection was lost; if the server is
      // reachable, loading is retried.
      if (await isReached()) return load().catch(fail)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
}

function fail(error: unknown): never {
  noteReplaced()
  throw error
}

const isReached = (): Promise<boolean> =>
  api.health.get().then(
    () => true,
    (error: unknown) => !(error instanceof ConnectionError),
  )
