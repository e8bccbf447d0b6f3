/** The Worker as it is deployed, end to end: bundled by wrangler, in workerd, from outside. */

import { newKey } from '../../../src/engine/tenant/api-keys.ts'
import { hostContract, type StartHost } from '../../contract/host.ts'
import { clientOf, temporaryFolder } from '../../support/launch.ts'
import { migrateLocally, startWorker } from '../../support/worker.ts'

const start: StartHost = async (env, open) => {
  const folder = await temporaryFolder(open)
  await migrateLocally(folder)
  const { key } = newKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  const vars = {
    ...env,
    OPENAI_API_KEY: 'none',
    STRATA_MASTER_KEY: '0123456789abcdef'.repeat(4),
    STRATA_ADMIN_KEY: key,
  }
  let worker = await startWorker(vars, folder)
  open.push(() => worker.stop())
  return {
    client: clientOf(worker.url, key),
    restart: async () => {
      await worker.stop()
      worker = await startWorker(vars, folder)
      return clientOf(worker.url, key)
    },
  }
}

hostContract('Cloudflare Workers', start)
