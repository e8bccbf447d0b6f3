/**
 * Parses the `memory` value of an agent file: a scope (`memory: agent`), a boolean, or a map with
 * scope, `read`, `start`, `start_bytes`, and `flush`. Other products use this key differently, so
 * an unknown value disables memory with a warning.
 */

import { LIMITS } from '../../limits.ts'
import type { AgentMemory } from '../../memory/memory-config.ts'
import { MEMORY_SCOPES, type MemoryScope } from '../../memory/scope.ts'
import type { Plain } from '../yaml/head.ts'
import type { Fields } from './fields.ts'

const isScope = (value: unknown): value is MemoryScope =>
  (MEMORY_SCOPES as readonly unknown[]).includes(value)

export function memoryOf(fields: Fields): { readonly memory?: AgentMemory } {
  const value = fields.get('memory')?.value
  if (value === undefined || value === null) return {}
  const isOn = fields.meantBoolean('memory', value)
  if (isOn !== undefined) return { memory: { enabled: isOn } }
  if (isScope(value)) return { memory: { enabled: true, scope: value } }
  if (typeof value !== 'object' || Array.isArray(value)) return unknown(fields, 'a scope')
  const settings = value as Readonly<Record<string, Plain>>
  const { scope, read = [], start: startWord, start_bytes, flush: flushWord, ...extra } = settings
  const [odd] = Object.keys(extra)
  if (odd !== undefined) return unknown(fields, `a map with \`${odd}\``)
  if (scope != null && !isScope(scope)) return unknown(fields, 'an unknown scope')
  const reads = Array.isArray(read) ? read : [read]
  if (!reads.every(isScope)) return unknown(fields, 'an unknown `read`')
  const start = switchIn(fields, startWord)
  if (start === undefined) return unknown(fields, 'an unknown `start`')
  const flush = switchIn(fields, flushWord)
  if (flush === undefined) return unknown(fields, 'an unknown `flush`')
  if (start_bytes != null && !isBytes(start_bytes)) {
    return unknown(
      fields,
      `a \`start_bytes\` value outside the range 1 to ${LIMITS.memory_start_bytes}`,
    )
  }
  return {
    memory: {
      enabled: true,
      ...(isScope(scope) ? { scope } : {}),
      ...(reads.length > 0 ? { read: reads } : {}),
      ...(start !== null ? { start } : {}),
      ...(typeof start_bytes === 'number' ? { start_bytes } : {}),
      ...(flush !== null ? { flush } : {}),
    },
  }
}

/** Reads a boolean switch; null if absent, undefined if invalid. */
const switchIn = (fields: Fields, value: Plain | undefined): boolean | null | undefined =>
  value == null ? null : fields.meantBoolean('memory', value)

const isBytes = (value: unknown): value is number =>
  Number.isInteger(value) &&
  (value as number) >= 1 &&
  (value as number) <= LIMITS.memory_start_bytes

function unknown(fields: Fields, description: string): { readonly memory?: AgentMemory } {
  fields.warn(
    'memory_unknown',
    'memory',
    `\`memory\` is ${description}, which is not supported; the agent has no memory`,
    `memory: {scope: ${MEMORY_SCOPES[0]}}`,
  )
  return { memory: { enabled: false } }
}
