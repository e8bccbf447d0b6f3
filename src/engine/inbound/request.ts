/**
 * A message as the request for a run: the hook's own run with the payload in its template. Read
 * alike when a message comes and when somebody tries one.
 */

import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import type { InboundHook } from '../../core/webhook/inbound.ts'
import type { Opened } from '../../core/webhook/opened.ts'
import { parseTemplate, render, textAt } from '../../core/webhook/template.ts'
import { byteLength } from '../../lib/bytes.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { visible } from '../../lib/visible.ts'
import type { InputPart, RunRequest } from '../run/request.ts'

/** A template may name the same value many times. */
const TASK_BYTES = 2 * LIMITS.json_body_bytes

export function runOf(
  hook: Pick<InboundHook, 'id' | 'template' | 'run'>,
  { payload, event }: Pick<Opened, 'payload' | 'event'>,
): Outcome<RunRequest, Refusal> {
  const template = parseTemplate(hook.template)
  if (!template.ok) return fail(refusal('invalid_config', template.error))
  const input = visible(render(template.value, payload, event)).text
  if (input === '') {
    return fail(refusal('invalid_request', 'The payload has nothing of what the template names.'))
  }
  if (byteLength(input) > TASK_BYTES) {
    return fail(refusal('too_large', `The task would have more than ${TASK_BYTES} bytes.`))
  }
  const { media = [], ...run } = hook.run
  const shown = media.map((path) => partAt(payload, path))
  const parts: InputPart[] = [{ type: 'text', text: input }, ...shown]
  const metadata = { hook_id: hook.id }
  return ok({ ...run, input: shown.length === 0 ? input : parts, metadata })
}

/** A picture or file of the payload; one that cannot be read is named in the task as such. */
function partAt(payload: unknown, path: string): InputPart {
  const found = textAt(payload, path)
  if (found === undefined) return { type: 'text', text: `[The payload has no text at ${path}.]` }
  const given = /^https?:\/\//i.test(found) ? { url: found } : { data: found }
  return { type: 'file', ...given, outside: path }
}
