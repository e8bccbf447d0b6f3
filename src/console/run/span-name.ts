/** Names of spans in the reader's language. */

import { useWords } from '../i18n/words.ts'
import type { Span } from '../log/span.ts'

/** Returns a function that names a span, such as "Model, step 1" or the name of a tool. */
export function useSpanName(): (span: Span) => string {
  const words = useWords()
  return ({ kind, name, step, on }) => {
    switch (kind) {
      case 'queued':
        return words('run.span.queued')
      case 'model':
        return step === undefined ? name : words('run.span.model', { n: step + 1 })
      case 'tool':
        return name.slice('execute_tool '.length)
      case 'person':
        return name.startsWith('approval ')
          ? words('run.span.approval', { tool: name.slice('approval '.length) })
          : words('run.span.question')
      default:
        return words(`run.span.wait.${on as 'subagents'}`)
    }
  }
}
