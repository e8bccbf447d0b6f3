/**
 * `npm run golden`, of runs that wait: a whole world each, because whoever goes on with such a run
 * needs what it was pinned to. A world that is there is never rewritten.
 */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { view } from '../../src/core/run/views/view.ts'
import { dispatch } from '../../src/engine/dispatch.ts'
import { MAILBOX, runPartition } from '../../src/engine/partition/keys.ts'
import type { RunRequest } from '../../src/engine/run/request.ts'
import type { MemoryWorld } from '../../src/hosts/memory/world.ts'
import { decode } from '../../src/lib/bytes.ts'
import type { Alarm, Listing, Row, Store } from '../../src/ports/world.ts'
import { HEAD } from '../../src/ports/world.ts'
import { BANK, bank, OPEN, setPolicy } from '../support/approvals.ts'
import { look, putFiles, startRun, TENANT, testWorld, withTime } from '../support/drive.ts'

export const PARKED = join(import.meta.dirname, '../fixtures/golden/parked')

/** A row with what the store knows of it besides. */
export interface KeptRow extends Pick<Row, 'key' | 'body'> {
  readonly partition: string
  readonly alarm?: Alarm
  readonly listed?: Listing
}
export interface KeptObject {
  readonly object: string
  readonly text: string
}
/** The last line of a file. */
export interface Parked {
  readonly run: string
  readonly now: number
  readonly view: unknown
}

const SCENARIOS: Readonly<Record<string, RunRequest>> = {
  'waits-for-a-child': { input: '@spawn 1 {"task":"@say part"}\n@await\n@say saw {results}' },
  'waits-for-a-child-within-a-step': {
    input: '@spawn 1 {"task":"@say part","wait":true}\n@say saw {tools}',
  },
  'waits-for-a-person': { input: '@call mcp__bank__pay {"amount":1}\n@say {last}' },
  'waits-for-a-model': { input: '@fail 503 times=1\n@say at last' },
}

type Beside = Pick<KeptRow, 'alarm' | 'listed'>

/** A store that tells what it was given with each row; a put states all of it. */
function subscribed(store: Store, beside: Map<string, Beside>): Store {
  return {
    ...store,
    async commit(partition, writes, head) {
      const result = await store.commit(partition, writes, head)
      if (result !== 'ok') return result
      for (const { alarm, listed, key } of [
        ...writes.flatMap((write) => (write.op === 'put' ? write : [])),
        ...(head ? [{ ...head, key: HEAD }] : []),
      ]) {
        beside.set(`${partition} ${key}`, {
          ...(alarm ? { alarm } : {}),
          ...(listed ? { listed } : {}),
        })
      }
      return result
    },
  }
}

/** Handles wakes until none is due, but none for the run once its subagent has told it its end. */
async function untilParked(world: MemoryWorld, parent: string): Promise<void> {
  for (;;) {
    const rows = await world.store.read(parent)
    const told = rows.some(({ key }) => key.startsWith(MAILBOX))
    const wakes = world.queue.take().filter(({ partition }) => !told || partition !== parent)
    if (wakes.length === 0) return
    for (const wake of wakes) await withTime(world, dispatch(world, wake))
  }
}

async function parkedAs(request: RunRequest): Promise<string> {
  const plain = testWorld({ tools: bank().tools, web: OPEN })
  const beside = new Map<string, Beside>()
  const partitions = new Set<string>()
  const store = subscribed(plain.store, beside)
  const world = { ...plain, store }
  await putFiles(world, { 'base/.agents/config.toml': BANK })
  await setPolicy(world, { approvals: { '*__pay': 'ask' } })
  const run = await startRun(world, request)
  await untilParked(world, runPartition(TENANT, run))
  for (const key of beside.keys()) partitions.add(key.split(' ')[0]!)
  const lines: (KeptRow | KeptObject | Parked)[] = []
  for (const partition of [...partitions].sort()) {
    for (const { key, body } of await store.read(partition)) {
      lines.push({ partition, key, body, ...beside.get(`${partition} ${key}`) })
    }
  }
  for (const { key } of (await world.objects.list(`${TENANT}/`)).objects) {
    lines.push({ object: key, text: decode((await world.objects.get(key))!.body) })
  }
  const { state } = await look(world, run)
  lines.push({ run, now: world.clock.now(), view: view(state) })
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
}

if (import.meta.main) {
  mkdirSync(PARKED, { recursive: true })
  for (const [name, request] of Object.entries(SCENARIOS)) {
    const path = join(PARKED, `1-${name}.jsonl`)
    if (!existsSync(path)) writeFileSync(path, await parkedAs(request))
  }
}
