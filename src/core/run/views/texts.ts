/**
 * Large texts that run events reference by digest. Each fact type names its text members; an object
 * of the same shape in caller or model data is not a reference.
 */

import { type AssistantPart, type Body, type BodyRef, isRef } from '../../message.ts'
import { REDACTED, shownArguments, withoutValues } from '../../redaction.ts'
import type { RunFact } from '../log/facts.ts'

export interface NamedText {
  readonly body: BodyRef
  /** Hides the same parts of the full text as the event hides. */
  readonly shown: (text: string) => string
}

interface LoggedBody {
  readonly body: Body | null | undefined
  readonly shown?: NamedText['shown']
}

export const textsOf = (fact: RunFact): NamedText[] =>
  bodiesIn(fact).flatMap(({ body, shown: render = (text) => text }) =>
    body != null && isRef(body) ? [{ body, shown: render }] : [],
  )

function bodiesIn(fact: RunFact): readonly LoggedBody[] {
  switch (fact.type) {
    case 'run.created': {
      const { input, instructions, caller_tools } = fact.run
      return plain([...input.map(({ text }) => text), instructions, caller_tools])
    }
    case 'run.started':
      return plain([fact.memory?.text])
    case 'assistant.message':
      return fact.parts.map(partBody)
    case 'approval.requested':
      return [argumentsBody(fact.tool, fact.arguments)]
    case 'approval.decided':
      return [{ body: fact.arguments, shown: withoutAnyValues }]
    case 'message.received':
    case 'tool.result':
    case 'skill.activated':
      return plain([fact.text])
    case 'transcript.compacted':
      return plain([fact.summary])
    case 'memory.noted':
      return plain(fact.entries.map(({ content }) => content))
    case 'subagent.announced':
    case 'subagent.failed':
      return plain([fact.announce.result, fact.announce.partial])
    case 'run.completed':
      return plain([fact.output.text])
    default:
      return []
  }
}

const plain = (bodies: readonly (Body | null | undefined)[]): LoggedBody[] =>
  bodies.map((body) => ({ body }))

const partBody = (part: AssistantPart): LoggedBody =>
  part.type === 'call' ? argumentsBody(part.tool, part.arguments) : { body: part.text }

const argumentsBody = (tool: string, body: Body): LoggedBody => ({
  body,
  shown: (text) => shownArguments(tool, text),
})

/** Hides all argument values, because an approval decision does not name its tool. */
function withoutAnyValues(text: string): string {
  try {
    return JSON.stringify(withoutValues(JSON.parse(text)))
  } catch {
    return JSON.stringify(REDACTED)
  }
}
