/** The filter `status` of a fan-out's tasks: what it finds, where it continues, what it reads. */

import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../../src/engine/dispatch.ts'
import type { Fanout } from '../../../../src/engine/fanout/accept.ts'
import { searchTasks } from '../../../../src/engine/fanout/task-search.ts'
import { readFanout } from '../../../../src/engine/logs/fanout.ts'
import { fanoutPartition } from '../../../../src/engine/partition/keys.ts'
import { TENANT, withTime } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'

type TaskStatus = 'queued' | 'live' | 'completed' | 'failed' | 'cancelled' | 'timed_out'

const said = (text: string) => ({ task: `@say ${text}` })
const FAILS = { task: '@fail 400' }

async function create(api: TestApi, json: object): Promise<string> {
  const { status, body } = await api.call('POST', '/v1/fanouts', { json })
  expect(status).toBe(202)
  return body.id
}
const add = async (api: TestApi, id: string, page: number, tasks: readonly unknown[]) => {
  const added = await api.call('POST', `/v1/fanouts/${id}/tasks`, { json: { page, tasks } })
  expect(added.status).toBe(202)
}
const page = async (api: TestApi, id: string, query: string) =>
  api.call('GET', `/v1/fanouts/${id}/tasks?${query}`)

/** Indices of all tasks with these statuses, read page by page. */
async function indicesOf(api: TestApi, id: string, status: string, limit = 2): Promise<number[]> {
  const all: number[] = []
  for (let cursor = ''; ; ) {
    const { body } = await page(api, id, `status=${status}&limit=${limit}${cursor}`)
    all.push(...body.data.map(({ index }: { index: number }) => index))
    expect(body.has_more).toBe(body.next_cursor !== null)
    if (body.next_cursor === null) return all
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
  }
}

const fanoutOf = async (api: TestApi, id: string): Promise<Fanout> =>
  (await readFanout(api.world, fanoutPartition(TENANT, id)))!

describe('GET /v1/fanouts/{id}/tasks?status=', () => {
  it('200 returns the tasks with one of the statuses, in pages, by index', async () => {
    const api = await testApi()
    const tasks = [said('a'), FAILS, said('b'), FAILS, FAILS, said('c')]
    const id = await create(api, { tasks })
    expect(await indicesOf(api, id, 'queued')).toEqual([0, 1, 2, 3, 4, 5])
    expect(await indicesOf(api, id, 'failed')).toEqual([])
    await api.settle()
    expect(await indicesOf(api, id, 'failed')).toEqual([1, 3, 4])
    expect(await indicesOf(api, id, 'completed')).toEqual([0, 2, 5])
    expect(await indicesOf(api, id, 'completed,failed', 4)).toEqual([0, 1, 2, 3, 4, 5])
    expect(await indicesOf(api, id, 'queued,live,cancelled,timed_out')).toEqual([])
    const all = (await api.call('GET', `/v1/fanouts/${id}/tasks`)).body.data
    const failed = (await page(api, id, 'status=failed')).body.data
    expect(failed).toEqual(all.filter(({ status }: { status: string }) => status === 'failed'))
  })

  it('200 finds the same tasks in an open fan-out, with pages that have not started', async () => {
    const api = await testApi()
    const id = await create(api, { open: true })
    await add(api, id, 3, [FAILS, said('a')])
    await add(api, id, 0, [said('b'), said('c')])
    expect(await indicesOf(api, id, 'queued')).toEqual([0, 1, 3_000, 3_001])
    await api.settle()
    await add(api, id, 1, [said('d'), FAILS, FAILS])
    expect(await indicesOf(api, id, 'queued')).toEqual([1_000, 1_001, 1_002])
    expect(await indicesOf(api, id, 'failed')).toEqual([3_000])
    await api.settle()
    expect(await indicesOf(api, id, 'failed')).toEqual([1_001, 1_002, 3_000])
    expect(await indicesOf(api, id, 'failed', 1)).toEqual([1_001, 1_002, 3_000])
    expect(await indicesOf(api, id, 'completed')).toEqual([0, 1, 1_000, 3_001])
  })

  it('200 agrees with the list without a filter, while tasks run and after a cancel', async () => {
    const api = await testApi({ settings: { maxLiveChildren: 4 } })
    const id = await create(api, { open: true })
    for (let number = 0; number < 6; number += 1)
      await add(api, id, number, [FAILS, said('a'), { task: '@slow 60000\n@say b' }])
    const seen = new Set<TaskStatus>()
    const compare = async (): Promise<void> => {
      const all = (await page(api, id, 'limit=100')).body.data as {
        index: number
        status: TaskStatus
      }[]
      expect(all).toHaveLength(18)
      for (const { status } of all) seen.add(status)
      for (const wanted of ['queued', 'live', 'completed', 'failed', 'cancelled'] as const) {
        const expected = all.filter(({ status }) => status === wanted).map(({ index }) => index)
        expect([wanted, await indicesOf(api, id, wanted)]).toEqual([wanted, expected])
      }
    }
    await compare()
    for (let round = 0; round < 6; round += 1) {
      const wakes = api.world.queue.take()
      await withTime(api.world, Promise.all(wakes.map((wake) => dispatch(api.world, wake))))
      await compare()
    }
    expect([...seen].toSorted()).toEqual(['completed', 'failed', 'live', 'queued'])
    await api.call('POST', `/v1/fanouts/${id}/cancel`, { json: {} })
    await compare()
    await api.settle()
    await compare()
  })

  it('400 rejects an unknown status, and a cursor of another filter', async () => {
    const api = await testApi()
    const id = await create(api, { tasks: [said('a'), said('b'), said('c')] })
    const wrong = await page(api, id, 'status=failed,done')
    expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([400, '/status/1'])
    const { next_cursor } = (await page(api, id, 'status=queued&limit=1')).body
    const cursor = `cursor=${encodeURIComponent(next_cursor)}`
    for (const query of ['', 'status=failed&', 'status=queued,failed&']) {
      const { status, body } = await page(api, id, `${query}${cursor}`)
      expect([query, status, body.code]).toEqual([query, 400, 'invalid_cursor'])
    }
    const next = (await page(api, id, `status=queued&${cursor}`)).body.data
    expect(next.map(({ index }: { index: number }) => index)).toEqual([1, 2])
  })
})

describe('searchTasks', () => {
  it('reads no page whose counts exclude the status', async () => {
    const api = await testApi({ settings: { singleProcess: false } })
    const id = await create(api, { open: true })
    for (let number = 0; number < 5; number += 1)
      await add(api, id, number, [said('a'), number === 3 ? FAILS : said('b')])
    await api.settle()
    const fanout = await fanoutOf(api, id)
    const { read, heads } = api.world.store
    const partitions = new Set<string>()
    Object.assign(api.world.store, {
      read: (partition: string, after?: string) => {
        partitions.add(partition)
        return read.call(api.world.store, partition, after)
      },
      heads: (all: readonly string[]) => {
        for (const partition of all) partitions.add(partition)
        return heads.call(api.world.store, all)
      },
    })
    const search = async (status: TaskStatus) => {
      partitions.clear()
      const query = { from: 0, limit: 10, statuses: [status] }
      const { data } = await searchTasks(api.world, TENANT, fanout, query)
      return [data.map(({ index }) => index), partitions.size]
    }
    expect(await search('timed_out')).toEqual([[], 0])
    expect(await search('failed')).toEqual([[3_001], 1])
  })

  it('finds tasks of a page whose end arrived after the fan-out had ended', async () => {
    const api = await testApi()
    const id = await create(api, { open: true })
    await add(api, id, 0, [said('a'), FAILS])
    await api.settle()
    const fanout = await fanoutOf(api, id)
    const { tasks, late_results, ...state } = fanout.state
    const [page] = tasks
    const late = {
      ...state,
      tasks: [{ ...page!, run_id: null, announce: null }],
      late_results: { ...late_results, ends: { 0: page!.announce } },
    } as typeof fanout.state
    const search = async (status: TaskStatus) => {
      const query = { from: 0, limit: 10, statuses: [status] }
      const result = await searchTasks(api.world, TENANT, { ...fanout, state: late }, query)
      return result.data.map(({ index }) => index)
    }
    expect([await search('completed'), await search('failed')]).toEqual([[0], [1]])
  })

  it('stops after a bounded number of tasks, and continues with the next page', async () => {
    const api = await testApi()
    const id = await create(api, { open: true })
    for (let number = 0; number < 5; number += 1)
      await add(api, id, number, [said('a'), said('b'), FAILS])
    await api.settle()
    const fanout = await fanoutOf(api, id)
    const query = { limit: 10, statuses: ['failed'] as const }
    const indices: number[][] = []
    for (let from: number | null = 0; from !== null; ) {
      const result = await searchTasks(api.world, TENANT, fanout, { ...query, from }, 6)
      indices.push(result.data.map(({ index }) => index))
      from = result.next
    }
    expect(indices).toEqual([[2, 1_002], [2_002, 3_002], [4_002]])
  })
})
