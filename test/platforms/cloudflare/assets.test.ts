/** The Worker without the files of dist/assets: a deployment of which the build was forgotten. */

import { expect, it } from 'vitest'
import { newKey } from '../../../src/engine/tenant/api-keys.ts'
import { cleanup } from '../../support/cleanup.ts'
import { clientOf, temporaryFolder } from '../../support/launch.ts'
import { migrateLocally, SCRIPTED, startWorker } from '../../support/worker.ts'

it('a Worker without assets answers the API and reports what its docs lack', async () => {
  const folder = await temporaryFolder(cleanup)
  await migrateLocally(folder)
  const { key } = newKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  const vars = { ...SCRIPTED, STRATA_ADMIN_KEY: key }
  const worker = await startWorker(vars, folder, { assets: await temporaryFolder(cleanup) })
  cleanup.push(() => worker.stop())
  const { ask } = clientOf(worker.url, key)
  expect((await ask('/healthz')).status).toBe(200)
  expect((await ask('/v1/runs')).status).toBe(200)
  for (const [path, name] of [
    ['/openapi.json', 'openapi.json'],
    ['/docs', 'docs.html'],
    ['/docs/rapidoc-min.js', 'rapidoc-min.js'],
  ] as const) {
    const answer = await ask(path)
    expect([path, answer.status]).toEqual([path, 503])
    expect(await answer.json()).toMatchObject({
      code: 'unavailable',
      detail: expect.stringContaining(
        `${name} is missing from this deployment. Run \`npm run build\``,
      ),
    })
  }
})
