/** The Node host passes the same end-to-end suite as the clouds. */

import { hostContract } from '../contract/host.ts'
import { launchServer } from '../support/launch.ts'

hostContract('Node', async (env, open) => {
  let server = await launchServer({ env, open })
  return {
    client: server,
    restart: async () => {
      await server.process.stop('SIGKILL')
      server = await launchServer({ env, open, before: server })
      return server
    },
  }
})
