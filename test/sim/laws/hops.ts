/**
 * Wakes that go round (rule 35): one that is sent on at once without a new fact says so, and after
 * so many rounds nobody does anything for it; the tick takes over (I18).
 */

import type { Wake } from '../../../src/ports/world.ts'
import type { Sim } from '../world/sim.ts'

/** PROTOCOL.md rule 35. */
const MAX_STALE_WAKES = 50
export const WORN = MAX_STALE_WAKES + 1

/** A wake that is handled, and how long the log was when it was taken. */
export interface Round {
  readonly wake: Wake
  readonly seq: number
}

export const seqOf = ({ law }: Sim, partition: string): number =>
  (law.runs.get(partition) ?? law.fanouts.byPartition.get(partition))?.facts.length ?? 0

/** Who handles `round` sends these; later ones are no circle. */
export function I18_roundsAreCounted(
  sim: Sim,
  round: Round | undefined,
  wakes: readonly Wake[],
): void {
  if (!round) return
  const { partition } = round.wake
  const next = wakes.find((wake) => wake.partition === partition)
  if (!next || !/\/(?:run|fanout)\//.test(partition)) return
  if (next.staleCount > round.wake.staleCount || seqOf(sim, partition) > round.seq) return
  const message = `${partition} is sent on after ${round.wake.staleCount} rounds as ${next.staleCount}`
  sim.law.breach('I18_roundsAreCounted', message)
}

/** A store is asked for what `round` names. */
export function I18_wornWakesRest(sim: Sim, round: Round | undefined, partition: string): void {
  if (!round || round.wake.staleCount <= MAX_STALE_WAKES) return
  sim.law.breach(
    'I18_wornWakesRest',
    `${partition} is read for a wake of ${round.wake.staleCount} hops`,
  )
}
