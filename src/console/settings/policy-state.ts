/**
 * The policy as a form: simple members as fields, all others as JSON; and the changes of a draft on
 * top of another version of the policy.
 */

import type { components } from '../../client/index.ts'

export type Policy = components['schemas']['Policy']
export type Members = Readonly<Record<string, unknown>>

/** Members with a list of texts, as paths into the policy. */
export const LISTS = [
  ...(['deny.skills', 'deny.servers', 'deny.tools'] as const),
  ...(['web.allowed_domains', 'web.denied_domains'] as const),
] as const
export type ListName = (typeof LISTS)[number]

/** Members with one of some values; an empty value means `null`. */
export const CHOICES = {
  on_duplicate: ['shadow', 'reject'],
  on_missing_tools: ['refuse', 'allow'],
  on_invalid_role: ['base', 'refuse'],
  'web.robots': ['respect', 'ignore'],
  'memory.scope': ['', 'shared', 'agent', 'role', 'session'],
} as const
export type ChoiceName = keyof typeof CHOICES

export const SWITCHES = ['strict', 'memory.start'] as const
export type SwitchName = (typeof SWITCHES)[number]

/** Members that are edited as JSON, in the order of the text. */
const JSON_MEMBERS = [
  ...(['approvals', 'user_facing_tools', 'model_aliases', 'prices'] as const),
  ...(['skills_role_dir', 'cors_origins', 'approval_links'] as const),
] as const

/** Unsaved changes: the version that was read, and the values of the form. */
export interface Draft {
  readonly etag: string
  /** The policy that was read. */
  readonly base: Members
  /** The edited members that have fields; the members of `json` are not in use. */
  readonly fields: Members
  /** Maximum wait for a model in seconds, as typed. */
  readonly patience: string
  /** Text of the members that are edited as JSON. */
  readonly json: string
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a stored value is a draft of this version of the console. */
export const isDraft = (value: unknown): value is Draft =>
  isObject(value) &&
  [value.base, value.fields].every(isObject) &&
  [value.etag, value.patience, value.json].every((text) => typeof text === 'string')

const jsonOf = (policy: Members): string =>
  JSON.stringify(Object.fromEntries(JSON_MEMBERS.map((name) => [name, policy[name]])), null, 2)

export const draftOf = (policy: Members, etag: string, base = policy): Draft => ({
  ...{ etag, base, fields: policy, json: jsonOf(policy) },
  patience: policy.model_patience_seconds === null ? '' : String(policy.model_patience_seconds),
})

/** Returns the value at a path such as `web.robots`. */
export function valueAt(members: Members, path: string): unknown {
  const [name = '', inner] = path.split('.')
  const value = members[name]
  return inner === undefined ? value : isObject(value) ? value[inner] : undefined
}

/** Returns a copy with another value at a path. */
export function withValue(members: Members, path: string, value: unknown): Members {
  const [name = '', inner] = path.split('.')
  if (inner === undefined) return { ...members, [name]: value }
  const parent = members[name]
  return { ...members, [name]: { ...(isObject(parent) ? parent : {}), [inner]: value } }
}

export const linesOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join('\n') : ''

/** Returns the lines of a text without blank ones. */
export const listOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export type Wrong = 'json' | 'members' | 'patience'

/** Returns the policy of a draft, or why it is not one. */
export function policyOf({ fields, json, patience }: Draft): Members | Wrong {
  let members: unknown
  try {
    members = JSON.parse(json)
  } catch {
    return 'json'
  }
  const names: readonly string[] = JSON_MEMBERS
  if (!isObject(members) || Object.keys(members).some((name) => !names.includes(name)))
    return 'members'
  if (!/^\d*$/.test(patience.trim())) return 'patience'
  const seconds = patience.trim() === '' ? null : Number(patience)
  const edited: Members = { ...fields, ...members, model_patience_seconds: seconds }
  // The order of the members stays, so that a difference shows only changes.
  return Object.fromEntries(
    Object.keys({ ...fields, ...members })
      .filter((name) => !names.includes(name) || Object.hasOwn(members as Members, name))
      .map((name) => [name, edited[name]]),
  )
}

export const textOf = (policy: Members): string => JSON.stringify(policy, null, 2)

/** Whether two JSON values are equal; the order of members and absent members do not matter. */
function isSame(a: unknown, b: unknown): boolean {
  if (isObject(a) && isObject(b))
    return Object.keys({ ...a, ...b }).every((name) => isSame(a[name], b[name]))
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => isSame(item, b[at]))
  return a === b
}

/** Whether a draft differs from the policy that was read; a wrong text differs from it. */
export function hasChanges(draft: Draft): boolean {
  const edited = policyOf(draft)
  return typeof edited === 'string' || !isSame(edited, draft.base)
}

interface Rebased {
  readonly draft: Draft
  /** Paths of values that both versions changed; the draft has the values of the editor. */
  readonly conflicts: readonly string[]
}

interface Versions {
  readonly base: unknown
  readonly edited: unknown
  readonly newer: unknown
}

/** Merges both changes of a value, member by member; adds the path of a conflict to `conflicts`. */
function merged({ base, edited, newer }: Versions, path: string, conflicts: string[]): unknown {
  if (isSame(edited, base)) return newer
  if (isSame(newer, base)) return edited
  if (isObject(edited) && isObject(newer)) {
    const start = isObject(base) ? base : {}
    return Object.fromEntries(
      Object.keys({ ...newer, ...edited }).flatMap((name) => {
        const versions = { base: start[name], edited: edited[name], newer: newer[name] }
        const value = merged(versions, path === '' ? name : `${path}.${name}`, conflicts)
        return value === undefined ? [] : [[name, value]]
      }),
    )
  }
  if (!isSame(edited, newer)) conflicts.push(path)
  return edited
}

/**
 * Applies the changes of an edited policy to a newer version, member by member. Lists are single
 * values.
 */
export function rebased(base: Members, edited: Members, newer: Members, etag: string): Rebased {
  const conflicts: string[] = []
  const policy = merged({ base, edited, newer }, '', conflicts) as Members
  return { draft: draftOf(policy, etag, newer), conflicts }
}
