/** Reads texts, arguments, and call IDs of a conversation for all dialects. */

import { type Body, type CallPart, isRef, type Message } from '../../core/message.ts'
import { ARGUMENTS } from '../../core/tools/plan.ts'
import { assert } from '../../lib/assert.ts'
import { parseWithRaw, parseWithTexts } from '../../lib/exact-json.ts'
import { readJson } from '../../lib/json.ts'
import type { ProviderKind } from './config.ts'

const STRICT_IDS: ReadonlySet<ProviderKind> = new Set(['anthropic', 'amazon-bedrock'])

/**
 * Returns the ID to send to the provider for each tool call. Unique provider IDs are kept, because
 * some models require a format; reused IDs are replaced with engine IDs.
 */
export function callIds(
  messages: readonly Message[],
  kind: ProviderKind,
): ReadonlyMap<string, string> {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? message.parts.filter((part) => part.type === 'call') : [],
  )
  const idCounts = new Map<string, number>()
  for (const call of calls)
    idCounts.set(call.provider_id, (idCounts.get(call.provider_id) ?? 0) + 1)
  const fits = (id: string) => (STRICT_IDS.has(kind) ? /^[\w-]+$/.test(id) : id !== '')
  const name = (call: CallPart) =>
    idCounts.get(call.provider_id) === 1 && fits(call.provider_id) ? call.provider_id : call.id
  return new Map(calls.map((call) => [call.id, name(call)]))
}

/**
 * Returns the arguments of a tool call as an object, which vendors require. Invalid JSON is wrapped
 * in an object unchanged, so that the error that follows makes sense to the model.
 */
export function argumentsOf(
  text: string,
  parse: (text: string) => unknown = parseWithTexts,
): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return {}
  const read = readJson(text, ARGUMENTS)
  const value = read.ok ? parse(text) : null
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  return { malformed_arguments: text }
}

/** Returns the arguments of a tool call as JSON text. */
export const writtenArguments = (text: string): string =>
  JSON.stringify(argumentsOf(text, parseWithRaw))

export function loaded(body: Body): string {
  assert(!isRef(body), 'a model request contains a body by reference')
  return body
}
