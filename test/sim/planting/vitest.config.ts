/**
 * Tests of the unit project with a bug planted in what they load: of `node test/tools/promises.ts` and
 * `node test/tools/mutate-resolve.ts`, each in a process of its own.
 */

import { configDefaults, defineConfig } from 'vitest/config'
import { plantInVitest } from './plant.ts'

export default defineConfig({
  root: new URL('../../..', import.meta.url).pathname,
  plugins: [plantInVitest()],
  test: {
    setupFiles: ['test/support/setup.ts'],
    include: ['test/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      'test/e2e/**',
      'test/platforms/aws/**',
      'test/platforms/cloudflare/**',
    ],
    // Nothing is to be answered by the text of before.
    fsModuleCache: false,
    // How long a test may hang; a bug that makes one hang is found by that.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
