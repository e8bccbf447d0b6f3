/** What the server shows at the end: every run and subagent with its log, and every delivery. */

import type { Event } from '../../../src/core/run/views/event.ts'
import type { Client } from '../../support/launch.ts'
import { eventPages } from '../../support/launch.ts'
import type { Ledger } from './acknowledged.ts'

export interface FoundRun {
  readonly id: string
  readonly kind: string
  readonly status: string
  readonly parent_run_id: string | null
  readonly started_at: string | null
  readonly ended_at: string | null
  readonly metadata: Readonly<Record<string, string>>
}
export interface FoundDelivery {
  readonly id: string
  readonly run_id: string
  readonly seq: number
  readonly event_type: string
  readonly status: string
  readonly next_at: string | null
}

export interface FoundFanout {
  readonly id: string
  readonly status: string
  readonly closing_run_id: string | null
  /** Where one is looked at by itself. */
  readonly results?: readonly { readonly run_id: string | null; readonly status: string }[]
}

export const TERMINAL: ReadonlySet<string> = new Set([
  'completed',
  'failed',
  'cancelled',
  'timed_out',
])
const LIMIT = 100

/** All pages of a list. */
async function everyPage<T>(server: Client, path: string): Promise<T[]> {
  const all: T[] = []
  for (let cursor: string | null = null; ; ) {
    const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page: { data: T[]; next_cursor: string | null } = await server.get(
      `${path}?limit=${LIMIT}${after}`,
    )
    all.push(...page.data)
    if (page.next_cursor === null) return all
    cursor = page.next_cursor
  }
}

export const listedRuns = (server: Client): Promise<FoundRun[]> => everyPage(server, '/v1/runs')
export const listedFanouts = (server: Client): Promise<FoundFanout[]> =>
  everyPage(server, '/v1/fanouts')
export const listedDeliveries = (server: Client): Promise<FoundDelivery[]> =>
  everyPage(server, '/v1/webhook-deliveries')

/** The log of the run and of every subagent below it, by run. */
export async function logsBelow(
  server: Client,
  run: string,
  into: Map<string, readonly Event[]>,
): Promise<void> {
  const log = await eventPages(server, run)
  into.set(run, log)
  for (const event of log) {
    if (event.type === 'subagent.spawned') await logsBelow(server, String(event.data.run_id), into)
  }
}

const DUE_MS = 3_000

/**
 * What is not at rest yet: runs that go on, ends whose delivery is still owed (whoever committed the
 * end may have died right after it), deliveries whose next attempt is due or overdue.
 */
export async function unrest(server: Client, transaction: Ledger): Promise<string[]> {
  const accepted = transaction.runs
  const runs = await listedRuns(server)
  const deliveries = await listedDeliveries(server)
  const soon = Date.now() + DUE_MS
  const ended = new Set(runs.filter(({ status }) => TERMINAL.has(status)).map(({ id }) => id))
  const ends = deliveries.filter(({ event_type }) => TERMINAL.has(event_type.slice('run.'.length)))
  const told = new Set(ends.map(({ run_id }) => run_id))
  const listed = new Set(runs.map(({ id }) => id))
  return [
    ...accepted.filter(({ id }) => !listed.has(id)).map(({ id }) => `${id} is in no list yet`),
    ...(await unrestOfFanouts(server, transaction, deliveries)),
    ...accepted
      .filter(({ id, webhook }) => webhook && ended.has(id) && !told.has(id))
      .map(({ id }) => `${id} has ended, its webhook waits`),
    ...runs
      .filter(({ status }) => !TERMINAL.has(status))
      .map(({ id, status }) => `${id} ${status}`),
    ...deliveries
      .filter((one) => one.status === 'pending' && Date.parse(one.next_at ?? '') <= soon)
      .map(({ id, next_at }) => `${id} due at ${next_at}`),
  ]
}

async function unrestOfFanouts(
  server: Client,
  { fanouts }: Ledger,
  deliveries: readonly FoundDelivery[],
): Promise<string[]> {
  if (fanouts.length === 0) return []
  const told = new Set(deliveries.map(({ run_id }) => run_id))
  return (await listedFanouts(server)).flatMap(({ id, status }) => {
    if (!TERMINAL.has(status)) return [`${id} ${status}`]
    return told.has(id) ? [] : [`${id} has ended, its webhook waits`]
  })
}
