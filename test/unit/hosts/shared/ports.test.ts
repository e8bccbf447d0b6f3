/** The small ports that every real host shares: clock, feed and secrets. */

import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished, vi } from 'vitest'
import { tenantSecrets } from '../../../../src/engine/tenant/secrets.ts'
import { memorySecrets } from '../../../../src/hosts/memory/secrets.ts'
import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import { masterKey } from '../../../../src/hosts/node/secrets.ts'
import { systemClock } from '../../../../src/hosts/shared/clock.ts'
import { processFeed } from '../../../../src/hosts/shared/feed.ts'
import { liveFeed } from '../../../../src/hosts/shared/live.ts'
import { environmentSecrets } from '../../../../src/hosts/shared/secrets.ts'
import type { Secrets } from '../../../../src/ports/world.ts'
import { clockContract } from '../../../contract/clock.ts'
import { feedContract } from '../../../contract/feed.ts'
import { type Held, secretsContract } from '../../../contract/secrets.ts'

clockContract('the system', () => {
  let off = 0
  const real = Date.now
  // The machine's own clock is not ours to set.
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => real() + off)
  onTestFinished(() => spy.mockRestore())
  return {
    clock: systemClock,
    pass: async (ms) => void (await sleep(ms)),
    shift(ms) {
      off += ms
    },
  }
})

feedContract('one process', () => processFeed(() => {}))
feedContract('several processes', () =>
  liveFeed({
    store: memoryStore(),
    clock: systemClock,
    local: processFeed(() => {}),
    onError: () => {},
  }),
)

secretsContract('the environment', async (held) => {
  const folder = await mkdtemp(join(tmpdir(), 'strata-secrets-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const of = async (env: Held, file: string) =>
    environmentSecrets({ env, tenant: 'default', key: await masterKey(join(folder, file)) })
  held.STRATA_SECRETS = 'TOKEN@api.example.com,TOKEN@*.Example.org OTHER'
  return {
    secrets: await of(held, 'ours.key'),
    again: await of(held, 'ours.key'),
    foreign: await of(held, 'theirs.key'),
    bound: { TOKEN: ['api.example.com', '*.example.org'] },
  }
})

secretsContract('secrets of tenants before those of the deployment', async (held) => {
  const of = (deployment: string): Secrets =>
    tenantSecrets(memorySecrets({ default: held }, deployment), {
      store: memoryStore(),
      clock: systemClock,
    })
  return { secrets: of('ours'), again: of('ours'), foreign: of('theirs') }
})
