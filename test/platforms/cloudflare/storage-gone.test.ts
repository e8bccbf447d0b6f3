/** A bucket of R2 that is another one at the next deployment is not an empty one. */

import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newKey } from '../../../src/engine/tenant/api-keys.ts'
import { cleanup } from '../../support/cleanup.ts'
import { clientOf, temporaryFolder } from '../../support/launch.ts'
import { startModelServer } from '../../support/model-server.ts'
import { migrateLocally, SCRIPTED, startWorker } from '../../support/worker.ts'
import { fillBucket, untilBack, untilGone } from '../storage-gone.ts'

it('storage returns 503 while the binding leads to an empty bucket', async () => {
  const model = await startModelServer()
  cleanup.push(() => model.close())
  const data = await temporaryFolder(cleanup)
  await migrateLocally(data)
  const { key } = newKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  const vars = { ...SCRIPTED, OPENAI_BASE_URL: model.url, STRATA_ADMIN_KEY: key }
  const deployed = async (check: (client: ReturnType<typeof clientOf>) => Promise<void>) => {
    const worker = await startWorker(vars, data)
    try {
      await check(clientOf(worker.url, key))
    } finally {
      await worker.stop()
    }
  }
  // Where wrangler keeps the objects of every bucket.
  const objects = join(data, 'v3/r2')
  await deployed(fillBucket)
  expect(existsSync(objects)).toBe(true)
  await rename(objects, `${objects}-away`)
  await deployed(untilGone)
  await rm(objects, { recursive: true, force: true })
  await rename(`${objects}-away`, objects)
  await deployed(untilBack)
})
