/** Logs that earlier versions wrote still mean what they meant; a log of the future is left alone. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FanoutFact } from '../src/core/fanout/facts.ts'
import { fanoutMachine } from '../src/core/fanout/machine.ts'
import { fanoutView } from '../src/core/fanout/view.ts'
import type { FactType } from '../src/core/run/log/facts.ts'
import { runMachine } from '../src/core/run/machine.ts'
import { messages } from '../src/core/run/prompt/transcript.ts'
import { isTerminal } from '../src/core/run/state/state.ts'
import { view } from '../src/core/run/views/view.ts'
import { dispatch } from '../src/engine/dispatch.ts'
import { readFanout } from '../src/engine/logs/fanout.ts'
import { readRun } from '../src/engine/logs/run.ts'
import type { Head } from '../src/engine/partition/format.ts'
import { FORMAT } from '../src/engine/partition/format.ts'
import { fanoutPartition, runPartition } from '../src/engine/partition/keys.ts'
import type { Row, Store } from '../src/ports/world.ts'
import { HEAD } from '../src/ports/world.ts'
import { TENANT, testWorld } from './support/drive.ts'

const FOLDER = join(import.meta.dirname, 'fixtures/golden')
const all = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'))
const isFanout = (name: string): boolean => name.includes('fan-out')
const logs = all.filter((name) => !isFanout(name))

/** Every kind of fact that a log may hold. A new one needs a log that holds it: `npm run golden`. */
const FACTS: Readonly<Record<FactType | FanoutFact['type'], true>> = {
  'run.created': true,
  'run.started': true,
  'assistant.message': true,
  'message.received': true,
  'tool.call': true,
  'tool.paused': true,
  'tool.result': true,
  'transcript.compacted': true,
  'memory.noted': true,
  'memory.flushed': true,
  'skill.activated': true,
  'approval.requested': true,
  'approval.decided': true,
  'question.asked': true,
  'question.answered': true,
  'todos.updated': true,
  'subagent.spawned': true,
  'subagent.waiting': true,
  'subagent.resumed': true,
  'subagent.announced': true,
  'subagent.failed': true,
  'barrier.released': true,
  'run.waiting': true,
  'run.resumed': true,
  'budget.reached': true,
  'model.unavailable': true,
  'model.recovered': true,
  'clock.stepped': true,
  'assistant.discarded': true,
  'cancel.requested': true,
  'run.completed': true,
  'run.failed': true,
  'run.cancelled': true,
  'run.timed_out': true,
  'fanout.created': true,
  'fanout.completed': true,
  'fanout.failed': true,
  'fanout.cancelled': true,
  'fanout.extended': true,
  'fanout.sealed': true,
  'page.started': true,
  'page.ended': true,
}

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
  const { id } = parsed.view
  const partition = (id.startsWith('fan_') ? fanoutPartition : runPartition)(TENANT, id)
  const facts = rows.filter(({ key }) => key !== HEAD)
  await world.store.commit(
    partition,
    facts.map(({ key, body }) => ({ op: 'put', key, body, expect: 'absent' }) as const),
    { expect: null, body: JSON.stringify(change(parsed)) },
  )
  return { world, partition }
}

describe('golden logs', () => {
  it('contain every kind of fact', () => {
    const rows = all.flatMap((name) => read(name).rows)
    const kept = rows
      .filter(({ key }) => key.startsWith('f/'))
      .flatMap(({ body }) => (JSON.parse(body) as { facts: { type: string }[] }).facts)
    expect([...new Set(kept.map(({ type }) => type))].sort()).toEqual(Object.keys(FACTS).sort())
  })

  it.each(logs)('%s of a run folds to the view recorded with it', async (name) => {
    const golden = read(name)
    const { world, partition } = await worldWith(golden.rows)
    const run = await readRun(world, partition)
    expect(view(run!.state)).toMatchObject(golden.view as object)
    expect(isTerminal(run!.state)).toBe(true)
    expect(runMachine.decide(run!.state, world.clock.now())).toEqual([])
    expect(messages(run!.state).length).toBeGreaterThan(0)
  })

  it.each(all.filter(isFanout))(
    '%s of a fan-out folds to the view recorded with it',
    async (name) => {
      const golden = read(name)
      const { world, partition } = await worldWith(golden.rows)
      const { state } = (await readFanout(world, partition))!
      expect(fanoutView(state)).toMatchObject(golden.view as object)
      expect(state.ended_at).not.toBeNull()
      expect(fanoutMachine.decide(state, world.clock.now())).toEqual([])
    },
  )

  it.each([
    ['1-plain.jsonl', readRun],
    ['1-fan-out.jsonl', readFanout],
  ])('a log of an unknown version is never advanced: %s', async (name, readIt) => {
    const { rows } = read(name)
    const { world, partition } = await worldWith(rows, (head) => ({ ...head, format: FORMAT + 1 }))
    const commits: unknown[] = []
    const commit: Store['commit'] = async (...args) => {
      commits.push(args)
      return world.store.commit(...args)
    }
    const spied = { ...world, store: { ...world.store, commit } }
    await dispatch(spied, { partition, lane: 'main', started: false, staleCount: 0 })
    expect(commits).toEqual([])
    await expect(readIt(world, partition)).rejects.toThrow('newer')
  })
})
