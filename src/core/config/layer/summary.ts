/**
 * Summarizes a resolved configuration as one digest per field. Two summaries can be compared later
 * without revealing values, because differences name only fields.
 */

import { digest } from '../../../lib/digest.ts'
import type { Resolved } from '../types.ts'

type Fields = Readonly<Record<string, string>>
const KINDS = ['agents', 'skills', 'servers'] as const
type SummaryKind = (typeof KINDS)[number]

export interface Summary extends Readonly<Record<SummaryKind, Readonly<Record<string, Fields>>>> {
  readonly digest: string
}
export interface Difference {
  readonly kind: 'agent' | 'skill' | 'server'
  readonly id: string
  readonly change: 'added' | 'removed' | 'changed'
  /** Names of the fields that differ. */
  readonly fields: readonly string[]
}

export function summaryOf(resolved: Resolved): Summary {
  const down = new Map(resolved.unavailable.map(({ name, code }) => [name, code]))
  const agents = resolved.agents.map(({ id, system_prompt: _, origin, ...agent }) => [
    id,
    hashed({ ...agent, origin: origin.key }),
  ])
  // All SKILL.md contents form a single field, because there may be thousands of skills.
  const skills = resolved.skills.map(({ id, origin, files, ...skill }) => [
    id,
    hashed({
      skill_md: skill.file_digest,
      enabled: skill.enabled,
      available: skill.available,
      files: files.map(({ path, size }) => [path, size]),
      origin: origin.key,
    }),
  ])
  const servers = resolved.servers.map(({ name, origin, ...server }) => [
    name,
    hashed({ ...server, available: down.get(name) ?? 'yes', origin: origin.key }),
  ])
  return {
    digest: resolved.digest,
    agents: Object.fromEntries(agents),
    skills: Object.fromEntries(skills),
    servers: Object.fromEntries(servers),
  }
}

const hashed = (entry: object): Fields =>
  Object.fromEntries(
    Object.entries(entry).map(([field, value]) => [field, digest(value ?? null).slice(0, 16)]),
  )

export function differences(left: Summary, right: Summary): readonly Difference[] {
  return KINDS.flatMap((kinds) => {
    const kind = kinds.slice(0, -1) as Difference['kind']
    const ids = new Set([...Object.keys(left[kinds]), ...Object.keys(right[kinds])])
    return [...ids].sort().flatMap((id): Difference[] => {
      const previous = getOwn(left[kinds], id)
      const after = getOwn(right[kinds], id)
      if (previous === undefined) return [{ kind, id, change: 'added', fields: [] }]
      if (after === undefined) return [{ kind, id, change: 'removed', fields: [] }]
      const names = new Set([...Object.keys(previous), ...Object.keys(after)])
      const fields = [...names].filter((name) => previous[name] !== after[name]).sort()
      return fields.length === 0 ? [] : [{ kind, id, change: 'changed', fields }]
    })
  })
}

const getOwn = (map: Readonly<Record<string, Fields>>, id: string): Fields | undefined =>
  Object.hasOwn(map, id) ? map[id] : undefined
