/** A wake as it travels in a cloud's queue: JSON; foreign messages are recognised as such. */

import type { Wake } from '../../ports/world.ts'

const LANES: ReadonlySet<unknown> = new Set(['main', 'subagent', 'background'])

/** Undefined for what this program never sent; nobody can do anything about such a message. */
export function wakeOf(message: unknown): Wake | undefined {
  const value = (typeof message === 'string' ? parsed(message) : message) as Partial<Wake> | null
  if (typeof value !== 'object' || value === null) return undefined
  const { partition, lane, started, staleCount, facts, mail, suspect } = value
  const known = typeof partition === 'string' && LANES.has(lane) && typeof staleCount === 'number'
  if (!known || typeof started !== 'boolean') return undefined
  const more = suspect === true ? { suspect } : {}
  const hints = {
    ...(typeof facts === 'number' ? { facts } : {}),
    ...(typeof mail === 'string' ? { mail } : {}),
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
