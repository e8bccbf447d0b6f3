/** Rule 23: what was paid for an answer that does not count is recorded, and counts. */

import { expect, it } from 'vitest'
import { dispatch } from '../../../../src/engine/dispatch.ts'
import { runLogType } from '../../../../src/engine/logs/run.ts'
import { runPartition } from '../../../../src/engine/partition/keys.ts'
import { Transaction } from '../../../../src/engine/partition/transaction.ts'
import type { LogEntry } from '../../../../src/ports/world.ts'
import {
  factsOf,
  look,
  settle,
  startRun,
  TENANT,
  testWorld,
  withTime,
} from '../../../support/drive.ts'
import { scriptModel } from '../../../support/script.ts'

it('a failed attempt that used tokens appears in the log and in the usage', async () => {
  const world = testWorld()
  const id = await startRun(world, { input: '@cut times=1\n@say at last' })
  await settle(world)
  world.clock.advance(2_000)
  await settle(world)
  const { state } = await look(world, id)
  expect(state.status).toBe('completed')
  expect(state.usage).toMatchObject({ input_tokens: 20, output_tokens: 10, model_calls: 2 })
  const spent = (await factsOf(world, id)).find(({ type }) => type === 'assistant.discarded')
  expect(spent).toMatchObject({ step: 0, usage: { input_tokens: 10, model_calls: 1 } })
})

it('a budget of calls includes failed attempts that used tokens', async () => {
  const world = testWorld()
  const id = await startRun(world, {
    input: '@cut times=2\n@say too late',
    limits: { max_model_calls: 2 },
  })
  await settle(world)
  for (const ms of [2_000, 12_000]) {
    world.clock.advance(ms)
    await settle(world)
  }
  const { state } = await look(world, id)
  expect([state.status, state.stop_reason]).toEqual(['completed', 'budget'])
  expect(state.usage.model_calls).toBe(2)
})

it('two workers with the same request record one answer and the usage of both', async () => {
  const model = scriptModel()
  const world = testWorld({ model, settings: { singleProcess: false, flushMs: 5_000 } })
  const id = await startRun(world, { input: '@slow 500\n@call file_list {}\n@then\n@say once' })
  world.queue.take()
  const partition = runPartition(TENANT, id)
  const wake = { partition, lane: 'main', started: false, staleCount: 0 } as const
  const other = { ...world, settings: { ...world.settings, worker: 'another' } }
  await withTime(world, Promise.all([dispatch(world, wake), dispatch(other, wake)]))
  await settle(world)
  const { state } = await look(world, id)
  expect(state.status).toBe('completed')
  expect(model.requests.length).toBeGreaterThan(2)
  expect(state.usage.model_calls).toBe(model.requests.length)
})

it('an answer after the end of its run is logged for the operator', async () => {
  const entries: LogEntry[] = []
  const world = testWorld({ log: { write: (entry) => void entries.push(entry) } })
  const id = await startRun(world, { input: '@say done' })
  await settle(world)
  const transaction = await Transaction.open(world, runLogType, runPartition(TENANT, id))
  const [answer] = (await factsOf(world, id)).filter(({ type }) => type === 'assistant.message')
  transaction.observe([answer!])
  expect(await transaction.commit(0, 'leave')).toBe(true)
  expect(entries.filter(({ event }) => event === 'model.answered_late')).toMatchObject([
    { level: 'warn', run_id: id, input_tokens: 10, output_tokens: 5 },
  ])
  expect((await look(world, id)).state.usage.model_calls).toBe(1)
})
