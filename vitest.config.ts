import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Not how long a test takes: how long one may hang before it is red. A busy machine is no bug. */
const PATIENCE_MS = 60_000

/**
 * Files at a time: one more than there are cores, because many wait most of their time. Vitest's own
 * choice is one fewer, which of two cores leaves one idle.
 */
const WORKERS = availableParallelism() + 1

/** E2E tests that measure how long something takes. */
const MEASURED = ['demo', 'parsing', 'stop'].map((name) => `test/e2e/${name}.test.ts`)

/**
 * They take longest, and none of them is to begin when all others have ended. Those that kill may wait
 * for minutes when two kills in a row hit one run (rule 34).
 */
const LONG = [
  'engine/schedules',
  'core/schedule/when',
  'e2e/open-fanout',
  'e2e/hands-bad-input',
  'e2e/kill',
  'e2e/chaos',
  'e2e/injection',
  'sim/regressions',
  'e2e/memory',
  'e2e/cli',
  'e2e/connection',
  'e2e/barrier',
  'sim/run',
  'e2e/poison',
  'sim/commands',
  'hosts/web/mcp-servers',
  'hosts/node/hostile-peers',
  'e2e/host',
  'e2e/sse',
].map((name) => `/test/${name}.test.ts`)

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = LONG.findIndex((path) => moduleId.endsWith(path))
      return found < 0 ? LONG.length : found
    }
    return (await super.sort(files)).sort((one, other) => place(one) - place(other))
  }
}

/** Closes what a test has opened. */
const SETUP = ['test/support/setup.ts']

// Workers, and all that tests start, keep compiled code between processes.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')

// One project a kind of proof: `unit` needs nothing but this process; `e2e` starts real servers and
// kills them; `e2e-alone` measures them, one file at a time when nothing else runs; `aws` and
// `cloudflare` run the same suites on what stands for those clouds on one machine.
export default defineConfig({
  test: {
    reporters: process.env.VITEST_RESULTS
      ? ['default', ['json', { outputFile: process.env.VITEST_RESULTS }]]
      : ['default'],
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          // Suites have packages of their own below test, whose tests are not ours.
          exclude: [...configDefaults.exclude, 'test/e2e/**', 'test/aws/**', 'test/cloudflare/**'],
          setupFiles: SETUP,
          // Modules are loaded once a worker and not once a file; a file that would change what they
          // hold for the next one is a bug of that file.
          isolate: false,
          maxWorkers: WORKERS,
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          // Not 0: where one file runs at a time, those without an order of their own come last.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'e2e',
          setupFiles: SETUP,
          include: ['test/e2e/**/*.test.ts'],
          exclude: MEASURED,
          maxWorkers: WORKERS,
          testTimeout: 3 * PATIENCE_MS,
          hookTimeout: 3 * PATIENCE_MS,
          // Beside the others: while it waits for servers, they use the processor.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'e2e-alone',
          setupFiles: SETUP,
          include: MEASURED,
          fileParallelism: false,
          testTimeout: 3 * PATIENCE_MS,
          hookTimeout: 3 * PATIENCE_MS,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'aws',
          setupFiles: SETUP,
          include: ['test/aws/**/*.test.ts'],
          globalSetup: ['test/aws/setup.ts'],
          fileParallelism: false,
          testTimeout: 3 * PATIENCE_MS,
          hookTimeout: 3 * PATIENCE_MS,
          sequence: { groupOrder: 3 },
        },
      },
      {
        // In workerd, with the bindings of wrangler.toml.
        plugins: [
          cloudflareTest({
            main: './test/cloudflare/main.ts',
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                STRATA_MASTER_KEY: '0'.repeat(64),
                OPENAI_API_KEY: 'none',
                OPENAI_BASE_URL: 'https://model.example/v1',
                STRATA_MODEL: 'openai/scripted',
                MAX_LIVE_CHILDREN: '120',
                LANE_BACKGROUND: '2',
                LOG_LEVEL: 'error',
              },
              // Documents are read by a Worker of its own, which `worker` below starts too.
              serviceBindings: { HANDS: () => new Response(null, { status: 404 }) },
              durableObjects: {
                ROWS: { className: 'RowsObject', useSQLite: true },
                HEARING: { className: 'HearingObject', useSQLite: true },
              },
            },
          }),
        ],
        test: {
          name: 'cloudflare',
          include: ['test/cloudflare/workerd/*.test.ts'],
          testTimeout: 3 * PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          sequence: { groupOrder: 4 },
        },
      },
      {
        // The CDK app; its packages are installed by `npm ci --prefix infra`.
        test: {
          name: 'infra',
          include: ['infra/test/*.test.ts'],
          testTimeout: 5 * PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          sequence: { groupOrder: 6 },
        },
      },
      {
        // The bundled Worker from outside.
        test: {
          name: 'worker',
          setupFiles: SETUP,
          include: ['test/cloudflare/*.test.ts'],
          testTimeout: 3 * PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
})
