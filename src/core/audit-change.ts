/**
 * Description of a change for the audit log: digests of the resource before and after, and the
 * changed members of a small resource. Secrets are replaced before anything is computed, and URLs
 * are shortened to their origin, because their paths can contain credentials.
 */

import { digest } from '../lib/digest.ts'
import { LIMITS } from './limits.ts'
import { REDACTED } from './redaction.ts'

/** Changed member; values are null if the member is absent. */
interface ChangedMember {
  /** Dotted path of the member, such as `run.agent`. */
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}

export interface AuditChange {
  /** SHA-256 of the resource before the change, without secrets; null if it did not exist. */
  readonly before: string | null
  /** SHA-256 of the resource after the change, without secrets; null if it was deleted. */
  readonly after: string | null
  readonly changes?: readonly ChangedMember[]
}

type Resource = Readonly<Record<string, unknown>>

const SECRET_NAME =
  /secret|token|passw|authorization|credential|cookie|sealed|hash|api_?key|private|headers|^env$/i
/** Names that match `SECRET_NAME` but count something. */
const COUNTED = /tokens(?:_|$)|^max_/i

/** Members that change without a request, such as counters of failures. */
type Ignored = readonly string[]

/**
 * Describes the change of a resource. `ignored` names members that are bookkeeping, and are part of
 * neither digest. A missing resource is null.
 */
export function changeOf(
  previous: object | null,
  next: object | null,
  ignored: Ignored = [],
): AuditChange {
  const from = previous && withoutSecrets(previous, ignored)
  const to = next && withoutSecrets(next, ignored)
  const members = changedMembers(from ?? {}, to ?? {})
  return {
    before: from && digest(from),
    after: to && digest(to),
    ...(members.length > 0 ? { changes: members } : {}),
  }
}

function withoutSecrets(resource: object, ignored: Ignored): Resource {
  const members = Object.entries(resource).filter(
    ([name, value]) => value !== undefined && !ignored.includes(name),
  )
  return Object.fromEntries(members.map(([name, value]) => [name, safe(name, value)]))
}

function safe(name: string, value: unknown): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value
  if (SECRET_NAME.test(name) && !COUNTED.test(name)) return REDACTED
  if (Array.isArray(value)) return value.map((item) => safe(name, item))
  if (typeof value === 'object') return withoutSecrets(value as Resource, [])
  return /url$/i.test(name) ? shortUrl(String(value)) : value
}

function shortUrl(text: string): string {
  const url = URL.parse(text)
  if (!url) return REDACTED
  const isOrigin = url.pathname === '/' && url.search === ''
  return isOrigin ? url.origin : `${url.origin}/…`
}

function changedMembers(previous: Resource, next: Resource): ChangedMember[] {
  const from = flat(previous)
  const to = flat(next)
  const fields = [...new Set([...from.keys(), ...to.keys()])].sort()
  return fields
    .filter((field) => from.get(field) !== to.get(field))
    .slice(0, LIMITS.audit_changes)
    .map((field) => ({
      field,
      before: bounded(from.get(field) ?? null),
      after: bounded(to.get(field) ?? null),
    }))
}

const isObject = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the texts of all leaves by their dotted path; null leaves count as absent. */
function flat(resource: Resource, prefix = ''): Map<string, string> {
  const leaves = new Map<string, string>()
  for (const [name, value] of Object.entries(resource)) {
    if (value === null) continue
    if (isObject(value) && Object.keys(value).length > 0) {
      for (const [path, leaf] of flat(value, `${prefix}${name}.`)) leaves.set(path, leaf)
    } else {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      leaves.set(`${prefix}${name}`.slice(0, LIMITS.audit_change_characters), text)
    }
  }
  return leaves
}

const bounded = (text: string | null): string | null => {
  const most = LIMITS.audit_change_characters
  return text === null || text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`
}
