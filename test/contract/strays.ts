/**
 * A letter that comes when its partition has been dropped must not stay due for ever: on every
 * store the minute clock removes it, once, and touches nothing that has a head.
 */

import { expect, it } from 'vitest'
import { tick } from '../../src/engine/worker/tick.ts'
import { memoryWorld } from '../../src/hosts/memory/world.ts'
import type { Store } from '../../src/ports/world.ts'
import { alarmAt, dueOf, eventually, fresh, keys, type MakeStore, put } from './store/kit.ts'

const DUE = 1_000

/** The store as if only these partitions were in it: others of the same table are not ours. */
const onlyWith = (store: Store, partitions: readonly string[]): Store => ({
  ...store,
  due: async (now) => ({ entries: await dueOf(store, partitions, now) }),
})

export function strayLetters(name: string, make: MakeStore): void {
  it(`${name}: the clock removes mail that arrives after its partition was dropped`, async () => {
    const store = await make()
    const [gone, alive] = [fresh(), fresh()].map((id) => `test/run/${id}`) as [string, string]
    const mail = (key: string) => put(key, '{}', { alarm: alarmAt(DUE) })
    const head = JSON.stringify({ wake_at: DUE, redeliveries: 0, listed: null })
    for (const partition of [gone, alive])
      await store.commit(partition, [put('f/1')], { expect: null, body: head })
    await store.drop(gone)
    const late = Array.from({ length: 60 }, (_, i) =>
      mail(`mail/run_${String(i).padStart(2, '0')}`),
    )
    expect(await store.commit(gone, late)).toBe('ok')
    expect(await store.commit(alive, [mail('mail/run_x')])).toBe('ok')
    const both = [gone, alive]
    await eventually(async () => expect(await dueOf(store, both, DUE)).toHaveLength(61))
    const world = memoryWorld({ store: onlyWith(store, both) })
    await tick(world)
    expect(world.queue.take().map(({ partition }) => partition)).toEqual([alive])
    expect(await store.read(gone)).toEqual([])
    expect(keys(await store.read(alive))).toEqual(['f/1', 'head', 'mail/run_x'])
    await eventually(async () => expect(await dueOf(store, [gone], DUE)).toEqual([]))
  })
}
