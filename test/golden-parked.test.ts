/**
 * Runs that an earlier version left waiting are driven to their end by this one; and one that a
 * newer version has written to is left as it is, whatever is due for it (PROTOCOL.md rule 36).
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { view } from '../src/core/run/views/view.ts'
import { FORMAT, type Head, UnknownFormat } from '../src/engine/partition/format.ts'
import { approvalsList, MAILBOX, runPartition } from '../src/engine/partition/keys.ts'
import { decideApproval } from '../src/engine/run/approvals.ts'
import { tick } from '../src/engine/worker/tick.ts'
import type { MemoryWorld } from '../src/hosts/memory/world.ts'
import { encode } from '../src/lib/bytes.ts'
import type { Store, Write } from '../src/ports/world.ts'
import { HEAD } from '../src/ports/world.ts'
import { testApi } from './support/api.ts'
import { bank, OPEN } from './support/approvals.ts'
import { factsOf, look, outputOf, settle, TENANT, testWorld } from './support/drive.ts'
import { requestsOf } from './support/script.ts'
import { type KeptObject, type KeptRow, PARKED, type Parked } from './tools/golden-parked.ts'

const all = readdirSync(PARKED)
const MINUTE = 60_000

function read(name: string) {
  const lines = readFileSync(join(PARKED, name), 'utf8').trimEnd().split('\n')
  const values = lines.map((line) => JSON.parse(line) as KeptRow | KeptObject | Parked)
  return {
    parked: values.pop() as Parked,
    rows: values.filter((one): one is KeptRow => 'partition' in one),
    objects: values.filter((one): one is KeptObject => 'object' in one),
  }
}

/** Brings back what was kept; `change` says what the head of the run is to be instead. */
async function restore(
  world: MemoryWorld,
  name: string,
  change: (head: Head) => Head = (head) => head,
): Promise<{ readonly run: string; readonly partition: string; readonly view: unknown }> {
  const { parked, rows, objects } = read(name)
  world.clock.set(parked.now)
  for (const { object, text } of objects) await world.objects.put(object, encode(text), 'any')
  const partition = runPartition(TENANT, parked.run)
  for (const [where, of] of Map.groupBy(rows, (row) => row.partition)) {
    const writes = of.flatMap(({ key, body, alarm, listed }): Write[] =>
      key === HEAD ? [] : [{ op: 'put', key, body, expect: 'absent', alarm, listed }],
    )
    const head = of.find(({ key }) => key === HEAD)
    const text = (body: string): string =>
      where === partition ? JSON.stringify(change(JSON.parse(body) as Head)) : body
    const kept = head && { ...head, body: text(head.body), expect: null }
    expect(await world.store.commit(where, writes, kept)).toBe('ok')
  }
  return { ...parked, partition }
}

/** Nothing but the minute clock, and a person who says yes. */
async function untilItEnds(world: MemoryWorld, run: string): Promise<void> {
  for (let minute = 0; minute < 30; minute += 1) {
    for (const { body } of await world.store.list(approvalsList(TENANT, 'pending'))) {
      const { id } = JSON.parse(body) as { id: string }
      await decideApproval(world, TENANT, id, { decision: 'approve', by: 'somebody' })
    }
    world.clock.advance(MINUTE)
    await tick(world)
    await settle(world)
    if ((await look(world, run)).state.ended_at !== null) return sealAudit(world)
  }
  throw new Error('it waits for ever')
}

/** Lets the audit entry of a decision settle, so that its page is sealed and has no alarm. */
async function sealAudit(world: MemoryWorld): Promise<void> {
  world.clock.advance(MINUTE)
  await tick(world)
  await settle(world)
}

const SAYS: Readonly<Record<string, RegExp>> = {
  '1-waits-for-a-child.jsonl': /^saw 1$/,
  '1-waits-for-a-child-within-a-step.jsonl': /^saw 1$/,
  '1-waits-for-a-person.jsonl': /pay done/,
  '1-waits-for-a-model.jsonl': /^at last$/,
}

describe('golden logs of waiting runs', () => {
  it('all have an expectation', () => {
    expect(all.toSorted()).toEqual(Object.keys(SAYS).toSorted())
  })

  it.each(all)('%s folds to the state recorded with it, and continues to its end', async (name) => {
    const { tools, calls } = bank()
    const world = testWorld({ tools, web: OPEN })
    const { run, view: shown } = await restore(world, name)
    expect(view((await look(world, run)).state)).toMatchObject(shown as object)
    const before = await factsOf(world, run)
    await untilItEnds(world, run)
    const ended = await look(world, run)
    expect(ended.state.status).toBe('completed')
    expect(outputOf(ended)).toMatch(SAYS[name]!)
    const told = JSON.stringify(requestsOf(world).at(-1))
    expect(told.includes('duration_ms')).toBe(name.includes('child'))
    expect((await factsOf(world, run)).slice(0, before.length)).toEqual(before)
    expect(calls.length).toBe(name.includes('person') ? 1 : 0)
    const { entries } = await world.store.due(world.clock.now() + 100 * MINUTE)
    // The audit entry of a decision is sealed later.
    const due = entries.filter(({ partition }) => !partition.includes('/chain/'))
    expect(due).toEqual([])
  })
})

describe('a waiting run in a log of an unknown version', () => {
  it.each(all)('%s is not advanced, and only its alarm moves', async (name) => {
    const world = testWorld({ tools: bank().tools, web: OPEN })
    const newer = (head: Head): Head => ({ ...head, format: FORMAT + 1 })
    const { partition } = await restore(world, name, newer)
    const rows = async () => (await world.store.read(partition)).filter(({ key }) => key !== HEAD)
    const before = await rows()
    expect(before.some(({ key }) => key.startsWith(MAILBOX))).toBe(name.includes('child'))
    const alarms: number[] = []
    const commit: Store['commit'] = async (where, writes, head) => {
      expect([where, writes]).toEqual([partition, []])
      alarms.push(head!.alarm!.at)
      return world.store.commit(where, writes, head)
    }
    const spied = { ...world, store: { ...world.store, commit } }
    const due = (JSON.parse(headOf(name)) as Head).wake_at!
    world.clock.set(Math.max(due, world.clock.now() + MINUTE))
    for (let minute = 0; minute < 3; minute += 1) {
      await tick(spied)
      await settle(spied)
      const head = (await world.store.heads([partition]))[0]!
      expect((JSON.parse(head.body) as Head).wake_at).toBe(alarms.at(-1))
      expect(alarms.at(-1)).toBeGreaterThan(world.clock.now())
      world.clock.advance(MINUTE)
    }
    // Sent again after one minute and then after two, not each minute.
    expect(new Set(alarms).size).toBe(2)
    expect(await rows()).toEqual(before)
  })

  it.each(all)('%s returns 503 with the time to retry', async (name) => {
    const { world, call } = await testApi()
    const newer = (head: Head): Head => ({ ...head, format: FORMAT + 1 })
    const { run, partition } = await restore(world, name, newer)
    const before = await world.store.read(partition)
    for (const [request, body] of [
      [`GET /v1/runs/${run}`],
      [`GET /v1/runs/${run}/events`],
      [`POST /v1/runs/${run}/messages`, { content: 'are you there?' }],
      [`POST /v1/runs/${run}/cancel`, {}],
    ] as const) {
      const answer = await call(request, body, { accept: 'application/json' })
      expect([request, answer.status]).toEqual([request, 503])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(answer.headers.get('content-type')).toMatch('application/problem+json')
    }
    expect(await world.store.read(partition)).toEqual(before)
    await expect(look(world, run)).rejects.toThrow(UnknownFormat)
  })
})

/** The head that a file's run has. */
function headOf(name: string): string {
  const { parked, rows } = read(name)
  const partition = runPartition(TENANT, parked.run)
  return rows.find((row) => row.partition === partition && row.key === HEAD)!.body
}
