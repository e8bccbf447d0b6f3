/**
 * Judges the request of a run: its layers, policy, agent, model, and input. Judging stores nothing
 * and calls no model, so a preview uses it as well.
 */

import type { LayerSelection } from '../../core/config/types.ts'
import type { Body } from '../../core/message.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { inputSize } from '../../core/run/prompt/input-size.ts'
import { type Outcome, ok } from '../../lib/outcome.ts'
import type { ModelInfo, World } from '../../ports/world.ts'
import { selection } from '../layers/selection.ts'
import { findSession } from '../session/store.ts'
import { subjectIn } from '../session/subject.ts'
import { readPolicy } from '../tenant/policy.ts'
import type { RunRequest } from './request.ts'
import { type JudgedRun, judgeRun } from './validate.ts'

export interface JudgedRequest {
  /** The request with the agent and the end user of its session, if it names none. */
  readonly request: RunRequest
  readonly layers: LayerSelection
  readonly verdict: JudgedRun
}

export async function judgeRequest(
  world: World,
  tenant: string,
  submitted: RunRequest,
): Promise<Outcome<JudgedRequest, Refusal>> {
  const completed = await withSession(world, tenant, submitted)
  if (!completed.ok) return completed
  const request = completed.value
  const selected = selection(request)
  if (!selected.ok) return selected
  const { policy } = await readPolicy(world, tenant)
  const { strict = policy.strict, on_duplicate = policy.on_duplicate } = selected.value
  const layers = { ...selected.value, strict, on_duplicate }
  const verdict = await judgeRun(world, tenant, policy, { ...request, ...layers })
  return verdict.ok ? ok({ request, layers, verdict: verdict.value }) : verdict
}

/**
 * Adds the session's agent and end user to a run request that names none. A user of an issuer is
 * the end user of its own runs in every protocol.
 */
async function withSession(
  world: World,
  tenant: string,
  request: RunRequest,
): Promise<Outcome<RunRequest, Refusal>> {
  const { session_id, subject: requested = world.origin?.credential?.subject } = request
  const session =
    session_id === undefined ? undefined : await findSession(world, tenant, session_id)
  const subject = subjectIn(session?.state, requested)
  if (!subject.ok) return subject
  const agent = request.agent ?? session?.state.agent ?? undefined
  return ok({ ...request, agent, subject: subject.value })
}

/** Rejects an oversized first input. An oversized later input causes compaction instead. */
export function windowRefused(
  model: ModelInfo,
  { session_id }: Pick<RunRequest, 'session_id'>,
  texts: readonly Body[],
): Refusal | undefined {
  if (session_id !== undefined) return undefined
  const { isBeyond, sentence } = inputSize(texts, [model, ...(model.fallbacks ?? [])])
  if (!isBeyond) return undefined
  const errors = [{ pointer: '/input', message: sentence }]
  return refusal('invalid_request', `${sentence}.`, { errors })
}
