import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

/** Not how long a test takes: how long one may hang before it is red. A busy machine is no bug. */
const PATIENCE_MS = 60_000

// One project a kind of proof: `unit` needs nothing but this process; `e2e` starts real servers,
// one file at a time and after the others, because it measures and kills; `aws` and `cloudflare`
// run the same suites on what stands for those clouds on one machine.
export default defineConfig({
  test: {
    reporters: process.env.VITEST_RESULTS
      ? ['default', ['json', { outputFile: process.env.VITEST_RESULTS }]]
      : ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/aws/**', 'test/cloudflare/**'],
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          // Not 0: where one file runs at a time, those without an order of their own come last.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 3 * PATIENCE_MS,
          hookTimeout: 3 * PATIENCE_MS,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'aws',
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
          include: ['test/cloudflare/*.test.ts'],
          testTimeout: 3 * PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
})
