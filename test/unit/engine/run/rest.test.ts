import { expect, it } from 'vitest'
import { childId } from '../../../../src/core/run/decide/child.ts'
import { dispatch } from '../../../../src/engine/dispatch.ts'
import { command, createRun } from '../../../../src/engine/logs/run.ts'
import type { Head } from '../../../../src/engine/partition/format.ts'
import { runPartition } from '../../../../src/engine/partition/keys.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import { look, runToRest, settle, startRun, TENANT, testWorld } from '../../../support/drive.ts'

const DAY = 86_400_000

const headOf = async (world: MemoryWorld, partition: string) => {
  const [row] = await world.store.heads([partition])
  return { version: row!.version, head: JSON.parse(row!.body) as Head<unknown> }
}

it('a root at rest with a needless redelivery is left alone until its deletion [I18]', async () => {
  const world = testWorld({ settings: { retentionMs: 30 * DAY } })
  const partition = runPartition(TENANT, await startRun(world, { input: '@say x' }))
  await settle(world)
  const { version, head } = await headOf(world, partition)
  const wake_at = world.clock.now() + 60_000
  const alarm = { at: wake_at, lane: 'main', started: true } as const
  const body = JSON.stringify({ ...head, wake_at, redeliveries: 1 })
  await world.store.commit(partition, [], { expect: version, body, alarm })
  await dispatch(world, { partition, lane: 'main', started: true, staleCount: 0 })
  expect((await headOf(world, partition)).head).toMatchObject({
    wake_at: head.wake_at,
    redeliveries: 0,
  })
})

it('a write to a run deleted concurrently returns not found (rule 40)', async () => {
  const world = testWorld()
  const partition = runPartition(TENANT, await startRun(world, { input: '@say x' }))
  const { commit } = world.store
  const deleting: typeof commit = async () => {
    await world.store.drop(partition)
    return 'conflict'
  }
  Object.assign(world.store, { commit: deleting })
  const facts = [{ type: 'cancel.requested', by: 'key' } as never]
  expect(await command(world, partition, facts)).toBeUndefined()
})

it('a refused subagent cannot be created by a start already in progress in another worker (rule 2)', async () => {
  const world = testWorld({ settings: { singleProcess: false } })
  const spawn = `@spawn 1 ${JSON.stringify({ task: 'x', agent: 'ghost' })}`
  const run = await runToRest(world, { input: `${spawn}\n@say over` })
  expect(run.state.status).toBe('completed')
  const [call] = [...run.state.calls.values()]
  expect(call).toMatchObject({ child: null, result: { is_error: true } })
  const child = childId(run.state.spec!, call!)
  expect((await look(world, child)).state.status).toBe('cancelled')
  const spec = { ...run.state.spec!, id: child }
  const late = await createRun(world, TENANT, child, [{ type: 'run.created', run: spec }])
  expect(late).toMatchObject({ fresh: false, run: { state: { status: 'cancelled' } } })
})
