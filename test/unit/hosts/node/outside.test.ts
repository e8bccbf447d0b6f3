/** The ports to the world outside as Node reaches it: web and model. */

import { pinnedFetch } from '../../../../src/hosts/node/outbound.ts'
import { createWeb } from '../../../../src/hosts/outbound/fetch.ts'
import { modelContract } from '../../../contract/model.ts'
import { webContract } from '../../../contract/web.ts'
import { scripted } from '../../../support/model-port.ts'

const policy = { allowLoopback: true }
webContract('Node', () => createWeb(policy, pinnedFetch(policy)))
modelContract('Node', () => scripted())
