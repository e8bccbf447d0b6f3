/** The ports to the world outside as the real hosts compose them: web and model. */

import { atMost, OUTBOUND } from '../../../../src/hosts/cloudflare/object/connections.ts'
import { modelConfigFromEnv } from '../../../../src/hosts/models/config.ts'
import { createModel } from '../../../../src/hosts/models/model.ts'
import { createWeb } from '../../../../src/hosts/outbound/fetch.ts'
import { modelContract, noModelContract } from '../../../contract/model.ts'
import { webContract } from '../../../contract/web.ts'
import { scripted } from '../../../support/model-port.ts'

// As the Worker does it, with the `fetch` of this platform.
const connect = atMost(OUTBOUND, (url, init) => fetch(url, init))

webContract("the platform's fetch", () => createWeb({ allowLoopback: true }, connect))

modelContract("the platform's fetch", () =>
  scripted((url, init) => connect(url instanceof Request ? url.url : url, init)),
)
noModelContract('a deployment without keys', () => createModel(modelConfigFromEnv({})))
