/**
 * One home of `npm run bench -- workers`, as a process whose processor time can be read:
 * `node test/measure/bench/workers-home.ts strata|workflows MODEL_URL FOLDER` prints its address as JSON.
 */

import { join } from 'node:path'
import { unstable_startWorker } from 'wrangler'
import { newKey } from '../../../src/engine/tenant/api-keys.ts'
import { migrateLocally, QUIET, startWorker } from '../../support/worker.ts'

const [home, model = '', folder = ''] = process.argv.slice(2)
/** As often as the platform does. */
const MINUTE_MS = 60_000

const shown = home === 'workflows' ? await workflows() : await strata()
console.log(JSON.stringify(shown))

async function strata() {
  const { key } = newKey((count) => crypto.getRandomValues(new Uint8Array(count)))
  const vars = {
    OPENAI_BASE_URL: model,
    OPENAI_API_KEY: 'none',
    STRATA_MODEL: 'openai/scripted',
    STRATA_MASTER_KEY: '0123456789abcdef'.repeat(4),
    STRATA_ADMIN_KEY: key,
    MAX_LIVE_CHILDREN: '64',
    ALLOW_LOOPBACK: 'true',
    LOG_LEVEL: 'error',
  }
  await migrateLocally(folder)
  const { url } = await startWorker(vars, folder, { clockMs: MINUTE_MS })
  return { url, key }
}

async function workflows() {
  Object.assign(process.env, QUIET)
  const worker = await unstable_startWorker({
    config: join(import.meta.dirname, 'workflows/wrangler.toml'),
    bindings: { MODEL_URL: { type: 'plain_text', value: model } },
    dev: {
      server: { port: 0, hostname: '127.0.0.1' },
      inspector: false,
      logLevel: 'error',
      persist: folder,
    },
  })
  await worker.ready
  return { url: (await worker.url).origin }
}
