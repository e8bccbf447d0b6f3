/**
 * Finds the last message of a run, or of one of its steps, in the transcript of the session. No
 * mapping is stored: a run's state names the segments that it was shown, and its own messages
 * follow the last one of these, in the same segment or in the next.
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
  /** Counted from 0; absent: the end of the run. */
  readonly step?: number | undefined
}

/** A session of a tenant, with the digests of the segments that a fork may copy. */
interface Transcript {
  readonly world: World
  readonly tenant: string
  readonly found: StoredSession
  readonly segments: readonly string[]
}

/** Returns the position of the last message to keep. */
export async function turnEnd(
  world: World,
  tenant: string,
  found: StoredSession,
  { run_id, step }: TurnEnd,
): Promise<Outcome<string, Refusal>> {
  const run = isId('run', run_id) ? await readRun(world, runPartition(tenant, run_id)) : undefined
  const refused = whyNoTurn(found, run_id, run?.state)
  if (refused) return fail(refused)
  const state = run!.state
  if (step !== undefined && step >= state.steps.length) {
    return fail(wrong('/step', `the run has ${state.steps.length} steps, counted from 0`))
  }
  const own = remembered(state)
  const last = lastKept(state, own, step)
  const segments = found.unstored ? [] : await copyable(world, tenant, found)
  const begins = found.unstored
    ? [{ segment: 0, place: 0 }]
    : await beginnings({ world, tenant, found, segments }, state, own)
  const [begin, other] = begins
  if (!begin && segmentCount(found) > LIMITS.fork_segments) {
    const most = LIMITS.fork_segments
    const detail = `The run is not in the session's first ${most} segments, the most that a fork copies.`
    return fail(refusal('too_large', detail))
  }
  if (!begin) {
    const detail = `The messages of ${run_id} are not in the session yet; retry the request.`
    return fail(refusal('conflict', detail))
  }
  if (other) {
    const detail = `The session has the messages of ${run_id} more than once; pass a \`position\`.`
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
        : 'the session has no such run',
    )
  }
  if (!isTerminal(run)) {
    const detail = `The run ${run_id} has not ended; its messages are added to the session when it ends.`
    return refusal('conflict', detail)
  }
  if (run.spec.turn === null || run.started_at !== null) return undefined
  return wrong('/run_id', 'the run ended before it began, so it has no messages')
}

function wrong(pointer: string, message: string): Refusal {
  const detail = 'The session cannot be forked there.'
  return refusal('invalid_request', detail, { errors: [{ pointer, message }] })
}

/** The index of the last message: a step's answer comes with the results of its calls. */
function lastKept(state: RunState, own: readonly Message[], step: number | undefined): number {
  if (step === undefined) return own.length - 1
  // Answers in the input come before those of the steps.
  const answers = own.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []))
  const answer = answers.at(step - state.steps.length)!
  return own[answer + 1]?.role === 'tool' ? answer + 1 : answer
}

async function copyable(
  world: World,
  tenant: string,
  found: StoredSession,
): Promise<readonly string[]> {
  const to = Math.min(segmentCount(found), LIMITS.fork_segments)
  return segmentsOf(world, homeOf(tenant, found), found.state, { from: 0, to })
}

/**
 * Positions at which the run's messages may begin; more than one only when the same was said twice.
 */
async function beginnings(
  transcript: Transcript,
  { history }: RunState,
  own: readonly Message[],
): Promise<readonly Position[]> {
  const whole = await follows(transcript, 0, history)
  const isLong = (messages: readonly Message[]) => messages.length >= own.length
  if (whole) return filled(transcript, whole, isLong)
  // The first one is a summary, of segments whose number only the newest summary has.
  const [summary, ...rest] = history
  const { compacted } = transcript.found.state
  if (compacted && compacted.segment === summary) {
    const upto = archivedCount(transcript.found.state, 'segments') + compacted.upto
    const begin = await follows(transcript, upto, rest)
    return begin ? filled(transcript, begin, isLong) : []
  }
  const begins: Position[] = []
  for (let offset = 1; offset < transcript.segments.length; offset += 1) {
    const begin = await follows(transcript, offset, rest)
    if (begin)
      begins.push(...(await filled(transcript, begin, (messages) => isStart(messages, own))))
  }
  return begins
}

/** The place behind these segments, if they stand at this offset; the last one may have grown. */
async function follows(
  { world, tenant, found, segments }: Transcript,
  offset: number,
  shown: readonly string[],
): Promise<Position | undefined> {
  const end = offset + shown.length
  const last = shown.at(-1)
  if (shown.slice(0, -1).some((digest, index) => digest !== segments[offset + index])) return
  if (last === undefined || last === segments[end - 1]) return { segment: end, place: 0 }
  if (segments[end - 1] === undefined) return
  const before = await getBlob(world, homeOf(tenant, found), last)
  const now = await segmentAt(world, tenant, found, end - 1)
  if (before === undefined) return
  const messages = JSON.parse(before) as Message[]
  if (!isStart(now, messages)) return
  return { segment: end - 1, place: messages.length }
}

/** The place, if what stands from there on is enough. */
async function filled(
  { world, tenant, found, segments }: Transcript,
  { segment, place }: Position,
  isEnough: (messages: readonly Message[]) => boolean,
): Promise<readonly Position[]> {
  if (segment >= segments.length) return []
  const messages = await segmentAt(world, tenant, found, segment)
  return isEnough(messages.slice(place)) ? [{ segment, place }] : []
}

const isStart = (all: readonly Message[], start: readonly Message[]): boolean =>
  JSON.stringify(all.slice(0, start.length)) === JSON.stringify(start)
