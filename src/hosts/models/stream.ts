/** Reads the stream of an AI SDK language model into an answer. */

import type { AnswerBuilder, Ending, Metadata } from './answer.ts'
import { warningText } from './settings.ts'
import type { StreamPart } from './types.ts'

type Finish = Extract<StreamPart, { type: 'finish' }>

export function takePart(answer: AnswerBuilder, part: StreamPart): void {
  switch (part.type) {
    case 'stream-start':
      return answer.warn(part.warnings.map(warningText))
    case 'text-start':
      return void answer.begin('text', part.id, metadata(part))
    case 'reasoning-start':
      return void answer.begin('reasoning', part.id, metadata(part))
    case 'text-delta':
      return answer.grow('text', part.id, part.delta, metadata(part))
    case 'reasoning-delta':
      return answer.grow('reasoning', part.id, part.delta, metadata(part))
    case 'text-end':
      return answer.end('text', part.id, metadata(part))
    case 'reasoning-end':
      return answer.end('reasoning', part.id, metadata(part))
    case 'tool-input-start':
      return answer.hold(64)
    case 'tool-input-delta':
      return answer.hold(part.delta.length)
    case 'tool-call': {
      const { toolCallId: id, toolName: tool, input } = part
      return answer.call({ id, tool, arguments: input, provider: metadata(part) })
    }
    case 'response-metadata':
      answer.model = part.modelId ?? answer.model
      return
    case 'finish':
      return finish(answer, part)
    case 'error':
      return answer.fail(part.error)
  }
}

function finish(answer: AnswerBuilder, { usage, finishReason }: Finish): void {
  const { inputTokens, outputTokens } = usage ?? {}
  answer.report({
    input: inputTokens?.total,
    output: outputTokens?.total,
    cacheRead: inputTokens?.cacheRead,
    cacheWrite: inputTokens?.cacheWrite,
    reasoning: outputTokens?.reasoning,
  })
  // If the raw finish reason is absent, the model did not signal to the provider that the answer
  // was complete.
  const isWhole = finishReason && !(finishReason.unified === 'other' && !finishReason.raw)
  answer.finish(isWhole ? ENDINGS[finishReason.unified] : 'cut')
}

const ENDINGS: Readonly<Record<Finish['finishReason']['unified'], Ending>> = {
  stop: 'stop',
  'tool-calls': 'calls',
  length: 'length',
  'content-filter': 'refusal',
  other: 'other',
  error: 'cut',
  interrupted: 'cut',
}

const metadata = (part: object): Metadata | undefined =>
  (part as { providerMetadata?: Metadata }).providerMetadata
