import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { minutes } from '../../support/patience.ts'

/** How long a test may hang before it fails; not how long it takes. */
const HANG_MS = minutes(5)
const ROOT = new URL('../../../', import.meta.url).pathname

// Local Workers find each other by a registry of files. One of its own keeps this process apart from
// every other one on the machine.
const registry = mkdtempSync(join(tmpdir(), 'strata-registry-'))
process.env.WRANGLER_REGISTRY_PATH = registry
process.on('exit', () => rmSync(registry, { recursive: true, force: true }))

// `cloudflare` runs in workerd with the bindings of wrangler.toml; `worker` starts the bundled Worker
// and speaks to it by HTTP. They are not part of `npm test`, because loading the plugin alone starts
// workerd.
export default defineConfig({
  root: ROOT,
  test: {
    reporters: process.env.VITEST_RESULTS
      ? ['default', ['json', { outputFile: process.env.VITEST_RESULTS }]]
      : ['default'],
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
    projects: [
      {
        extends: true,
        plugins: [
          cloudflareTest({
            main: './test/platforms/cloudflare/main.ts',
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
              serviceBindings: { SANDBOX: () => new Response(null, { status: 404 }) },
              durableObjects: {
                ROWS: { className: 'RowsObject', useSQLite: true },
                HEARING: { className: 'HearingObject', useSQLite: true },
              },
            },
          }),
        ],
        test: {
          name: 'cloudflare',
          include: ['test/platforms/cloudflare/workerd/*.test.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'worker',
          include: ['test/platforms/cloudflare/*.test.ts'],
          setupFiles: ['test/support/setup.ts'],
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
