/** Logs that earlier versions wrote still mean what they meant; a log of the future is left alone. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runMachine } from '../src/core/run/machine.ts'
import { isTerminal } from '../src/core/run/state.ts'
import { messages } from '../src/core/run/transcript.ts'
import { view } from '../src/core/run/view.ts'
import { handle } from '../src/engine/handle.ts'
import type { Head } from '../src/engine/log.ts'
import { FORMAT, readRun } from '../src/engine/log.ts'
import { runPartition } from '../src/engine/names.ts'
import type { Row, Store } from '../src/ports/world.ts'
import { HEAD } from '../src/ports/world.ts'
import { TENANT, testWorld } from './support/drive.ts'

const FOLDER = join(import.meta.dirname, 'golden')
const logs = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'))

interface Golden {
  readonly rows: Row[]
  readonly view: unknown
}

function read(name: string): Golden {
  const lines = readFileSync(join(FOLDER, name), 'utf8').trimEnd().split('\n')
  const { view: shown } = JSON.parse(lines.pop()!) as { view: unknown }
  return { rows: lines.map((line) => JSON.parse(line) as Row), view: shown }
}

/** A world whose store holds one log as it was written. */
async function worldWith(rows: readonly Row[], change: (head: Head) => Head = (head) => head) {
  const world = testWorld()
  const head = rows.find(({ key }) => key === HEAD)!
  const parsed = JSON.parse(head.body) as Head
  const partition = runPartition(TENANT, parsed.view.id)
  const facts = rows.filter(({ key }) => key !== HEAD)
  await world.store.commit(
    partition,
    facts.map(({ key, body }) => ({ op: 'put', key, body, expect: 'absent' }) as const),
    { expect: null, body: JSON.stringify(change(parsed)) },
  )
  return { world, partition }
}

describe('golden logs', () => {
  it('there are some of each kind of end', () => {
    expect(logs.length).toBeGreaterThanOrEqual(9)
  })

  it.each(logs)('%s folds to what it said then', async (name) => {
    const golden = read(name)
    const { world, partition } = await worldWith(golden.rows)
    const run = await readRun(world, partition)
    expect(view(run!.state)).toMatchObject(golden.view as object)
    expect(isTerminal(run!.state)).toBe(true)
    expect(runMachine.decide(run!.state, world.clock.now())).toEqual([])
    expect(messages(run!.state).length).toBeGreaterThan(0)
  })

  it('a log of an unknown version is never advanced', async () => {
    const { rows } = read('1-plain.jsonl')
    const { world, partition } = await worldWith(rows, (head) => ({ ...head, format: FORMAT + 1 }))
    const commits: unknown[] = []
    const commit: Store['commit'] = async (...args) => {
      commits.push(args)
      return world.store.commit(...args)
    }
    const spied = { ...world, store: { ...world.store, commit } }
    await handle(spied, { partition, lane: 'main', started: false, hops: 0 })
    expect(commits).toEqual([])
    await expect(readRun(world, partition)).rejects.toThrow('newer')
  })
})
