/** Stored form of a commit: fact rows, and the head's next alarm. */

import { LIMITS } from '../../core/limits.ts'
import type { LoggedFact } from '../../core/run/log/facts.ts'
import { RECHECK_MS } from '../../core/run/machine.ts'
import { shellExecute } from '../../core/tools/builtin/shell-execute.ts'
import { shellKill } from '../../core/tools/builtin/shell-kill.ts'
import { shellRead } from '../../core/tools/builtin/shell-read.ts'
import { byteLength } from '../../lib/bytes.ts'
import type { Alarm, Write } from '../../ports/world.ts'
import type { FactRow } from './format.ts'
import { factKey } from './keys.ts'
import type { AnyFact, AnyState, LogType } from './log-type.ts'

/** Duration and renewal interval of a lease, in milliseconds. */
export const LEASE_MS = 60_000
export const RENEW_MS = 20_000
/**
 * Maximum delay of a delayed wake in milliseconds, equal to the queues' maximum. Later wakes rely
 * on the tick.
 */
export const NEAR_MS = 15 * 60_000
/** Grace period in milliseconds before an expired lease counts as dead, because clocks differ. */
export const LEASE_GRACE_MS = 5_000

/**
 * Returns the time of the next pass over a running log. The expiry of its lease reveals a dead
 * owner.
 */
export function recheckAt(
  lease: { readonly until: number } | null | undefined,
  now: number,
): number {
  const dead = (lease?.until ?? 0) + LEASE_GRACE_MS
  return dead > now ? dead : now + RECHECK_MS
}

/** Effect of a commit on the lease: acquire or renew, release, or leave unchanged. */
export type Hold = 'hold' | 'free' | 'leave'

/**
 * Returns the time of a log's next alarm. An early alarm is kept while work continues, because
 * index writes cost (PROTOCOL.md rule 9).
 */
export function wakeAt<S extends AnyState, F extends AnyFact>(
  kind: LogType<S, F>,
  state: S,
  now: number,
  previousWakeAt: number | null,
  hold: Hold,
): number | null {
  const dueAt = kind.machine.wakeAt(state, now)
  if (dueAt === undefined) return null
  if (hold === 'leave' && previousWakeAt !== null) return Math.min(previousWakeAt, dueAt)
  const early =
    previousWakeAt !== null &&
    previousWakeAt <= dueAt &&
    previousWakeAt > now + RENEW_MS + LEASE_GRACE_MS
  return hold === 'hold' && early ? previousWakeAt : dueAt
}

export function alarmOf<S extends AnyState, F extends AnyFact>(
  kind: LogType<S, F>,
  at: number | null,
  state: S,
): Alarm | undefined {
  const lane = kind.turnOf(state)
  return at === null || lane === undefined ? undefined : { at, ...lane }
}

/**
 * Returns the kinds of objects and logs that fact rows reference. Searches the stored text, where
 * quotes in third-party text are escaped. A false match costs one listing.
 */
export const objectsNamed = (
  rows: readonly PutRow[],
): { readonly bodies?: true; readonly files?: true; readonly children?: true } => ({
  ...(rows.some(({ body }) => BODIES.test(body)) ? { bodies: true } : {}),
  ...(rows.some(({ body }) => FILES.test(body)) ? { files: true } : {}),
  ...(rows.some(({ body }) => CHILDREN.test(body)) ? { children: true } : {}),
})
const SHELL = `"tool":"(?:${[shellExecute, shellRead, shellKill].map(({ name }) => name).join('|')})"`
// A shell stores its state as bodies and writes files without a committed plan.
const BODIES = new RegExp(`"(?:digest|agent_entry|fork|tasks)":"|${SHELL}`)
const FILES = new RegExp(`"write":\\{|${SHELL}`)
const CHILDREN = /"mode":"spawn"|"type":"fanout\.created"/

type PutRow = Extract<Write, { op: 'put' }>

export const lengthOf = (rows: readonly PutRow[]): number =>
  rows.reduce((sum, { body }) => sum + body.length, 0)

/** Packs facts into rows up to the size limit. A row never contains facts of two commits. */
export function factRows(
  facts: readonly LoggedFact<AnyFact>[],
  by: { readonly commit: string; readonly epoch: number },
): PutRow[] {
  const rows: PutRow[] = []
  let first: LoggedFact<AnyFact> | undefined
  let texts: string[] = []
  let bytes = 0
  const close = (): void => {
    if (!first) return
    const row: Omit<FactRow, 'facts'> = { ...by, at: first.at, first: first.seq }
    // Each fact is serialized once, for both measuring and storing.
    const body = `${JSON.stringify(row).slice(0, -1)},"facts":[${texts.join(',')}]}`
    rows.push({ op: 'put', key: factKey(first.seq), body, expect: 'absent' })
    first = undefined
    texts = []
    bytes = 0
  }
  for (const stampedFact of facts) {
    const text = JSON.stringify(stampedFact.fact)
    const size = byteLength(text)
    if (bytes + size > LIMITS.commit_row_bytes) close()
    first ??= stampedFact
    texts.push(text)
    bytes += size
  }
  close()
  return rows
}
