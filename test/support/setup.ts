/** Before each file of tests: what a test has opened is closed after it. */

import { afterEach } from 'vitest'
import { cleanup } from './cleanup.ts'

afterEach(async () => {
  for (const close of cleanup.splice(0).reverse()) await close()
})
