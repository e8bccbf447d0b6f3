/** Whether anything went wrong, or somebody had to wait, since a moment: then nothing can be promised. */

import type { Sim } from './sim.ts'

export interface Since {
  readonly at: number
  /** Faults so far; when another one strikes, nothing can be said any more. */
  readonly faults: number
}

export const sinceNow = ({ schedule, faults }: Sim): Since => ({
  at: schedule.now,
  faults: faults.total,
})

export function isDisturbed(sim: Sim, { at, faults }: Since): boolean {
  const { processes, broker, law, quietSince } = sim
  if (sim.faults.total !== faults) return true
  // Who died before may not be back yet.
  if (!processes.some(({ alive, slot }) => alive && slot > 0)) return true
  const trouble = Math.max(...processes.map((one) => Math.max(one.troubledAt, one.pausedUntil)))
  const busy = broker.crowdedAt >= at || broker.down || law.suspects.some(at)
  return busy || trouble > at - 1_000 || quietSince >= at
}
