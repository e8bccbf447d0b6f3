/**
 * The laws of asking a person (I13, rules 22 and 29): asked once, decided once, performed only under
 * a yes about the very arguments, the clock stands still meanwhile, and the end leaves no question.
 */

import type { RunFact } from '../../../src/core/run/log/facts.ts'
import { approvalsList } from '../../../src/engine/partition/keys.ts'
import type { Shadow, ShadowCall } from '../shadow/shadow.ts'
import type { Sim } from '../world/sim.ts'

/** A call as it was shown to people, and what became of the question. */
export interface ShadowAsked {
  readonly id: string
  readonly arguments: string
  readonly expires: number
  decision: string | undefined
  /** Approved with these instead. */
  instead: string | undefined
}

export function I13_askedOnce(shadow: Shadow, fact: RunFact): string | undefined {
  if (fact.type !== 'approval.requested') return undefined
  const call = shadow.calls.get(fact.call)
  if (!call?.guarded) return `a person is asked about ${fact.call}, which needs none`
  if (call.asked) return `a person is asked twice about ${fact.call}`
  return call.result ? `a person is asked about ${fact.call}, which is over` : undefined
}

export function I13_decidedOnce(shadow: Shadow, fact: RunFact, at: number): string | undefined {
  if (fact.type !== 'approval.decided') return undefined
  const asked = shadow.calls.get(fact.call)?.asked
  if (asked?.id !== fact.id) return `a decision about ${fact.call}, which nobody was asked about`
  if (asked.decision) return `${fact.call} was ${asked.decision} and is decided again`
  if (shadow.cancelledAt !== undefined) return `${fact.call} is decided after the cancel`
  if (fact.by === null && at < asked.expires) return `${fact.call} has expired before its time`
  return undefined
}

export function I13_performedOnlyAfterAYes(shadow: Shadow, fact: RunFact): string | undefined {
  const performs =
    fact.type === 'tool.call' || (fact.type === 'tool.result' && fact.status === 'ok')
  if (!performs) return undefined
  const call = shadow.calls.get(fact.call)
  if (!call?.guarded || call.asked?.decision === 'approve') return undefined
  return `${fact.type} of ${fact.call}, which is ${call.asked?.decision ?? 'not decided'}`
}

/** Rule 22: a run's clock counts its own running time. */
export function I18_theClockStandsStill(
  shadow: Shadow,
  fact: RunFact,
  at: number,
): string | undefined {
  if (fact.type !== 'run.timed_out') return undefined
  const ran = at - (shadow.startedAt ?? at) - shadow.stillMs
  if (clockStands(shadow)) return 'it timed out while its clock stood still'
  return ran < shadow.timeout * 1_000 ? `it timed out after ${ran} ms of running` : undefined
}

/** Takes in what a fact says about persons. */
export function foldPersons(shadow: Shadow, fact: RunFact, at: number): void {
  switch (fact.type) {
    case 'approval.requested': {
      const { id, expires_at: expires } = fact
      const text = typeof fact.arguments === 'string' ? fact.arguments : fact.arguments.preview
      const asked = { id, arguments: text, expires, decision: undefined, instead: undefined }
      shadow.calls.get(fact.call)!.asked = asked
      return
    }
    case 'approval.decided': {
      const asked = shadow.calls.get(fact.call)!.asked!
      asked.decision = fact.decision
      if (typeof fact.arguments === 'string') asked.instead = fact.arguments
      return
    }
    case 'subagent.waiting':
      shadow.childPersons.set(fact.call, fact.until)
      return
    case 'subagent.resumed':
      shadow.childPersons.delete(fact.call)
      return
    case 'run.waiting':
      if (STILL.has(fact.on) || fact.stopped) shadow.stillSince = at
      return
    default:
      if (fact.type !== 'run.resumed' || shadow.stillSince === undefined) return
      shadow.stillMs += at - shadow.stillSince
      shadow.stillSince = undefined
  }
}

/** It waits for people, or for subagents that wait for people or a model. */
export const waitsStill = ({ stillSince }: Shadow): boolean => stillSince !== undefined

/** What the running time stands still for. */
const STILL: ReadonlySet<string> = new Set(['approval', 'input', 'function'])

const clockStands = (shadow: Shadow): boolean =>
  waitsStill(shadow) || (shadow.patience > 0 && shadow.outageSince !== undefined)

const CHILD_GRACE_MS = 60_000
const DAY_SECONDS = 86_400

/** Until when a run that waits for persons may sleep; 0 when no time is known. */
export function personUntil(shadow: Shadow): number {
  const { expires_seconds = DAY_SECONDS } = shadow.spec?.approvals ?? {}
  const own = [...shadow.calls.values()].flatMap(({ mode, asked, question, result }) => {
    if (result) return []
    if (mode === 'caller') return [(shadow.stillSince ?? 0) + expires_seconds * 1_000]
    if (question && !question.outcome) return [question.expires]
    return asked && !asked.decision ? [asked.expires] : []
  })
  const below = [...shadow.childPersons.values()].map((until) => (until ?? 0) + CHILD_GRACE_MS)
  return Math.max(0, ...own, ...below)
}

/** What leaves for a guarded tool is what somebody said yes to. */
export function I13_guardedOnlyIfApproved(
  sim: Sim,
  call: ShadowCall | undefined,
  given: Record<string, unknown>,
): void {
  const asked = call?.asked
  const text = asked?.instead ?? asked?.arguments
  const same = text !== undefined && JSON.stringify(JSON.parse(text)) === JSON.stringify(given)
  if (asked?.decision === 'approve' && same) return
  const message = `${JSON.stringify(given)} was ${asked?.decision ?? 'never decided'}: ${text}`
  sim.law.breach('I13_guardedOnlyIfApproved', message)
}

/** The end of a run closes what is open in the inbox, in the same commit. */
export function I13_theInboxIsEmpty(sim: Sim, tenants: readonly string[]): void {
  for (const tenant of tenants) {
    const [open] = sim.store.list(approvalsList(tenant, 'pending'))
    if (open) sim.law.breach('I13_theInboxIsEmpty', `${open.partition} ${open.key} is still shown`)
  }
}
