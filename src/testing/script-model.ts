/**
 * Implements the scripted model without HTTP: the script grammar of `script.ts` on the model port.
 * Each request is recorded, and each call uses 10 input and 5 output tokens.
 */

import { fail, ok } from '../lib/outcome.ts'
import type { Clock, Model, ModelRequest } from '../ports/world.ts'
import { answer, type WireMessage } from './model-script.ts'

const USAGE = { input_tokens: 10, output_tokens: 5, model_calls: 1 }

export interface ScriptModel extends Model {
  /** All requests that the model received, in order. */
  readonly requests: readonly ModelRequest[]
}

export interface ScriptModelOptions {
  /** Clock that makes `@slow` take time; a delayed call ends early if it is aborted. */
  readonly clock?: Pick<Clock, 'sleep'> | undefined
  /** Context window of the scripted model, in tokens. Default: 100,000. */
  readonly window?: number | undefined
  /** Scripts for inputs that contain no script, by the input's text. */
  readonly scripts?: Readonly<Record<string, string>> | undefined
}

export function scriptModel(options: ScriptModelOptions = {}): ScriptModel {
  const { clock, window = 100_000, scripts = {} } = options
  const requests: ModelRequest[] = []
  const failures = new Map<string, number>()
  return {
    requests,
    find: (reference) => ok({ id: reference ?? 'test/model', window }),
    async respond(request, { signal }) {
      requests.push(request)
      const { text, calls, finish, fault, slowMs } = answer({
        messages: request.messages.flatMap((message) => wire(message, scripts)),
        tools: request.tools,
      })
      if (clock && slowMs > 0) await clock.sleep(slowMs, signal)
      if (signal.aborted) return fail({ code: 'aborted', message: 'aborted', retryable: true })
      const identity = JSON.stringify(request.messages)
      const failed = failures.get(identity) ?? 0
      if (fault && failed < fault.times) {
        failures.set(identity, failed + 1)
        const retryable = fault.status >= 429
        return fail({
          code: retryable ? 'unavailable' : 'rejected',
          message: 'scripted',
          retryable,
          ...(fault.kind === 'cut' ? { usage: USAGE } : {}),
        })
      }
      const callParts = calls.map(({ id, name, arguments: args }) => {
        const of = { id, provider_id: id, tool: name, arguments: args }
        return { type: 'call', ...of } as const
      })
      const textParts = text === '' ? [] : [{ type: 'text', text } as const]
      return ok({
        parts: [...textParts, ...callParts],
        usage: USAGE,
        finish: calls.length > 0 ? 'calls' : finish === 'length' ? 'length' : 'stop',
        model: request.model,
      })
    },
  }
}

type Message = ModelRequest['messages'][number]

function wire(message: Message, scripts: Readonly<Record<string, string>>): WireMessage[] {
  if (message.role === 'user') {
    const { text } = message
    const isScripted = typeof text === 'string' && Object.hasOwn(scripts, text)
    return [{ role: 'user', content: isScripted ? scripts[text] : text }]
  }
  if (message.role === 'tool') {
    return message.results.map(({ text }) => ({ role: 'tool', content: text }))
  }
  const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  return [{ role: 'assistant', content: text }]
}
