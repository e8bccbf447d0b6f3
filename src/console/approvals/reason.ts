/** Reason for a tool call: what the model wrote before it, from the events of its run. */

import type { RunEvent } from '../../client/index.ts'

export interface CallReason {
  /** Sequence number of the model's message. */
  readonly seq: number
  /** Number of the step, from 1. */
  readonly step: number
  /** Text of the message; empty if the model only called tools. */
  readonly text: string
}

const isText = (part: object): part is { readonly text: string } =>
  'text' in part && typeof part.text === 'string'

/** Returns the reason if the event is the model's message that contains the call. */
export function reasonIn(event: RunEvent, call: string): CallReason | undefined {
  if (event.type !== 'assistant.message') return undefined
  const { step, parts, calls } = event.data
  if (!calls.some(({ id }) => id === call)) return undefined
  const texts = (type: string): string =>
    parts
      .filter((part) => part.type === type)
      .filter(isText)
      .map(({ text }) => text)
      .join('\n\n')
      .trim()
  return { seq: event.seq, step: step + 1, text: texts('text') || texts('reasoning') }
}
