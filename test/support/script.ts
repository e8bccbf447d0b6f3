/**
 * The scripted model without HTTP, for tests of the engine: the same grammar, so that a test moves
 * between the two without change.
 */

import { fail, ok } from '../../src/lib/outcome.ts'
import type { Clock, Model, ModelRequest } from '../../src/ports/world.ts'
import type { WireMessage } from '../../src/testing/model-script.ts'
import { answer } from '../../src/testing/model-script.ts'

const USAGE = { input_tokens: 10, output_tokens: 5, model_calls: 1 }

export interface ScriptModel extends Model {
  readonly requests: readonly ModelRequest[]
}

/** A line of a script that starts so many subagents. */
export const spawn = (given: Readonly<Record<string, unknown>>, count = 1): string =>
  `@spawn ${count} ${JSON.stringify(given)}`

/** What the scripted model of a world was asked. */
export const requestsOf = ({ model }: { readonly model: Model }): readonly ModelRequest[] =>
  (model as ScriptModel).requests

/** With a clock, `@slow` takes its time, or ends early when the call is aborted. */
export function scriptModel(clock?: Pick<Clock, 'sleep'>, window = 100_000): ScriptModel {
  const requests: ModelRequest[] = []
  const failures = new Map<string, number>()
  return {
    requests,
    find: (reference) => ok({ id: reference ?? 'test/model', window }),
    async respond(request, { signal }) {
      requests.push(request)
      const { text, calls, finish, fault, slowMs } = answer({
        messages: request.messages.flatMap(wire),
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
      const called = calls.map(({ id, name, arguments: written }) => {
        const of = { id, provider_id: id, tool: name, arguments: written }
        return { type: 'call', ...of } as const
      })
      const said = text === '' ? [] : [{ type: 'text', text } as const]
      return ok({
        parts: [...said, ...called],
        usage: USAGE,
        finish: calls.length > 0 ? 'calls' : finish === 'length' ? 'length' : 'stop',
        model: request.model,
      })
    },
  }
}

function wire(message: ModelRequest['messages'][number]): WireMessage[] {
  if (message.role === 'user') return [{ role: 'user', content: message.text }]
  if (message.role === 'tool') {
    return message.results.map(({ text }) => ({ role: 'tool', content: text }))
  }
  const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  return [{ role: 'assistant', content: text }]
}
