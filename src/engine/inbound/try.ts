/**
 * Tries a hook on a payload that somebody gives: which run a message like this would start, or why
 * none. Nothing is created, sent or noted; the signature and repetitions are not looked at, because
 * a message that is pasted has neither.
 */

import { type Refusal, refusal } from '../../core/problem.ts'
import { type InboundHook, type InboundHookRun, startsRun } from '../../core/webhook/inbound.ts'
import { kindOf } from '../../core/webhook/kind.ts'
import type { InboundHeaders } from '../../core/webhook/signed.ts'
import { type Gaps, gapsOf, parseTemplate, textAt } from '../../core/webhook/template.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { judgeRequest } from '../run/accept.ts'
import type { RunRequest } from '../run/request.ts'
import { sessionRefused } from '../session/take.ts'
import { runOf } from './request.ts'
import { readHook } from './store.ts'

export interface TrialRequest {
  readonly payload: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** In place of the hook's own. */
  readonly template?: string | undefined
  readonly events?: readonly string[] | null | undefined
}

export interface Trial extends Gaps {
  readonly event: string | null
  /** Whether messages of this kind start runs. */
  readonly matches: boolean
  /** Why no run would be started; undefined: one would. */
  readonly refused: Refusal | undefined
  /** The first text of the input; null: there is none. */
  readonly input: string | null
  readonly run: InboundHookRun
  readonly media: readonly { readonly path: string; readonly found: boolean }[]
}

export async function tryHook(
  world: World,
  tenant: string,
  id: string,
  { payload, headers = {}, ...instead }: TrialRequest,
): Promise<Outcome<Trial, Refusal>> {
  const stored = await readHook(world, id)
  if (stored?.hook.tenant !== tenant) return fail(refusal('not_found', 'There is no such hook.'))
  const { template = stored.hook.template, events = stored.hook.events } = instead
  const hook: InboundHook = { ...stored.hook, template, events }
  const parsed = parseTemplate(template)
  if (!parsed.ok) return fail(atTemplate(parsed.error))
  const event = kindOf(hook.scheme, lowerCase(headers), payload)
  const request = runOf(hook, { payload, event })
  const matches = startsRun(hook, event)
  const judged = request.ok ? await refusedRun(world, tenant, request.value) : request
  const { media = [] } = hook.run
  return ok({
    ...{ event, matches, ...gapsOf(parsed.value, payload, event) },
    refused: judged.ok ? undefined : judged.error,
    input: request.ok ? textIn(request.value) : null,
    run: judged.ok ? { ...hook.run, agent: judged.value } : hook.run,
    media: media.map((path) => ({ path, found: textAt(payload, path) !== undefined })),
  })
}

/** The id of the agent, or why such a run is refused now. */
async function refusedRun(
  world: World,
  tenant: string,
  request: RunRequest,
): Promise<Outcome<string, Refusal>> {
  const judged = await judgeRequest(world, tenant, request)
  if (!judged.ok) return judged
  const { session_id } = request
  const closed =
    session_id === undefined
      ? undefined
      : await sessionRefused(world, tenant, session_id, 'enqueue')
  return closed ? fail(closed) : ok(judged.value.agent)
}

function textIn({ input }: RunRequest): string | null {
  if (typeof input === 'string') return input
  const [first] = input
  return first && 'text' in first && typeof first.text === 'string' ? first.text : null
}

const lowerCase = (headers: Readonly<Record<string, string>>): InboundHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

function atTemplate(message: string): Refusal {
  const errors = [{ pointer: '/template', message }]
  return refusal('invalid_request', `${message} (/template)`, { errors })
}
