/**
 * Finds the last message of a run or step in the session's transcript. No mapping is stored: a
 * run's state names the segments in its prompt, and the run's messages follow in the same or next
 * segment.
 */

import { LIMITS } from '../../core/limits.ts'
import type { Message } from '../../core/message.ts'
import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import { remembered } from '../../core/run/prompt/transcript.ts'
import { isTerminal, type RunState } from '../../core/run/state/state.ts'
import { isId } from '../../lib/id.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { readRun } from '../logs/run.ts'
import { runPartition } from '../partition/keys.ts'
import { getBlob } from '../tenant/blobs.ts'
import { archivedCount } from './archive.ts'
import { homeOf, type Position, segmentAt, segmentCount, segmentsOf } from './pages.ts'
import type { StoredSession } from './store.ts'

export interface TurnEnd {
  readonly run_id: string
  /** Step of the run, counted from 0; if absent, the position is the end of the run. */
  readonly step?: number | undefined
}

/** Session transcript, with the digests of the segments that a fork may copy. */
interface Transcript {
  readonly world: World
  readonly tenant: string
  readonly found: StoredSession
  readonly segments: readonly string[]
}

/** Returns the position of the last message that a fork keeps. */
export async function turnEnd(
  world: World,
  tenant: string,
  session: StoredSession,
  { run_id, step }: TurnEnd,
): Promise<Outcome<string, Refusal>> {
  const run = isId('run', run_id) ? await readRun(world, runPartition(tenant, run_id)) : undefined
  const rejection = whyNoTurn(session, run_id, run?.state)
  if (rejection) return fail(rejection)
  const state = run!.state
  if (step !== undefined && step >= state.steps.length) {
    return fail(wrong('/step', `the run has ${state.steps.length} steps, numbered from 0`))
  }
  const ownMessages = remembered(state)
  const last = lastKept(state, ownMessages, step)
  const segments = session.unstored ? [] : await copyable(world, tenant, session)
  const begins = session.unstored
    ? [{ segment: 0, place: 0 }]
    : await beginnings({ world, tenant, found: session, segments }, state, ownMessages)
  const [begin, other] = begins
  if (!begin && segmentCount(session) > LIMITS.fork_segments) {
    const most = LIMITS.fork_segments
    const detail = `The run is not in the session's first ${most} segments; a fork cannot copy more.`
    return fail(refusal('too_large', detail))
  }
  if (!begin) {
    const detail = `The messages from ${run_id} are not in the session yet; retry the request.`
    return fail(refusal('conflict', detail))
  }
  if (other) {
    const detail = `The session contains the messages from ${run_id} more than once; pass a \`position\`.`
    return fail(refusal('conflict', detail))
  }
  return ok(`${begin.segment}.${begin.place + last}`)
}

function whyNoTurn(
  { state: session }: StoredSession,
  run_id: string,
  run: RunState | undefined,
): Refusal | undefined {
  if (run?.spec?.session_id !== session.id) {
    const parent = run?.spec?.parent
    return wrong(
      '/run_id',
      parent
        ? "a subagent is not a turn of its parent's session; fork its own session, " +
            `${run.spec?.session_id}`
        : 'run not found in this session',
    )
  }
  if (!isTerminal(run)) {
    const detail = `The run ${run_id} has not ended; its messages are added to the session when it ends.`
    return refusal('conflict', detail)
  }
  if (run.spec.turn === null || run.started_at !== null) return undefined
  return wrong('/run_id', 'the run ended before it started, so it has no messages')
}

function wrong(pointer: string, message: string): Refusal {
  const detail = 'The session cannot be forked at this position.'
  return refusal('invalid_request', detail, { errors: [{ pointer, message }] })
}

/** Returns the index of the run's last message to keep; a step's tool results are kept too. */
function lastKept(
  state: RunState,
  ownMessages: readonly Message[],
  step: number | undefined,
): number {
  if (step === undefined) return ownMessages.length - 1
  // Model answers within the input precede the answers of the run's steps.
  const answers = ownMessages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []))
  const answer = answers.at(step - state.steps.length)!
  return ownMessages[answer + 1]?.role === 'tool' ? answer + 1 : answer
}

async function copyable(
  world: World,
  tenant: string,
  session: StoredSession,
): Promise<readonly string[]> {
  const to = Math.min(segmentCount(session), LIMITS.fork_segments)
  return segmentsOf(world, homeOf(tenant, session), session.state, { from: 0, to })
}

/**
 * Returns the possible start positions of the run's messages; only repeated content yields several.
 */
async function beginnings(
  transcript: Transcript,
  { history }: RunState,
  ownMessages: readonly Message[],
): Promise<readonly Position[]> {
  const fullMatch = await follows(transcript, 0, history)
  const isLong = (messages: readonly Message[]) => messages.length >= ownMessages.length
  if (fullMatch) return enoughPositions(transcript, fullMatch, isLong)
  // In a summarized prompt, the first segment is a summary. Only the newest summary records how
  // many segments it covers.
  const [summary, ...laterSegments] = history
  const { compacted } = transcript.found.state
  if (compacted && compacted.segment === summary) {
    const upto = archivedCount(transcript.found.state, 'segments') + compacted.upto
    const begin = await follows(transcript, upto, laterSegments)
    return begin ? enoughPositions(transcript, begin, isLong) : []
  }
  const begins: Position[] = []
  for (let offset = 1; offset < transcript.segments.length; offset += 1) {
    const begin = await follows(transcript, offset, laterSegments)
    if (begin)
      begins.push(
        ...(await enoughPositions(transcript, begin, (messages) => isStart(messages, ownMessages))),
      )
  }
  return begins
}

/**
 * Returns the position after these segments if they match the transcript at this offset; the last
 * segment may have grown since.
 */
async function follows(
  { world, tenant, found: session, segments }: Transcript,
  offset: number,
  digests: readonly string[],
): Promise<Position | undefined> {
  const end = offset + digests.length
  const last = digests.at(-1)
  if (digests.slice(0, -1).some((digest, index) => digest !== segments[offset + index])) return
  if (last === undefined || last === segments[end - 1]) return { segment: end, place: 0 }
  if (segments[end - 1] === undefined) return
  const previousText = await getBlob(world, homeOf(tenant, session), last)
  const now = await segmentAt(world, tenant, session, end - 1)
  if (previousText === undefined) return
  const messages = JSON.parse(previousText) as Message[]
  if (!isStart(now, messages)) return
  return { segment: end - 1, place: messages.length }
}

/** Returns the position if enough messages follow it in its segment; otherwise an empty list. */
async function enoughPositions(
  { world, tenant, found: session, segments }: Transcript,
  { segment, place }: Position,
  isEnough: (messages: readonly Message[]) => boolean,
): Promise<readonly Position[]> {
  if (segment >= segments.length) return []
  const messages = await segmentAt(world, tenant, session, segment)
  return isEnough(messages.slice(place)) ? [{ segment, place }] : []
}

const isStart = (all: readonly Message[], start: readonly Message[]): boolean =>
  JSON.stringify(all.slice(0, start.length)) === JSON.stringify(start)
