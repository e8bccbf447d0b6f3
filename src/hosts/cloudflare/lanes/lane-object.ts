/**
 * Durable Object of a lane, or of a shard of a lane. It counts slots in stored rows, so that it can
 * be evicted. A slot is leased: if the run's object crashes, the slot is free when the lease
 * expires. Tenants with the fewest slots go first, then priority decides, then the longest wait.
 * When all slots are used, tenants with few slots get a quarter more, at least two. A wake resumes
 * a waiting run.
 */

import { DurableObject } from 'cloudflare:workers'
import type { Wake } from '../../../ports/world.ts'
import { tenantOf } from '../../shared/wake.ts'
import { workerOf } from '../bindings/address.ts'
import type { LaneCalls, ObjectState } from '../bindings/bindings.ts'
import { optionsOf, type WorkerEnv } from '../compose.ts'
import { laneOf, type Pool } from './lanes.ts'

/**
 * Lease duration of a slot in milliseconds. Exceeds the maximum duration of an alarm event (15
 * minutes), so that no active run loses its slot.
 */
const PLACE_MS = 1_200_000
/** Maximum time for a run to respond to its wake, in milliseconds. */
const CALLED_MS = 30_000
const RESERVE_SHARE = 0.25
const KEPT_LEAST = 2

const TABLES = [
  `CREATE TABLE IF NOT EXISTS place (
    p TEXT PRIMARY KEY, tenant TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS waiting (
    n INTEGER PRIMARY KEY AUTOINCREMENT, p TEXT NOT NULL UNIQUE, tenant TEXT NOT NULL,
    wake TEXT NOT NULL)`,
]
/** Selects the next waiting run among the tenants that have fewer slots than the parameter. */
const NEXT = `SELECT waiting.p, waiting.tenant, wake, coalesce(held, 0) AS held FROM waiting
  LEFT JOIN (SELECT tenant, count(*) AS held FROM place GROUP BY tenant) USING (tenant)
  WHERE coalesce(held, 0) < ? 
  ORDER BY held, coalesce(json_extract(wake, '$.priority'), 0) DESC, n LIMIT 1`

export class LaneObject extends DurableObject<WorkerEnv> implements LaneCalls {
  /** Time to which the object's alarm is set, in milliseconds since 1970. */
  #armed: number | undefined

  constructor(ctx: ObjectState, env: WorkerEnv) {
    super(ctx, env)
    for (const sql of TABLES) ctx.storage.sql.exec(sql)
    void ctx.blockConcurrencyWhile(async () => {
      this.#armed = (await ctx.storage.getAlarm()) ?? undefined
    })
  }

  async enter(wakes: readonly Wake[]): Promise<readonly boolean[]> {
    this.#expire()
    const entered = wakes.map((wake) => this.#enter(wake))
    this.#arm()
    return entered
  }

  #enter(wake: Wake): boolean {
    const { partition: p } = wake
    const width = this.#widthFor(wake)
    const free = this.#mostFor(width, tenantOf(p)) > this.#count('place')
    const has = this.#rows('SELECT 1 FROM place WHERE p = ?', p).length > 0
    if (has || free) this.#place(p, Date.now() + PLACE_MS)
    else
      this.#rows(
        `INSERT INTO waiting (p, tenant, wake) VALUES (?, ?, ?)
          ON CONFLICT (p) DO UPDATE SET wake = excluded.wake`,
        ...[p, tenantOf(p), JSON.stringify(wake)],
      )
    return has || free
  }

  async leave(partitions: readonly string[]): Promise<void> {
    for (const partition of partitions) {
      this.#rows('DELETE FROM place WHERE p = ?', partition)
      this.#rows('DELETE FROM waiting WHERE p = ?', partition)
    }
    this.#callBack()
  }

  /** Removes expired slots and gives them to waiting runs. */
  async alarm(): Promise<void> {
    this.#armed = undefined
    this.#expire()
    this.#callBack()
  }

  #rows(sql: string, ...params: readonly (string | number)[]) {
    return this.ctx.storage.sql.exec(sql, ...params).toArray()
  }

  #count(table: 'place' | 'waiting', where = '', ...params: readonly string[]): number {
    return this.#rows(`SELECT count(*) AS n FROM ${table} ${where}`, ...params)[0]!.n as number
  }

  #widthFor({ partition, lane }: Wake): number {
    const pool: Pool = partition.split('/')[1] === 'delivery' ? 'delivery' : lane
    return laneOf(pool, partition, optionsOf(this.env).widths).width
  }

  #expire(): void {
    this.#rows('DELETE FROM place WHERE until <= ?', Date.now())
  }

  /** Returns the total number of used slots below which this tenant may get another slot. */
  #mostFor(width: number, tenant: string): number {
    const { kept: reserved, fair } = shares(width)
    return this.#count('place', 'WHERE tenant = ?', tenant) < fair ? width + reserved : width
  }

  #place(p: string, until: number): void {
    this.#rows('DELETE FROM waiting WHERE p = ?', p)
    this.#rows(
      `INSERT INTO place VALUES (?, ?, ?) ON CONFLICT (p) DO UPDATE SET until = excluded.until`,
      ...[p, tenantOf(p), until],
    )
  }

  #callBack(): void {
    for (;;) {
      const [any] = this.#rows('SELECT wake FROM waiting LIMIT 1')
      if (!any) break
      const width = this.#widthFor(JSON.parse(any.wake as string) as Wake)
      const occupied = this.#count('place')
      const { kept: reserved, fair } = shares(width)
      const most =
        occupied < width ? Number.MAX_SAFE_INTEGER : occupied < width + reserved ? fair : 0
      const [next] = this.#rows(NEXT, most)
      if (!next) break
      this.#place(next.p as string, Date.now() + CALLED_MS)
      const call = this.env.PARTITIONS.getByName(workerOf(next.p as string))
      // If the run's object is unreachable, the slot expires and the run requests another slot.
      const wakeCall = call.wake([JSON.parse(next.wake as string) as Wake], 0).catch(() => {})
      this.ctx.waitUntil(wakeCall)
    }
    this.#arm()
  }

  /** Sets the object's alarm. An early alarm is harmless, but each change is a billed write. */
  #arm(): void {
    const [first] = this.#rows('SELECT min(until) AS at FROM place')
    const at = first?.at as number | null
    if (at === null || at >= (this.#armed ?? Number.POSITIVE_INFINITY)) return
    this.#armed = at
    void this.ctx.storage.setAlarm(at)
  }
}

function shares(width: number): { readonly kept: number; readonly fair: number } {
  const reserved = Math.max(KEPT_LEAST, Math.ceil(width * RESERVE_SHARE))
  // A tenant that is alone in the lane may have at most the lane's normal number of slots.
  return { kept: reserved, fair: Math.min(reserved, width) }
}
