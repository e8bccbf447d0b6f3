/** A row of the store that cannot be what its key says: said so, and never taken for a state. */

import { describe, expect, it } from 'vitest'
import { readRun } from '../../../../src/engine/logs/run.ts'
import { runPartition } from '../../../../src/engine/partition/keys.ts'
import { HEAD } from '../../../../src/ports/world.ts'
import { testApi } from '../../../support/api.ts'
import { settle, startRun, TENANT, testWorld } from '../../../support/drive.ts'

const SECRET = 'sk-never-shown'

/** A world in which the head of the run reads as this text. */
async function damaged(body: string) {
  const world = testWorld()
  const id = await startRun(world, { input: '@say x' })
  await settle(world)
  const { store } = world
  const read: typeof store.read = async (partition, from) =>
    (await store.read(partition, from)).map((row) => (row.key === HEAD ? { ...row, body } : row))
  const settings = { ...world.settings, singleProcess: false }
  const other = { ...world, settings, store: { ...bound(store), read } }
  return readRun(other, runPartition(TENANT, id))
}

/** Methods of a class, so that the copy can be changed. */
const bound = (store: ReturnType<typeof testWorld>['store']) => ({
  read: store.read.bind(store),
  heads: store.heads.bind(store),
  commit: store.commit.bind(store),
  due: store.due.bind(store),
  list: store.list.bind(store),
  find: store.find.bind(store),
  drop: store.drop.bind(store),
})

describe('a damaged head', () => {
  it.each([
    ['that is no JSON', `{"seq": 1, "token": "${SECRET}"`, 'a log head: not valid JSON'],
    ['that is no object', '7', 'a log head: not an object'],
    ['without its seq', `{"commit":"c","token":"${SECRET}"}`, 'seq has type undefined'],
    ['whose commit is no text', '{"seq":1,"commit":7}', 'commit has type number'],
  ])('%s is an error that names its kind and none of its text', async (_, body, said) => {
    const error = await damaged(body).catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ name: 'DamagedRow', message: expect.stringContaining(said) })
    expect(String(error)).not.toContain(SECRET)
  })
})

describe('a damaged row in a list', () => {
  it.each([
    ['/v1/runs', 'a log head'],
    ['/v1/fanouts', 'a log head'],
    ['/v1/sessions', 'a session'],
    ['/v1/approvals', 'an approval'],
    ['/v1/webhook-deliveries', 'a delivery'],
    ['/v1/webhook-endpoints', 'an endpoint'],
    ['/v1/hooks', 'an inbound hook'],
    ['/v1/audit', 'an audit entry'],
    ['/v1/skills/x/versions', 'a version'],
  ])('GET %s names its kind and none of its text', async (path, kind) => {
    const api = await testApi()
    const rows = [{ at: '2026-01-01T00:00:00.000Z x', body: `{"token": "${SECRET}"` }]
    Object.assign(api.world.store, { list: async () => rows })
    const error = await api.call(`GET ${path}`).catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ name: 'DamagedRow', message: expect.stringContaining(kind) })
    expect(String(error)).not.toContain(SECRET)
  })
})
