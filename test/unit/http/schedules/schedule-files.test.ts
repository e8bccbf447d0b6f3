/** Schedules that files of layers bring: found, switched on, edited, broken, gone. */

import { beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { fileKey } from '../../../../src/lib/key.ts'
import { setPolicy } from '../../../support/approvals.ts'
import { putFiles, settle, TENANT } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { type Receivers, receivers } from '../../../support/receivers.ts'

const MINUTE = 60_000
const RECEIVER = 'https://one.example/hook'
const PATH = 'base/.agents/schedules/digest.md'
const file = (head: string, body = '@say digest of {{slot.date}}') => `---\n${head}\n---\n${body}\n`
const NINE = file('cron: 0 9 * * *\ntimezone: Europe/Berlin\ndescription: The night')

let api: TestApi
let web: Receivers
beforeEach(async () => {
  web = receivers()
  api = await testApi({ web })
  api.world.clock.set(Date.UTC(2026, 2, 2, 6))
})

const put = (text: string, path = PATH) => putFiles(api.world, { [path]: text })
const on = (json: object = {}, name = 'digest') =>
  api.call('PUT', `/v1/schedules/${name}/source`, { json })
const get = async (name = 'digest') => (await api.call('GET', `/v1/schedules/${name}`)).body
const runs = async () => (await api.call('GET', '/v1/runs?limit=100')).body.data
const texts = async () =>
  (await runs()).map(({ output }: { output: { text: string } }) => output.text)
const resultsOf = async ({ call }: TestApi, id: string): Promise<string[]> => {
  const { body } = await call('GET', `/v1/runs/${id}/events?limit=100`)
  return body.data
    .filter(({ type }: { type: string }) => type === 'tool.result')
    .map(({ data }: { data: { text: string } }) => data.text)
}
const resolved = async (json: object = {}) => (await api.call('POST', '/v1/resolve', { json })).body

/** The clock ticks every minute, or every so many minutes where days pass. */
async function pass(minutes: number, step = 1): Promise<void> {
  for (let left = minutes; left > 0; left -= step) {
    api.world.clock.advance(step * MINUTE)
    await tick(api.world)
    await settle(api.world)
  }
}

describe('a schedule file', () => {
  it('is resolved like other files, with record, origin, and hidden files, and is initially off', async () => {
    await put(NINE)
    await put(file('every: 2h'), 'repos/app/.agents/schedules/digest.md')
    await put('no head', 'base/.agents/schedules/broken.md')
    await put(file('cron: banana'), 'base/.agents/schedules/wrong.md')
    await put(file('cron: 0 9 * * *', 'Hello {{who}}'), 'base/.agents/schedules/place.md')
    await put(
      file('cron: 0 9 * * *\nagent: nobody\nenabled: true\nx: 1'),
      'base/.agents/schedules/odd.md',
    )
    await put(file('cron: 0 9 * * *'), 'base/.agents/schedules/Bad Name.md')
    await put(file('cron: 0 9 * * *'), 'base/.agents/schedules/deep/er.md')
    await put(file('cron: 0 9 * * *'), 'base/.claude/schedules/there.md')
    const base = await resolved()
    expect(base.schedules.map(({ name }: { name: string }) => name)).toEqual(['digest', 'odd'])
    expect(base.schedules[0]).toMatchObject({
      request: {
        cron: '0 9 * * *',
        timezone: 'Europe/Berlin',
        input: '@say digest of {{slot.date}}',
      },
      origin: { layer: 'base/', key: PATH, shadows: [] },
    })
    const found = Object.fromEntries(
      base.records.map(
        (one: { path: string; status: string; diagnostics: { code: string; hint: string }[] }) => [
          one.path.split('schedules/')[1],
          [one.status, ...one.diagnostics.map(({ code }) => code)].join(' '),
        ],
      ),
    )
    expect(found).toEqual({
      'digest.md': 'loaded',
      'broken.md': 'rejected frontmatter_missing',
      'wrong.md': 'rejected schedule_invalid',
      'place.md': 'rejected schedule_invalid',
      'odd.md': 'loaded_with_warnings not_honoured unknown_keys agent_unknown',
      'Bad Name.md': 'rejected name_invalid',
      'deep/er.md': 'ignored nested',
      'there.md': 'ignored not_read',
    })
    const both = await resolved({ repo_dir: 'repos/app' })
    expect(both.schedules[0]).toMatchObject({
      request: { every: '2h' },
      origin: { layer: 'repos/app/', shadows: [{ layer: 'base/', key: PATH }] },
    })
    expect((await api.call('GET', '/v1/schedules')).body.data).toEqual([])
    await pass(180, 5)
    expect(await runs()).toEqual([])
  })

  it('fires once the tenant enables it, in its layers, and deploying twice creates one schedule', async () => {
    await put(NINE, 'repos/app/.agents/schedules/digest.md')
    const first = await on({ repo_dir: 'repos/app' })
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({
      cron: '0 0 9 * * *',
      next_at: '2026-03-02T08:00:00.000Z',
      description: 'The night',
      source: {
        file: 'digest',
        repo_dir: 'repos/app',
        key: 'repos/app/.agents/schedules/digest.md',
      },
    })
    const again = await on({ repo_dir: 'repos/app' })
    expect([again.status, again.body.id]).toEqual([200, first.body.id])
    await pass(130)
    const [run, ...others] = await runs()
    expect(others).toEqual([])
    expect(run).toMatchObject({ status: 'completed', repo_dir: 'repos/app' })
    expect(run.output.text).toBe('digest of 2026-03-02')
    expect((await api.call('DELETE', '/v1/schedules/digest')).status).toBe(204)
    await pass(24 * 60, 10)
    expect(await runs()).toHaveLength(1)
  })

  it('is read when a slot is due, so an edit needs no further step', async () => {
    await put(NINE)
    // Readings every five minutes fall beside the slot.
    await pass(2)
    await on()
    await pass(117)
    await put(file('cron: 0 9 * * *\ntimezone: Europe/Berlin', '@say edited'))
    await pass(2)
    expect(await texts()).toEqual(['edited'])
    const { data } = (await api.call('GET', '/v1/audit?limit=100')).body
    const by = data.filter(({ kind }: { kind: string }) => kind === 'schedule')
    expect(
      by.map(({ action, by: who }: { action: string; by: string }) => [action, who === 'system']),
    ).toEqual([
      ['update', true],
      ['create', false],
    ])
  })

  it('moved to a time between two readings is due at the next reading', async () => {
    await put(NINE)
    await on()
    await pass(20)
    const read = Date.parse((await get()).source.read_at)
    const minute = new Date(read + 2 * MINUTE).getUTCMinutes()
    await put(file(`cron: ${minute} * * * *`, '@say moved'))
    await pass(7)
    expect(await texts()).toEqual(['moved'])
  })

  it('pauses its schedule when invalid or missing, reports it, and resumes when it is valid', async () => {
    const events = ['schedule.disabled']
    await api.call('POST', '/v1/webhook-endpoints', { json: { url: RECEIVER, events } })
    await put(NINE)
    await on()
    await put(file('cron: 0 9 * * *', 'Hello {{who}}'))
    await pass(121, 5)
    expect(await get()).toMatchObject({
      status: 'paused',
      pause: {
        reason: 'source',
        detail: expect.stringContaining('base/.agents/schedules/digest.md'),
      },
    })
    await settle(api.world)
    const [sent] = web.got
    expect(sent!.json.data.data).toMatchObject({ name: 'digest', reason: 'source' })
    await put(file('cron: 0 9 * * *\ntimezone: Europe/Berlin', '@say again'))
    await pass(Math.ceil(LIMITS.schedule_source_seconds / 60) + 1, 5)
    expect(await get()).toMatchObject({ status: 'active', pause: null })
    expect(await runs()).toEqual([])
    await api.world.objects.delete(fileKey(TENANT, PATH), 'any')
    await pass(6)
    expect(await get()).toMatchObject({
      pause: { reason: 'source', detail: expect.stringContaining('digest.md') },
    })
    await put(file('cron: 0 9 * * *\ntimezone: Europe/Berlin', '@say again'))
    await pass(24 * 60, 10)
    expect((await runs()).map(({ output }: { output: { text: string } }) => output.text)).toEqual([
      'again',
    ])
  })

  it('can be enabled by a model where policy allows it, and the result reports success', async () => {
    await put(NINE)
    await setPolicy(api.world, { approvals: { schedules_switch_on: 'allow' } })
    const input = '@call schedules_switch_on {"name":"digest"}\n@then\n@say done'
    const { body } = await api.call('POST', '/v1/runs', { json: { input } })
    await settle(api.world)
    expect(await get()).toMatchObject({
      status: 'active',
      source: { key: PATH },
      created_by_run_id: body.id,
    })
    const shown = await resultsOf(api, body.id)
    expect(JSON.parse(shown[0]!)).toMatchObject({ success: true, source: { key: PATH } })
  })

  it('refuses unsupported members and points at them', async () => {
    const missing = await on()
    expect([missing.status, missing.body.errors[0].pointer]).toEqual([422, '/file'])
    await put(file('cron: 0 9 * * *\nagent: nobody'))
    expect((await on()).body.detail).toContain('nobody')
    await put(file('cron: banana'))
    expect((await on()).body.detail).toContain('digest.md, line 2')
    await put(file('at: 2020-01-01T00:00:00Z'))
    expect((await on()).body.errors[0].pointer).toBe('/at')
    expect((await on({ role: 'a b' })).status).toBe(422)
    expect((await on({ nothing: 1 })).status).toBe(422)
    await put(NINE)
    await on()
    const patched = await api.call('PATCH', '/v1/schedules/digest', { json: { cron: '0 1 * * *' } })
    expect([patched.status, patched.body.detail]).toEqual([409, expect.stringContaining(PATH)])
    const own = { cron: '0 9 * * *', timezone: 'Europe/Berlin', input: '@say mine' }
    const taken = await api.call('PUT', '/v1/schedules/digest', { json: own })
    expect(taken.body).toMatchObject({ source: null, run: { input: '@say mine' } })
  })

  it('keeps its last readable state while it is unreadable, and fires', async () => {
    await put(NINE)
    await on()
    const { list } = api.world.objects
    Object.assign(api.world.objects, { list: () => Promise.reject(new Error('away')) })
    await pass(60)
    Object.assign(api.world.objects, { list })
    expect(await get()).toMatchObject({ status: 'active' })
    await pass(61)
    expect(await runs()).toHaveLength(1)
  })
})
