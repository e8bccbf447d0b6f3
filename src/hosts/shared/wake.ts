/** Encodes queue wakes as JSON, detects messages from other programs, and merges two wakes. */

import type { Wake } from '../../ports/world.ts'

const LANES: ReadonlySet<unknown> = new Set(['main', 'subagent', 'background'])

/**
 * Parses a wake from a queue message; returns undefined for a message that this program never sent.
 */
export function wakeOf(message: unknown): Wake | undefined {
  const value = (typeof message === 'string' ? parsed(message) : message) as Partial<Wake> | null
  if (typeof value !== 'object' || value === null) return undefined
  const { partition, lane, started, staleCount, facts, mail, suspect, priority } = value
  const isValid = typeof partition === 'string' && LANES.has(lane) && typeof staleCount === 'number'
  if (!isValid || typeof started !== 'boolean') return undefined
  const more = suspect === true ? { suspect } : {}
  const hints = {
    ...(typeof facts === 'number' ? { facts } : {}),
    ...(typeof mail === 'string' ? { mail } : {}),
    ...(typeof priority === 'number' ? { priority } : {}),
  }
  return { partition, lane: lane!, started, staleCount, ...hints, ...more }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export const tenantOf = (partition: string): string =>
  partition.slice(0, Math.max(0, partition.indexOf('/')))

/** Merges two wakes into one with the higher urgency and the lower stale count of the two. */
export function merged(first: Wake, second: Wake): Wake {
  return {
    partition: first.partition,
    lane: first.lane,
    started: first.started || second.started,
    staleCount: Math.min(first.staleCount, second.staleCount),
    ...rankOf(first.priority ?? second.priority),
    ...(first.suspect || second.suspect ? { suspect: true } : {}),
  }
}

const rankOf = (priority: number | undefined) => (priority === undefined ? {} : { priority })
