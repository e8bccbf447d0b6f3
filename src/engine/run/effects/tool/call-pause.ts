/**
 * Tool call during which an MCP server asks a person: the fact that pauses the call, and the
 * answers with which it resumes (PROTOCOL.md rule 22b).
 */

import { pauseOf } from '../../../../core/run/human-input/pause.ts'
import { pausesOn, repliesTo } from '../../../../core/run/human-input/reply.ts'
import type { RunFact } from '../../../../core/run/log/facts.ts'
import type { Call } from '../../../../core/run/state/state.ts'
import { quoteText } from '../../../../lib/invisible-characters.ts'
import type { ToolAsks, ToolCall } from '../../../../ports/world.ts'
import { homeOfRun } from '../../../partition/home.ts'
import { load, spill } from '../../../tenant/blobs.ts'
import type { Context } from '../context.ts'

export async function paused(
  { world, tenant, state: run }: Context,
  server: string,
  { id, tool, pauses = [] }: Call,
  { requests, state, duration_ms }: ToolAsks & { readonly duration_ms: number },
): Promise<RunFact> {
  const stateField =
    state === undefined ? {} : { state: await spill(world, homeOfRun(tenant, run.spec), state) }
  const round = pauses.length + 1
  const on = pausesOn(requests)
  return {
    type: 'tool.paused',
    call: id,
    tool,
    server,
    round,
    on,
    requests,
    ...stateField,
    duration_ms,
  }
}

/** Returns the answers to the server's last questions; undefined if it asked none. */
export async function answersOf(
  { world, tenant, state: run }: Context,
  call: Call,
): Promise<ToolCall['answers']> {
  const pause = pauseOf(call)
  if (!pause) return undefined
  const home = homeOfRun(tenant, run.spec)
  const { question } = pause
  const answer = question?.outcome === 'answered' ? question.answer : null
  const [text, state] = await Promise.all(
    [answer?.text, pause.state].map((body) => body && load(world, home, body)),
  )
  return { replies: repliesTo(pause, text), state }
}

/** Returns a line about the reply for the model, which did not receive the server's question. */
export function describeReply(call: Call): string {
  const pause = pauseOf(call)
  if (!pause) return ''
  const questions = pause.requests.map(({ message }) => quoteText(message)).join('; ')
  return `[The server asked the user: ${questions}. ${settledBy(pause)}]\n`
}

function settledBy({ asked: approval, question }: NonNullable<ReturnType<typeof pauseOf>>): string {
  const decision = approval?.decision?.decision
  if (decision === 'approve') return 'The user answered yes.'
  if (decision === 'deny') return 'The user answered no.'
  if (question?.outcome === 'answered') return 'The user has answered.'
  return 'The user did not answer in time.'
}
