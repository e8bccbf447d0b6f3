/** A store that counts what passes through it: calls, rows and bytes, read and written. */

import type { Store } from '../../src/ports/world.ts'

export interface Counts {
  calls: number
  rows: number
  bytes: number
}

export function countingStore(store: Store): { store: Store; counts: Counts } {
  const counts: Counts = { calls: 0, rows: 0, bytes: 0 }
  const add = (bodies: readonly (string | undefined)[]): void => {
    for (const body of bodies) {
      counts.rows += 1
      counts.bytes += body?.length ?? 0
    }
  }
  const counted: Store = {
    async read(partition, after) {
      counts.calls += 1
      const rows = await store.read(partition, after)
      add(rows.map(({ body }) => body))
      return rows
    },
    async heads(partitions) {
      counts.calls += 1
      const rows = await store.heads(partitions)
      add(rows.map((row) => row?.body))
      return rows
    },
    async commit(partition, writes, head) {
      counts.calls += 1
      add(writes.map((write) => (write.op === 'put' ? write.body : undefined)))
      if (head) add([head.body])
      return store.commit(partition, writes, head)
    },
    due: (now, cursor) => store.due(now, cursor),
    list: (under, before, limit) => store.list(under, before, limit),
    find: (under, wanted) => store.find(under, wanted),
    drop: (partition) => store.drop(partition),
  }
  return { store: counted, counts }
}
