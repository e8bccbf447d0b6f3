/** Finds the error in a provider's event, in any of the forms that servers use. */

import { isRecord, type JsonObject, textOf } from './json.ts'
import { ProviderError } from './provider-error.ts'

/** Returns an event's error, or undefined; `name` is the event type from the `event:` line. */
export function errorOf(event: JsonObject, name: string | undefined): ProviderError | undefined {
  const { error, object, type, message, detail } = event
  const isEmpty = typeof error === 'object' && Object.values(error ?? {}).every((value) => !value)
  const isNamed = [object, type, name].some((word) => String(word).toLowerCase() === 'error')
  const says = textOf(detail, message) !== undefined || Array.isArray(detail)
  const isBare = says && !ANSWER.some((member) => event[member] != null) && !isRecord(message)
  const isError = (error && !isEmpty) || isNamed || isBare
  return isError ? new ProviderError({ status: 200, body: event }) : undefined
}

/** Names of members that identify an event as part of an answer in some dialect. */
const ANSWER = ['choices', 'usage', 'response', 'delta', 'item', 'content', 'output']
