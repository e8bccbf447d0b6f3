/**
 * Passes that an object is to make, as rows: a wake survives the object's end. Wakes that are due
 * are one row for each partition, later ones one for each time; a wake that comes during a pass
 * means one more. A row that was taken and not done was taken by an object that has died since:
 * that pass may have killed it (protocol rule 34).
 */

import type { Wake } from '../../ports/world.ts'
import { merged } from '../shared/wake.ts'
import type { ObjectRows } from './object-rows.ts'

export interface Wakes {
  /** `at`: ms since 1970; 0: now. */
  add(wake: Wake, at: number): void
  /** The oldest that is due, with all that is due of its partition; taken until it is done. */
  take(now: number): Wake | undefined
  /** Its pass has ended; what came meanwhile stays. */
  done(partition: string): void
  /** When the next one is due; undefined: none waits. */
  next(): number | undefined
}

export function wakesOf(rows: ObjectRows): Wakes {
  /** Taken by this object, as long as it lives. */
  const mine = new Set<string>()
  return {
    add(wake, at) {
      // One that is being served is no longer a wake: to merge with it would make this one fresher.
      const select = 'SELECT body FROM wake WHERE p = ? AND at = ? AND taken = 0'
      const [there] = rows.all({ sql: select, params: [wake.partition, at] })
      const both = there ? merged(JSON.parse(there.body as string) as Wake, wake) : wake
      const sql = `INSERT INTO wake VALUES (?, ?, ?, 0)
        ON CONFLICT DO UPDATE SET body = excluded.body, taken = 0`
      rows.run([{ sql, params: [wake.partition, at, JSON.stringify(both)] }])
    },
    take(now) {
      const due = 'SELECT p FROM wake WHERE at <= ? ORDER BY at LIMIT 1'
      const [first] = rows.all({ sql: due, params: [now] })
      if (!first) return undefined
      const partition = first.p as string
      const of = 'SELECT body, taken FROM wake WHERE p = ? AND at <= ?'
      const found = rows.all({ sql: of, params: [partition, now] })
      const died = !mine.has(partition) && found.some(({ taken }) => taken === 1)
      const wake = found.map(({ body }) => JSON.parse(body as string) as Wake).reduce(merged)
      const sql = 'UPDATE wake SET taken = 1 WHERE p = ? AND at <= ?'
      rows.run([{ sql, params: [partition, now] }])
      mine.add(partition)
      return died ? { ...wake, suspect: true } : wake
    },
    done(partition) {
      mine.delete(partition)
      rows.run([{ sql: 'DELETE FROM wake WHERE p = ? AND taken = 1', params: [partition] }])
    },
    next() {
      const [first] = rows.all({ sql: 'SELECT min(at) AS at FROM wake', params: [] })
      return (first?.at as number | null | undefined) ?? undefined
    },
  }
}
