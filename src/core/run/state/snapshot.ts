/**
 * Snapshot of a run's folded state as text, so that a long log need not be read completely
 * (PROTOCOL.md rule 39). Texts of past steps are stored by digest. Snapshots are disposable: an
 * altered one, or one with an unknown fold version, is ignored in favor of the log.
 */

import { byteLength, cut } from '../../../lib/bytes.ts'
import { sha256 } from '../../../lib/digest.ts'
import type { AssistantPart, Body } from '../../message.ts'
import { isRef } from '../../message.ts'
import type { Call, RunState, Step } from './state.ts'
import { INITIAL } from './state.ts'

/**
 * Fold version of snapshots; increases whenever `evolve` reinterprets an existing fact or the state
 * changes shape.
 */
export const FOLD = 10
/** Number of new facts after which a snapshot is written. */
export const SNAPSHOT_FACTS = 128

const INLINE_BYTES = 512
const PREVIEW_BYTES = 120

export interface Snapshot {
  readonly text: string
  /** Text bodies by digest that must be in the bucket before the snapshot is valid. */
  readonly bodies: ReadonlyMap<string, string>
}

export function snapshotOf(state: RunState): Snapshot {
  const bodies = new Map<string, string>()
  const short = (body: Body): Body => {
    if (isRef(body)) return body
    const bytes = byteLength(body)
    if (bytes <= INLINE_BYTES) return body
    const digest = sha256(body)
    bodies.set(digest, body)
    return { digest, bytes, preview: cut(body, PREVIEW_BYTES) }
  }
  const last = state.steps.length - 1
  const {
    epoch: _,
    outbox: __,
    late_results: ___,
    busy: ____,
    subscribed: _____,
    ...stored
  } = state
  const frozen = {
    ...stored,
    steps: state.steps.map((step, index) => (index < last ? shortStep(step, short) : step)),
    calls: [...state.calls.values()].map((call) =>
      call.step < last ? shortCall(call, short) : call,
    ),
  }
  return { text: JSON.stringify(frozen), bodies }
}

const shortStep = (step: Step, short: (body: Body) => Body): Step => ({
  ...step,
  parts: step.parts.map(
    (part): AssistantPart =>
      part.type === 'call'
        ? { ...part, arguments: short(part.arguments) }
        : { ...part, text: short(part.text) },
  ),
})

const shortCall = (call: Call, short: (body: Body) => Body): Call => ({
  ...call,
  arguments: short(call.arguments),
  result: call.result && { ...call.result, text: short(call.result.text) },
})

/** Parses a snapshot's text into run state. */
export function restored(text: string): RunState {
  const frozen = JSON.parse(text) as Omit<RunState, 'calls'> & { readonly calls: Call[] }
  const calls = new Map(frozen.calls.map((call) => [call.id, call]))
  return { ...INITIAL, ...frozen, calls }
}
