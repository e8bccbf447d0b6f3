/**
 * `node test/measure/bench/fanout-log.ts [--tasks 50,1000]`: what the log of one fan-out takes, on the memory
 * host with the scripted model: facts, commits and bytes of its own partition, its largest row and
 * head, the time to fold it, and how many children it creates when it is cancelled after the first
 * hundred or joins at the first success. docs/decisions/043 rests on these numbers.
 */

import { parseArgs } from 'node:util'
import type { FanoutFact } from '../../../src/core/fanout/facts.ts'
import { fanoutMachine } from '../../../src/core/fanout/machine.ts'
import { JOIN_DEFAULT } from '../../../src/core/run/log/facts.ts'
import { acceptFanout } from '../../../src/engine/fanout/accept.ts'
import { cancelFanout } from '../../../src/engine/fanout/query.ts'
import { fanoutPartition } from '../../../src/engine/partition/keys.ts'
import { factsAfter } from '../../../src/engine/partition/log.ts'
import { memoryStore } from '../../../src/hosts/memory/store.ts'
import { byteLength } from '../../../src/lib/bytes.ts'
import { TENANT, testWorld } from '../../support/drive.ts'
import { together } from '../../support/together.ts'

const { values } = parseArgs({ options: { tasks: { type: 'string', default: '50,1000' } } })

type Way = 'all' | 'any' | 'cancelled'
const CANCEL_AFTER = 100
const FOLDS = 9

async function measure(count: number, way: Way) {
  const memory = memoryStore()
  const counts = { children: 0, commits: 0, bytes: 0, largest_row: 0, largest_head: 0 }
  const own = new Map<string, typeof counts>()
  const commit: typeof memory.commit = async (partition, writes, head) => {
    const result = await memory.commit(partition, writes, head)
    if (result !== 'ok') return result
    if (head?.expect === null && partition.includes('/run/')) counts.children += 1
    const mine = own.get(partition) ?? { ...counts, commits: 0, bytes: 0 }
    own.set(partition, mine)
    const rows = writes.map((write) => (write.op === 'put' ? byteLength(write.body) : 0))
    const size = head === undefined ? 0 : byteLength(head.body)
    mine.commits += 1
    mine.bytes += rows.reduce((sum, bytes) => sum + bytes, size)
    mine.largest_row = Math.max(mine.largest_row, ...rows)
    mine.largest_head = Math.max(mine.largest_head, size)
    return result
  }
  const world = testWorld({ store: { ...memory, commit } })
  const tasks = Array.from({ length: count }, (_, index) => ({ task: `@say part ${index}` }))
  const join = { ...JOIN_DEFAULT, policy: way === 'any' ? 'any' : 'all' } as const
  const began = performance.now()
  const accepted = await acceptFanout(world, TENANT, { tasks, join })
  if (!accepted.ok) throw new Error(accepted.error.detail)
  const partition = fanoutPartition(TENANT, accepted.value.fanout.state.spec!.id)
  if (way === 'cancelled') {
    await together(world, async () => counts.children >= Math.min(count, CANCEL_AFTER))
    const cancelled = cancelFanout(world, partition, 'key')
    await together(world)
    await cancelled
  }
  await together(world)
  const wall_ms = Math.round(performance.now() - began)
  const facts = factsAfter<FanoutFact>(await memory.read(partition), 0)
  const folds = Array.from({ length: FOLDS }, () => {
    const from = performance.now()
    fanoutMachine.evolve(fanoutMachine.initial, facts)
    return performance.now() - from
  }).sort((left, right) => left - right)
  const fold_ms = folds[Math.floor(FOLDS / 2)]!.toFixed(2)
  const { children } = counts
  return {
    tasks: count,
    way,
    ...own.get(partition)!,
    children,
    facts: facts.length,
    fold_ms,
    wall_ms,
  }
}

// The first one compiles what all others use.
await measure(20, 'all')
const found = []
for (const count of values.tasks.split(',').map(Number)) {
  for (const way of ['all', 'any', 'cancelled'] as const) found.push(await measure(count, way))
}
console.table(found)
