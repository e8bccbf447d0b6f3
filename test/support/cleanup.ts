/** What a test has opened and must close, the last first. Importing it is enough. */

import { afterEach } from 'vitest'

export const cleanup: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of cleanup.splice(0).reverse()) await close()
})
