/**
 * Whoever comes with an old key (rule 27): for a day it means what it meant then, and afterwards it
 * is like a new one. This store never deletes a row because its time is over.
 */

import type { Line } from '../world/line.ts'
import type { Sim } from '../world/sim.ts'

const DAY_MS = 86_400_000
/** More than clocks differ. */
const MARGIN_MS = 600_000

export interface OldKey {
  readonly tenant: string
  readonly key: string
  /** Of the plan that was sent with it. */
  readonly plan: string
  readonly id: string
  /** When it was sent first, and when its answer was there. */
  readonly asked: number
  readonly answered: number
}

export async function askADayLater(sim: Sim, line: Line, old: OldKey): Promise<void> {
  const { schedule, law } = sim
  const { tenant, key, plan, id } = old
  const body = { input: JSON.stringify({ id: `${plan}_later`, steps: [], length: 20 }) }
  const headers = { 'idempotency-key': key }
  const ask = () => line.insist(4, tenant, 'POST', '/v1/runs', body, headers)
  await line.sleep(old.asked + DAY_MS - MARGIN_MS - schedule.now)
  const before = await ask()
  if (before && before.status !== 422) {
    law.breach('I11_keysAreKeptForADay', `${key} of ${id}: ${before.status}`)
  }
  await line.sleep(old.answered + DAY_MS + MARGIN_MS - schedule.now)
  const after = await ask()
  if (!after) return
  sim.rare('a key has expired')
  if (after.status !== 202) {
    return law.breach('I11_oldKeysAreFree', `${key} of ${id}: ${after.status} after a day`)
  }
  const made = (await after.response.json()) as { id: string }
  law.acknowledged.add(`${tenant}/run/${made.id}`)
  const again = await ask()
  if (!again) return
  const same = (await again.response.json()) as { id?: string }
  if (same.id !== made.id) law.breach('I11_oneKeyOneRun', `${made.id} and ${same.id}, a day later`)
}
