/** The list of security cases on the Worker, in workerd, from outside. */

import { newKey } from '../../../src/engine/tenant/api-keys.ts'
import { securityContract, WORKERS } from '../../contract/security/index.ts'
import { clientOf, temporaryFolder } from '../../support/launch.ts'
import { migrateLocally, SCRIPTED, startWorker } from '../../support/worker.ts'

securityContract(WORKERS, async (env, open) => {
  const folder = await temporaryFolder(open)
  await migrateLocally(folder)
  const { key } = newKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  const worker = await startWorker({ ...SCRIPTED, ...env, STRATA_ADMIN_KEY: key }, folder)
  open.push(() => worker.stop())
  return { client: clientOf(worker.url, key) }
})
