/**
 * Call during which the MCP server asks a person. The call pauses until the person answers or the
 * time expires. A confirmation is asked as an approval, anything else as a question (PROTOCOL.md
 * rule 22b). The same call then continues with the answers.
 */

import { quoteText } from '../../../lib/invisible-characters.ts'
import { LIMITS } from '../../limits.ts'
import type { Question, ToolPaused } from '../log/question-facts.ts'
import { change, type Draft } from '../state/draft.ts'
import type { AskedApproval, AskedQuestion, Call, Pause, RunState } from '../state/state.ts'

/** Returns the last question that a server asked during a call, or undefined if it asked none. */
export const pauseOf = ({ pauses }: Call): Pause | undefined => pauses?.at(-1)

/** Returns the source of a call's request to a person: a rule, or a server. */
export function askOf(call: Call): string | undefined {
  const pause = pauseOf(call)
  if (!pause) return call.ask
  return pause.on === 'approval' ? wishOf(pause) : undefined
}

/** Returns the current approval of a call. */
export const askedOf = (call: Call): AskedApproval | null => {
  const pause = pauseOf(call)
  return pause ? pause.asked : call.asked
}

/** Returns the current question of a call. */
export const questionOf = (call: Call): AskedQuestion | null => {
  const pause = pauseOf(call)
  return pause ? pause.question : call.question
}

/** Returns all approvals of a call: the call's own approval, and those of its pauses. */
export const approvalsOf = (call: Call): { asked: AskedApproval; reason: string }[] => [
  ...(call.asked ? [{ asked: call.asked, reason: call.ask ?? '' }] : []),
  ...(call.pauses ?? []).flatMap((pause) =>
    pause.asked ? [{ asked: pause.asked, reason: wishOf(pause) }] : [],
  ),
]

/** Returns a call's questions to the user, asked by the model or by the call's server. */
export function questionsOf(call: Call): readonly Question[] {
  const pause = pauseOf(call)
  if (!pause) return call.questions ?? []
  return pause.requests.flatMap(({ message, form }) =>
    form ? [{ question: `The MCP server ${pause.server} asks: ${message}`, schema: form }] : [],
  )
}

/**
 * Whether a call may pause: the maximum number of pauses is not reached, and a person is available.
 */
export const mayPause = (state: RunState, { pauses = [] }: Call): boolean =>
  pauses.length < LIMITS.pauses_per_call && state.spec?.approvals?.unattended !== true

/**
 * Whether a pause is over because a person answered or the time-out passed, so that the call can
 * resume.
 */
export const isSettled = ({ asked: approval, question }: Pause): boolean =>
  (approval?.decision ?? null) !== null || (question?.outcome ?? null) !== null

export function pausedBy(draft: Draft, fact: ToolPaused): void {
  const { server, on, requests, state } = fact
  const pause = { server, on, requests, ...(state === undefined ? {} : { state }) }
  change(draft, fact.call, ({ pauses = [], ...call }) => ({
    ...call,
    intent: null,
    pauses: [...pauses, { ...pause, asked: null, question: null }],
  }))
}

/** Returns the call after changing its current approval. */
export function withAsked(
  call: Call,
  by: (approval: AskedApproval | null) => AskedApproval | null,
): Call {
  const pause = pauseOf(call)
  if (!pause) return { ...call, asked: by(call.asked) }
  return { ...call, pauses: [...call.pauses!.slice(0, -1), { ...pause, asked: by(pause.asked) }] }
}

export function withQuestion(
  call: Call,
  by: (question: AskedQuestion | null) => AskedQuestion | null,
): Call {
  const pause = pauseOf(call)
  if (!pause) return { ...call, question: by(call.question) }
  const updated = { ...pause, question: by(pause.question) }
  return { ...call, pauses: [...call.pauses!.slice(0, -1), updated] }
}

function wishOf({ server, requests }: Pause): string {
  const wishes = requests.map(({ message, url }) =>
    url === undefined ? quoteText(message) : `${quoteText(message)} (to open ${quoteText(url)})`,
  )
  return `the MCP server ${server} asks: ${wishes.join('; ')}`
}
