/**
 * The laws of tools that the caller brings: a call has the result that its program has brought for
 * this very call, or none in time (rule 22a's wait).
 */

import { LIMITS } from '../../../src/core/limits.ts'
import type { RunFact } from '../../../src/core/run/facts.ts'
import type { Shadow, ShadowCall } from '../shadow/shadow.ts'

/** As a program words a result. */
export const resultOf = ({ id }: Pick<ShadowCall, 'id'>, which: string): string =>
  `what the program says ${which} for ${id}`

/** How long results are waited for (ms). */
const waitOf = ({ spec }: Shadow): number =>
  (spec?.approvals?.expires_seconds ?? LIMITS.approval_seconds_default) * 1_000

/** Until when a run that waits for its caller may sleep. */
export const callerUntil = (shadow: Shadow): number => (shadow.personSince ?? 0) + waitOf(shadow)

export function I13_theCallerIsWaitedFor(
  shadow: Shadow,
  fact: RunFact,
  at: number,
): string | undefined {
  if (fact.type === 'tool.call') {
    const calls = shadow.calls.get(fact.call)?.mode === 'caller'
    return calls ? `${fact.call} is the caller's, and is performed here` : undefined
  }
  if (fact.type !== 'tool.result') return undefined
  const call = shadow.calls.get(fact.call)
  if (call?.mode !== 'caller') return undefined
  if (fact.status === 'ok') {
    const own = ['first', 'second', 'alone'].map((which) => resultOf(call, which))
    return own.includes(String(fact.text)) ? undefined : `${fact.call} has the result ${fact.text}`
  }
  const since = shadow.personSince
  if (since === undefined) return `${fact.call} fails and was not waited for`
  return at < callerUntil(shadow)
    ? `${fact.call} fails ${callerUntil(shadow) - at} ms early`
    : undefined
}
