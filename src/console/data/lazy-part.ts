/**
 * Parts of the console that are loaded when they are needed. While no server answers they are
 * requested again, because a page that reloads itself would become the browser's page of errors.
 */

import { api, ConnectionError } from './api.ts'
import { noteReplaced } from './release.ts'

const PAUSE_MS = 1_500

/** Fails when a newer release has replaced the part. */
export async function loaded<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load()
    } catch {
      // Between the two the connection may have come back.
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
