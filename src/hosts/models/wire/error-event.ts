/** The error that an event tells, in one of the ways that servers have found. */

import { isRecord, type JsonObject, textOf } from './json.ts'
import { ProviderError } from './provider-error.ts'

/** Undefined if the event tells none. `name`: the event type of its line `event:`. */
export function errorOf(event: JsonObject, name: string | undefined): ProviderError | undefined {
  const { error, object, type, message, detail } = event
  const isEmpty = typeof error === 'object' && Object.values(error ?? {}).every((value) => !value)
  const isNamed = [object, type, name].some((word) => String(word).toLowerCase() === 'error')
  const says = textOf(detail, message) !== undefined || Array.isArray(detail)
  const isBare = says && !ANSWER.some((member) => event[member] != null) && !isRecord(message)
  const isError = (error && !isEmpty) || isNamed || isBare
  return isError ? new ProviderError({ status: 200, body: event }) : undefined
}

/** Members of which an answer has one, in any dialect. */
const ANSWER = ['choices', 'usage', 'response', 'delta', 'item', 'content', 'output']
