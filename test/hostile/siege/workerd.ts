/**
 * The siege of the Worker as it is deployed, in workerd on this machine: each attack alone and then
 * all at once. The platform bounds memory and time there; what is asked is that `/healthz` answers,
 * that plain runs complete, and that no hostile run stays.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { newKey } from '../../../src/engine/tenant/api-keys.ts'
import { clientOf, type Open, temporaryFolder } from '../../support/launch.ts'
import { migrateLocally, startWorker } from '../../support/worker.ts'
import type { Attack } from './attack.ts'
import type { Told } from './attackers.ts'
import { startBand } from './band.ts'
import { startGood } from './good.ts'

const ALONE_MS = 1_000
const TOGETHER_MS = 20_000
/** workerd, D1 and the queues share this machine with the attackers; a cloud does not. */
const HEALTH_MS = 5_000
const RUN_MS = 30_000

export async function siegeWorker(attacks: readonly Attack[], seed: number): Promise<boolean> {
  const open: Open = []
  const good = await startGood()
  open.push(good.close)
  try {
    const band = await startBand(open)
    const folder = await temporaryFolder(open)
    await migrateLocally(folder)
    const { key } = newKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
    const vars = {
      ALLOW_LOOPBACK: 'true',
      OPENAI_BASE_URL: band.modelUrl,
      OPENAI_API_KEY: 'none',
      ANTHROPIC_API_KEY: 'none',
      ANTHROPIC_BASE_URL: good.modelUrl,
      STRATA_MODEL: 'openai/hostile',
      STRATA_MASTER_KEY: '0123456789abcdef'.repeat(4),
      STRATA_ADMIN_KEY: key,
    }
    const worker = await startWorker(vars, folder)
    open.push(worker.stop)
    const client = clientOf(worker.url, key)
    good.at(client)
    band.besiege(worker.url, { any: key }, false)
    const broken = new Map<string, string>()
    const note = (attack: Attack, { broken: sentences, counts }: Told): void => {
      const [first] = sentences
      if (first !== undefined) broken.set(attack.name, first)
      const did = Object.entries(counts).map(([what, count]) => `${count} × ${what}`)
      console.log(
        `${first === undefined ? 'held  ' : 'BROKEN'} ${attack.name.padEnd(44)} ${did.join(', ')} ${first ?? ''}`,
      )
    }
    const ask = async (what: string): Promise<string | undefined> => {
      const began = performance.now()
      const signal = AbortSignal.timeout(HEALTH_MS)
      const status = await client.ask('/healthz', { signal }).then(
        (response) => response.text().then(() => response.status),
        () => 0,
      )
      const took = Math.round(performance.now() - began)
      return status === 200
        ? undefined
        : `${what}: /healthz was answered by ${status} after ${took} ms`
    }
    await good.once()
    for (const attack of attacks) {
      const under = band.attack(attack.name, ALONE_MS, true)
      await sleep(ALONE_MS / 2)
      const wrong = await ask('alone')
      note(attack, await under)
      if (wrong !== undefined) broken.set(attack.name, wrong)
    }
    const all = attacks.map((attack) => band.attack(attack.name, TOGETHER_MS))
    await sleep(TOGETHER_MS / 2)
    const during = await ask('at once')
    const took = await good.once()
    await Promise.all(all)
    const after = await good.once()
    const lost = [...good.trouble, ...(await good.reconcile())]
    const wrong = [...(during === undefined ? [] : [during]), ...lost]
    if (took > RUN_MS || after > RUN_MS)
      wrong.push(`a plain run took ${Math.round(Math.max(took, after))} ms`)
    console.log(
      `a plain run took ${Math.round(took)} ms while all went on, ${Math.round(after)} ms afterwards`,
    )
    for (const line of wrong) console.log(`BROKEN ${line}`)
    console.log(`seed ${seed}`)
    console.log(
      `${attacks.length} attacks, ${attacks.length - broken.size} held, ${broken.size} broken`,
    )
    return broken.size === 0 && wrong.length === 0
  } finally {
    for (const close of open.reverse()) await close()
  }
}
