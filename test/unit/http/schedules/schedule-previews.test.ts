/** Previews of due times over HTTP, compared with the schedule that the same input creates. */

import { beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { type TestApi, testApi } from '../../../support/http.ts'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
  api.world.clock.set(Date.UTC(2026, 2, 27, 12))
})

const preview = (json: object) => api.call('POST', '/v1/schedules/preview', { json })
const INPUTS = [
  { cron: '30 2 * * *', timezone: 'Europe/Berlin' },
  { cron: '*/15 1-3 * * 0', timezone: 'America/New_York' },
  { cron: '0 0 7 * * 1-5' },
  { cron: '@daily', timezone: 'europe/berlin' },
  { at: '2026-04-01T09:00:00' },
  { every: '90m' },
  { every: 7_200, ends_at: '2026-03-27T19:00:00Z' },
]

describe('POST /v1/schedules/preview', () => {
  it.each(INPUTS)(
    '200 shows the upcoming slots of the schedule that it creates (%j)',
    async (timing) => {
      const { status, body } = await preview({ ...timing, count: LIMITS.schedule_upcoming })
      expect(status).toBe(200)
      const made = await api.call('POST', '/v1/schedules', { json: { input: '@say x', ...timing } })
      expect(made.status).toBe(201)
      expect(body.upcoming.map(({ at }: { at: string }) => at)).toEqual(made.body.upcoming)
      expect([body.cron, body.timezone]).toEqual([made.body.cron, made.body.timezone])
    },
  )

  it.each([
    { cron: 'banana' },
    { cron: '0 9 31 2 *' },
    { cron: '* * * * * *' },
    { cron: '0 9 * * *', timezone: 'Mars/Base' },
    { cron: '0 9 * * *', timezone: '+01:00' },
    { every: '1h', timezone: 'UTC' },
    { every: '10s' },
    { at: 'tomorrow' },
    { at: '2026-03-01T09:00:00Z' },
    { every: '1h', ends_at: '2026-03-01T09:00:00Z' },
    { cron: '0 9 * * *', every: '1h' },
    { jitter_seconds: -1, every: '1h' },
    {},
  ])('422 is refused as the creation is (%j)', async (timing) => {
    const shown = await preview(timing)
    const made = await api.call('POST', '/v1/schedules', { json: { input: '@say x', ...timing } })
    expect(shown.status).toBe(422)
    expect([shown.status, shown.body.code, shown.body.errors]).toEqual([
      made.status,
      made.body.code,
      made.body.errors,
    ])
  })

  it('returns five slots by default, and 422 for a count beyond the limit', async () => {
    expect((await preview({ every: '1h' })).body.upcoming).toHaveLength(5)
    for (const count of [0, LIMITS.schedule_upcoming + 1, 1.5]) {
      const { status, body } = await preview({ every: '1h', count })
      expect([status, body.errors[0].pointer]).toEqual([422, '/count'])
    }
  })

  it('403 a key without schedules:read is refused, and nothing is stored', async () => {
    const json = { name: 'narrow', scopes: ['runs:read'] }
    const { key } = (await api.call('POST', '/v1/keys', { json })).body
    const headers = { authorization: `Bearer ${key}` }
    const { status } = await api.call('POST', '/v1/schedules/preview', {
      json: { every: '1h' },
      headers,
    })
    expect(status).toBe(403)
    await preview({ every: '1h' })
    expect((await api.call('GET', '/v1/schedules')).body.data).toEqual([])
  })
})
