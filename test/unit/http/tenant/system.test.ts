/** What the deployment says of itself, and small answers that every client relies on. */

import { describe, expect, it } from 'vitest'
import { memoryClock } from '../../../../src/hosts/memory/clock.ts'
import { putFiles } from '../../../support/drive.ts'
import { testApi } from '../../../support/http.ts'
import { scriptModel } from '../../../support/script.ts'
import { together } from '../../../support/together.ts'

describe('GET /v1/limits', () => {
  it('200 returns every limit with its reason, and those of this deployment', async () => {
    const api = await testApi({ settings: { maxLiveChildren: 5, maxDepth: 2 } })
    const { status, body } = await api.call('GET', '/v1/limits')
    expect(status).toBe(200)
    expect([body.live_children.value, body.depth.value]).toEqual([5, 2])
    expect(body.steps_max.value).toBe(200)
    for (const [name, limit] of Object.entries(body)) {
      const { value, reason } = limit as { value: number; reason: string }
      expect(value, name).toBeGreaterThan(0)
      expect(reason.length, name).toBeGreaterThan(20)
    }
    expect((await api.call('GET', '/v1/tools')).status).toBe(200)
  })
})

describe('the start time of a run', () => {
  it('200 is correct for a plain run, although it is committed at once', async () => {
    const clock = memoryClock()
    const settings = { flushMs: 60_000 }
    const api = await testApi({ clock, model: scriptModel(clock), settings })
    const json = { input: '@slow 3000\n@say hello' }
    const { id } = (await api.call('POST', '/v1/runs', { json })).body
    await together(api.world)
    const { body } = await api.call('GET', `/v1/runs/${id}`)
    const ms = Date.parse(body.ended_at) - Date.parse(body.started_at)
    expect(ms).toBeGreaterThanOrEqual(3_000)
    expect(Date.parse(body.started_at)).toBeGreaterThanOrEqual(Date.parse(body.created_at))
    const headers = { accept: 'application/json' }
    const { data } = (await api.call('GET', `/v1/runs/${id}/events`, { headers })).body
    expect(new Set(data.slice(1).map((one: { created_at: string }) => one.created_at)).size).toBe(1)
    expect(data[1]).toMatchObject({ type: 'run.started', data: { began_at: body.started_at } })
  })
})

describe('GET /v1/files/{path}', () => {
  it('304 for a client with the current version, and 200 for all others', async () => {
    const api = await testApi()
    await putFiles(api.world, { 'base/a.txt': 'one' })
    const get = (headers = {}) => api.call('GET', '/v1/files/base/a.txt', { headers })
    const etag = (await get()).headers.get('etag')!
    for (const known of [etag, '*', `"other", ${etag}`, `W/${etag}`]) {
      const same = await get({ 'if-none-match': known })
      expect([same.status, same.text, same.headers.get('etag')], known).toEqual([304, '', etag])
    }
    expect(await get({ 'if-none-match': '"other"' })).toMatchObject({ status: 200, text: 'one' })
  })
})

describe('an input of the wrong type', () => {
  it('422 lists the accepted types in a sentence', async () => {
    const api = await testApi()
    const refused = async (input: unknown) => {
      const { status, body } = await api.call('POST', '/v1/runs', { json: { input } })
      expect(status).toBe(422)
      const [place] = body.errors
      expect(place.pointer).toMatch(/^\/input/)
      return place.message
    }
    for (const input of [7, null, { text: 'x' }]) {
      expect(await refused(input)).toMatch(/a list of 1 to 1,000 messages \{role, content\}/)
    }
    for (const input of ['', [], [{ role: 'user' }]]) {
      expect(await refused(input)).not.toBe('Invalid input')
    }
  })
})
