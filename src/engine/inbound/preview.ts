/**
 * Previews an inbound message: what a hook would start for it, without a signature, and without
 * starting, storing, or reading anything outside of the store.
 */

import { type Refusal, refusal } from '../../core/problem.ts'
import type { InboundHook } from '../../core/webhook/inbound.ts'
import { isConnectionTest, readUnverified, startsRun } from '../../core/webhook/inbound.ts'
import type { InboundHeaders } from '../../core/webhook/standard-webhooks.ts'
import type { TemplateGaps } from '../../core/webhook/template.ts'
import { sha256 } from '../../lib/digest.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { judgeRequest, windowRefused } from '../run/judge-request.ts'
import { sessionRefused } from '../session/take.ts'
import { unreadable } from './receive.ts'
import { type HookMedia, mediaOf, taskOf } from './task.ts'

export interface HookPreview extends TemplateGaps {
  readonly starts: boolean
  /** Reason why the message starts no run; null if it starts one. */
  readonly reason: {
    readonly code: 'connection_test' | 'event_type'
    readonly message: string
  } | null
  readonly event: string | null
  readonly input: string | null
  readonly media: readonly HookMedia[]
}

/** Returns the preview of a message, or the rejection that its sender would get. */
export async function previewHook(
  world: World,
  hook: InboundHook,
  request: { readonly headers: InboundHeaders; readonly body: Uint8Array },
): Promise<Outcome<HookPreview, Refusal>> {
  const read = readUnverified(hook, { ...request, digest: sha256(request.body) })
  if (!read.ok) return fail(unreadableRefusal(read.error, request.headers))
  const { event, payload } = read.value
  if (!startsRun(hook, event)) {
    const emptyTask = { input: null, media: [], missing: [], shortened: [] }
    return ok({ starts: false, reason: reasonOf(hook, event), event, ...emptyTask })
  }
  const task = taskOf(hook, read.value)
  if (!task.ok) return task
  const { text, gaps, request: runRequest } = task.value
  const judgment = await judgeRequest(world, hook.tenant, runRequest)
  if (!judgment.ok) return judgment
  const { session_id } = runRequest
  const rejection =
    windowRefused(judgment.value.verdict.model, runRequest, [text]) ??
    (session_id && (await sessionRefused(world, hook.tenant, session_id, 'enqueue')))
  if (rejection) return fail(rejection)
  const media = mediaOf(hook, payload)
  return ok({ starts: true, reason: null, event, input: text, media, ...gaps })
}

function reasonOf(hook: InboundHook, event: string | null): HookPreview['reason'] {
  if (isConnectionTest(hook, event)) {
    const message = `A message of type ${event} only tests the connection.`
    return { code: 'connection_test', message }
  }
  const expected = (hook.events ?? []).join(', ')
  const message =
    event === null
      ? `The message has no event type${
          hook.scheme === 'github' ? ' (header X-GitHub-Event)' : ''
        }, and only these types start a run: ${expected}.`
      : `The event type ${event} starts no run; only these types do: ${expected}.`
  return { code: 'event_type', message }
}

/** Returns the rejection of an unreadable message, as its sender would get it. */
function unreadableRefusal(error: string, headers: InboundHeaders): Refusal {
  const errors = [{ pointer: '/payload', message: 'The hook cannot read this body.' }]
  if (error === 'too_large') return refusal('too_large', 'The body is too large for a hook.')
  if (error === 'invalid_json') {
    const detail = `The message is rejected: the signature may be valid, ${unreadable(headers)}.`
    return refusal('invalid_json', detail, { errors })
  }
  const detail = 'The payload is not an object, so its signature can never be valid.'
  return refusal('invalid_request', detail, { errors })
}
