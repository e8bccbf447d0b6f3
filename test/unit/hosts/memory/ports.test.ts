/** The ports in memory: clock, feed and secrets, and those to an outside that is not there. */

import { describe } from 'vitest'
import { memoryClock } from '../../../../src/hosts/memory/clock.ts'
import { memoryFeed } from '../../../../src/hosts/memory/feed.ts'
import { memorySecrets } from '../../../../src/hosts/memory/secrets.ts'
import { memoryWorld } from '../../../../src/hosts/memory/world.ts'
import { clockContract } from '../../../contract/clock.ts'
import { feedContract } from '../../../contract/feed.ts'
import { noModelContract } from '../../../contract/model.ts'
import { secretsContract } from '../../../contract/secrets.ts'
import { noServerPromises } from '../../../contract/tools.ts'
import { policyPromises } from '../../../contract/web.ts'

clockContract('memory', () => {
  const clock = memoryClock()
  return {
    clock,
    async pass(ms) {
      clock.advance(ms)
      // Who slept goes on.
      await new Promise(setImmediate)
    },
    shift: (ms) => clock.set(clock.now() + ms),
  }
})

feedContract('memory', memoryFeed)

secretsContract('memory', (held) => {
  const make = (deployment?: string) => memorySecrets({ default: held }, deployment)
  return { secrets: make(), again: make(), foreign: make('another') }
})

noModelContract('memory', () => memoryWorld().model)
describe('web: memory', () => policyPromises(() => memoryWorld().web))
describe('tools: memory', () => noServerPromises(() => memoryWorld().tools))
