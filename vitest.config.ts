import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isMeasuring } from './test/support/full.ts'
import { minutes } from './test/support/patience.ts'

/** How long a test may hang before it fails; not how long it takes. */
const HANG_MS = minutes(5)

/**
 * Files at a time: two more than there are cores, because many wait most of their time. Vitest's own
 * default is one fewer, which leaves one of two cores idle. What is measured runs alone.
 */
const WORKERS = isMeasuring ? 1 : availableParallelism() + 2

/** The slowest files start first, so that none of them runs alone at the end. */
const SLOW = [
  'e2e/cli',
  'e2e/guides',
  'e2e/host',
  'e2e/open-fanout',
  'e2e/waited',
  'e2e/kill',
  'e2e/barrier',
  'e2e/machine',
  'e2e/demo',
  'unit/http/schedules/schedule-files',
  'unit/hosts/web/mcp-servers',
  'sim/commands',
].map((name) => `/test/${name}.test.ts`)

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const index = SLOW.findIndex((path) => moduleId.endsWith(path))
      return index < 0 ? SLOW.length : index
    }
    return (await super.sort(files)).sort((one, other) => place(one) - place(other))
  }
}

/** Closes what a test has opened. */
const SETUP = 'test/support/setup.ts'
/** Tests that only `npm run prove` runs: long, random, or dependent on the machine. */
const PROOFS = 'test/**/*.proof.test.ts'

// Vitest's workers and the servers that tests start share compiled code.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')

// One project a kind of test: `unit` needs only this process; `e2e` starts real servers; `proof` is
// long, random or measured; `aws` runs the suites of the platforms on local emulators; `infra` is the CDK app.
// The Cloudflare projects have a configuration of their own, test/platforms/cloudflare/vitest.config.ts.
export default defineConfig({
  test: {
    reporters: process.env.VITEST_RESULTS
      ? ['default', ['json', { outputFile: process.env.VITEST_RESULTS }]]
      : ['default'],
    sequence: { sequencer: SlowFirst },
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          // Suites with packages of their own contain the tests of these packages.
          exclude: [
            ...configDefaults.exclude,
            PROOFS,
            'test/e2e/**',
            'test/platforms/aws/**',
            'test/platforms/cloudflare/**',
          ],
          setupFiles: [SETUP, 'test/support/property.ts'],
          // Modules are loaded once a worker and not once a file; a file that changes them for the
          // next one is a bug of that file.
          isolate: false,
          maxWorkers: WORKERS,
          // Not 0: where one file runs at a time, those without an order of their own come last.
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: [PROOFS],
          setupFiles: [SETUP],
          maxWorkers: WORKERS,
          // Beside the unit tests: while these wait for servers, those use the processor.
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'proof',
          include: [PROOFS],
          exclude: [
            ...configDefaults.exclude,
            'test/platforms/aws/**',
            'test/platforms/cloudflare/**',
          ],
          setupFiles: [SETUP, 'test/support/property.ts'],
          fileParallelism: false,
          testTimeout: minutes(30),
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'aws',
          include: ['test/platforms/aws/**/*.test.ts'],
          globalSetup: ['test/platforms/aws/setup.ts'],
          setupFiles: [SETUP],
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        // The CDK app; its packages are installed by `npm ci --prefix infra`.
        extends: true,
        test: {
          name: 'infra',
          include: ['infra/test/*.test.ts'],
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
