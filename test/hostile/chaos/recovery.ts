/** How long whatever was under way stood still after a death, by the times in its log. */

import type { Event } from '../../../src/core/run/views/event.ts'
import type { Death } from './host.ts'

/** Who waits so waits for others, or for a person, and not for the host. */
const PARKED = /^(run\.(created|waiting)|approval\.requested|run\.completed)$/

interface Standstill {
  /** From the first death on. */
  readonly ms: number
  /** How many deaths it went through: from the second on, rule 34 makes pauses of minutes. */
  readonly deaths: number
}

/** Of each run that was at work when the host died, until its next fact. */
export const standstills = (
  logs: ReadonlyMap<string, readonly Event[]>,
  deaths: readonly Death[],
): readonly Standstill[] =>
  [...logs.values()].flatMap((log) =>
    log.slice(1).flatMap((next, index) => {
      const before = log[index]!
      const [from, to] = [Date.parse(before.created_at), Date.parse(next.created_at)]
      const within = deaths.filter(({ at }) => at >= from && at < to)
      const [first] = within
      if (!first || PARKED.test(before.type)) return []
      return [{ ms: to - first.at, deaths: within.length }]
    }),
  )

const of = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

export function recoveryFigures(
  logs: ReadonlyMap<string, readonly Event[]>,
  deaths: readonly Death[],
): Record<string, number> {
  const sorted = (numbers: readonly number[]) => numbers.toSorted((one, two) => one - two)
  const answers = sorted(deaths.map((one) => one.answersAt - one.at))
  const all = standstills(logs, deaths)
  const once = sorted(all.filter((one) => one.deaths === 1).map(({ ms }) => ms))
  const often = sorted(all.filter((one) => one.deaths > 1).map(({ ms }) => ms))
  return {
    'ms from a kill to the first answer, median': of(answers, 0.5),
    'ms from a kill to the first answer, longest': of(answers, 1),
    'runs at work stopped by one kill': once.length,
    'ms until they went on, median': of(once, 0.5),
    'ms until they went on, longest': of(once, 1),
    'runs at work stopped by several': often.length,
    'ms until these went on, median': of(often, 0.5),
    'ms until these went on, longest': of(often, 1),
  }
}
