/**
 * Renders the task of an inbound message: the request of the run that the message starts. Receiving
 * a message and previewing one use the same function, so a preview shows the run's input.
 */

import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import type { InboundHook } from '../../core/webhook/inbound.ts'
import type { Opened } from '../../core/webhook/inbound-message.ts'
import {
  gapsOf,
  parseTemplate,
  render,
  type TemplateGaps,
  textAt,
} from '../../core/webhook/template.ts'
import { byteLength } from '../../lib/bytes.ts'
import { visible } from '../../lib/invisible-characters.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { InputPart, RunRequest } from '../run/request.ts'

export interface HookTask {
  readonly request: RunRequest
  /** Text of the input, without the images and files. */
  readonly text: string
  readonly gaps: TemplateGaps
}

/** Byte limit of a rendered task, because a template may use the same value many times. */
const TASK_BYTES = 2 * LIMITS.json_body_bytes

export function taskOf(
  hook: InboundHook,
  { payload, event }: Pick<Opened, 'payload' | 'event'>,
): Outcome<HookTask, Refusal> {
  const template = parseTemplate(hook.template)
  if (!template.ok) return fail(refusal('invalid_config', template.error))
  const text = visible(render(template.value, payload, event)).text
  if (text === '') {
    return fail(
      refusal(
        'invalid_request',
        'The payload contains none of the members that the template references.',
      ),
    )
  }
  if (byteLength(text) > TASK_BYTES) {
    return fail(refusal('too_large', `The task would exceed ${TASK_BYTES} bytes.`))
  }
  const { media = [], ...run } = hook.run
  const mediaParts = media.map((path) => partAt(payload, path))
  const parts: InputPart[] = [{ type: 'text', text }, ...mediaParts]
  const input = mediaParts.length === 0 ? text : parts
  const request = { ...run, input, metadata: { hook_id: hook.id } }
  return ok({ request, text, gaps: gapsOf(template.value, payload, event) })
}

/**
 * Returns an image or file from the payload as an input part. If the payload has no text at the
 * path, the part states so.
 */
function partAt(payload: unknown, path: string): InputPart {
  const value = textAt(payload, path)
  if (value === undefined) return { type: 'text', text: `[The payload has no text at ${path}.]` }
  const source = isWebUrl(value) ? { url: value } : { data: value }
  return { type: 'file', ...source, outside: path }
}

export interface HookMedia {
  /** Path in the payload. */
  readonly path: string
  /** Form of the value: a URL, Base64 data, or no text at the path. */
  readonly source: 'url' | 'data' | 'missing'
  readonly url: string | null
}

/** Returns the images and files of the task, without reading any of them. */
export const mediaOf = ({ run: { media = [] } }: InboundHook, payload: unknown): HookMedia[] =>
  media.map((path) => {
    const value = textAt(payload, path)
    if (value === undefined) return { path, source: 'missing', url: null }
    return isWebUrl(value)
      ? { path, source: 'url', url: value }
      : { path, source: 'data', url: null }
  })

const isWebUrl = (value: string): boolean => /^https?:\/\//i.test(value)
