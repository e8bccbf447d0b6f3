/** A commit as the store sees it: rows of facts, and the head's next alarm. */

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

/** A lease lasts so long, and is renewed so often while effects run (milliseconds). */
export const LEASE_MS = 60_000
export const RENEW_MS = 20_000
/**
 * A wake before `wakeAt` is sent along when the time is so near, which is as long as queues keep
 * one; beyond that the tick is enough.
 */
export const NEAR_MS = 15 * 60_000
/** A lease counts as dead only this long after its end: clocks differ. */
export const LEASE_GRACE_MS = 5_000

/** When the next pass over a running log is due: a dead lease owner shows when its lease ends. */
export function recheckAt(
  lease: { readonly until: number } | null | undefined,
  now: number,
): number {
  const dead = (lease?.until ?? 0) + LEASE_GRACE_MS
  return dead > now ? dead : now + RECHECK_MS
}

/** A commit's action on the lease: take or renew it, free it, or leave it as found. */
export type Hold = 'hold' | 'free' | 'leave'

/** An early enough time is not rewritten while work goes on: index writes cost (rule 9). */
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
 * The kinds of things that rows of facts name: objects, and logs below. Rows are searched as they
 * are stored: third-party text has its quotes escaped there, and text that looks like a name costs
 * a listing.
 */
export const objectsNamed = (
  rows: readonly PutRow[],
): { readonly bodies?: true; readonly files?: true; readonly children?: true } => ({
  ...(rows.some(({ body }) => BODIES.test(body)) ? { bodies: true } : {}),
  ...(rows.some(({ body }) => FILES.test(body)) ? { files: true } : {}),
  ...(rows.some(({ body }) => CHILDREN.test(body)) ? { children: true } : {}),
})
const SHELL = `"tool":"(?:${[shellExecute, shellRead, shellKill].map(({ name }) => name).join('|')})"`
// A shell keeps its state among the bodies, and writes files of which no plan is committed.
const BODIES = new RegExp(`"(?:digest|agent_entry|fork|tasks)":"|${SHELL}`)
const FILES = new RegExp(`"write":\\{|${SHELL}`)
const CHILDREN = /"mode":"spawn"|"type":"fanout\.created"/

type PutRow = Extract<Write, { op: 'put' }>

export const lengthOf = (rows: readonly PutRow[]): number =>
  rows.reduce((sum, { body }) => sum + body.length, 0)

/** Several facts share a row as long as it stays under its bound; a row never tears a commit. */
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
    // Each fact is written out once: to be measured, and to be stored.
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
