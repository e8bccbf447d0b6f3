/** Cancellation by filter: bounded, in pages, audited, and never of everything by mistake. */

import { beforeEach, expect, it } from 'vitest'
import { type TestApi, testApi } from '../../../support/http.ts'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

const start = async (metadata: Record<string, string> = {}): Promise<string> =>
  (await api.call('POST', '/v1/runs', { json: { input: '@say done', metadata } })).body.id
const cancel = (json: unknown) => api.call('POST', '/v1/runs/cancel', { json })
const statusOf = async (id: string) => (await api.call('GET', `/v1/runs/${id}`)).body.status

it('cancels only runs that match, and records each', async () => {
  const first = await start({ team: 'a' })
  const second = await start({ team: 'b' })
  const { status, body } = await cancel({ metadata: { team: 'a' }, reason: 'A wrong prompt.' })
  expect([status, body]).toEqual([
    200,
    { object: 'runs_cancellation', cancelled: 1, next_cursor: null, has_more: false },
  ])
  await api.settle()
  expect([await statusOf(first), await statusOf(second)]).toEqual(['cancelled', 'completed'])
  const { data } = (await api.call('GET', '/v1/audit?kind=run')).body
  expect(data).toMatchObject([{ action: 'cancel', name: first, detail: 'A wrong prompt.' }])
})

it('continues at its cursor, and leaves ended runs alone', async () => {
  const ended = await start()
  await api.settle()
  const active = [await start(), await start(), await start()]
  const first = (await cancel({ all: true, limit: 2 })).body
  expect([first.cancelled, first.has_more]).toEqual([2, true])
  const last = (await cancel({ all: true, limit: 2, cursor: first.next_cursor })).body
  expect([last.cancelled, last.has_more]).toEqual([1, false])
  await api.settle()
  for (const id of active) expect(await statusOf(id)).toBe('cancelled')
  expect(await statusOf(ended)).toBe('completed')
  expect((await cancel({ all: true })).body.cancelled).toBe(0)
})

it('refuses a request without a filter, foreign cursors, and unknown members', async () => {
  const { next_cursor } = (
    await (async () => {
      await start()
      await start()
      return cancel({ all: true, limit: 1 })
    })()
  ).body
  for (const json of [
    {},
    { all: false },
    { status: ['completed'] },
    { status: [] },
    { limit: 0, all: true },
    { limit: 501, all: true },
    { agent: '' },
    { session_id: 'ses_none' },
    { created: { gte: 'yesterday' } },
    { metadata: { a: 1 } },
    { tenant: 'other', all: true },
    [],
  ]) {
    expect([json, (await cancel(json)).status]).toEqual([json, 422])
  }
  const moved = await cancel({ agent: 'main', cursor: next_cursor })
  expect([moved.status, moved.body.code]).toEqual([400, 'invalid_cursor'])
  expect((await cancel({ all: true, cursor: 'x' })).body.code).toBe('invalid_cursor')
})
