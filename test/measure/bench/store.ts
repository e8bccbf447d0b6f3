/**
 * How fast the store in a file is here: `npm run bench -- store [folder]`. Prints one line a
 * case: operations a second and microseconds each. The folder should lie on a real disk.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'
import type { Alarm, Store } from '../../../src/ports/world.ts'
import { measure } from './measure.ts'

const folder = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'strata-bench-'))
const store = await openSqlite(join(folder, 'strata.db'))
const alarm: Alarm = { at: Date.now() + 60_000, lane: 'main', started: true }
const fact = JSON.stringify({ text: 'f'.repeat(1_000) })
const head = JSON.stringify({ text: 'h'.repeat(500) })

/** One run: a fact row and the head in each commit, one after another. */
async function life(of: Store, partition: string, commits: number): Promise<void> {
  for (let seq = 0; seq < commits; seq += 1) {
    const key = `f/${String(seq).padStart(8, '0')}`
    const put = { op: 'put', key, body: fact, expect: 'absent' } as const
    const listed = { under: 'runs', at: partition }
    const expect = seq === 0 ? null : seq
    const result = await of.commit(partition, [put], { expect, body: head, alarm, listed })
    if (result !== 'ok') throw new Error(`${partition} ${seq}: ${result}`)
  }
}

for (const width of [1, 8, 64]) {
  const each = 2_048 / width
  await measure(`commits of fact and head, ${width} at once`, 2_048, async () => {
    const lives = Array.from({ length: width }, (_, i) => life(store, `w${width}/${i}`, each))
    await Promise.all(lives)
  })
}
await measure('refused commits, 64 at once', 6_400, async () => {
  for (let i = 0; i < 100; i += 1)
    await Promise.all(
      Array.from({ length: 64 }, () => store.commit('w1/0', [], { expect: 1, body: head })),
    )
})
await measure('reads of a partition of 32 rows', 10_000, async () => {
  for (let i = 0; i < 10_000; i += 1) await store.read(`w64/${i % 64}`)
})
await measure('reads of what is new: one row', 20_000, async () => {
  for (let i = 0; i < 20_000; i += 1) await store.read(`w64/${i % 64}`, 'f/00000031')
})
await measure('heads of 32 partitions', 5_000, async () => {
  const names = Array.from({ length: 32 }, (_, i) => `w64/${i}`)
  for (let i = 0; i < 5_000; i += 1) await store.heads(names)
})
await measure('pages of due, nothing due', 20_000, async () => {
  for (let i = 0; i < 20_000; i += 1) await store.due(0)
})
store.close()
rmSync(folder, { recursive: true })
