import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { setPolicy } from '../../../support/approvals.ts'
import { settle } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { type Receivers, receivers } from '../../../support/receivers.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const RECEIVER = 'https://one.example/hook'
let api: TestApi
let web: Receivers
beforeEach(async () => {
  web = receivers()
  api = await testApi({ web })
  // 2026-03-01T00:00:00Z, a Sunday.
  api.world.clock.set(Date.UTC(2026, 2, 1))
  await setPolicy(api.world, { approvals: { file_write: 'ask' } })
})

const put = (name: string, json: object, headers: Record<string, string> = {}) =>
  api.call('PUT', `/v1/schedules/${name}`, { json: { input: '@say done', ...json }, headers })
const get = async (name: string) => (await api.call('GET', `/v1/schedules/${name}`)).body
const fires = async (name: string) =>
  (await api.call('GET', `/v1/schedules/${name}/runs?limit=100`)).body.data
const outcomes = async (name: string) =>
  (await fires(name)).map(({ slot, outcome }: { slot: string; outcome: string }) => [
    slot.slice(11, 16),
    outcome,
  ])
const runs = async () => (await api.call('GET', '/v1/runs?limit=100')).body.data
const at = (time: string) => `2026-03-01T${time}:00.000Z`

/** Minutes pass, and the clock of a cloud ticks in each. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= MINUTE) {
    api.world.clock.advance(Math.min(MINUTE, left))
    await tick(api.world)
    await settle(api.world)
  }
}
/** Nobody is there meanwhile. */
async function sleep(ms: number): Promise<void> {
  api.world.clock.advance(ms)
  await tick(api.world)
  await settle(api.world)
}
/** A run that waits for a person until it is cancelled. */
const WAITS = { input: '@call file_write {"path":"x","content":"y"}' }

describe('a schedule', () => {
  it('is refused when it is written, not when it is due [S01 MC-50 MC-51 CR-02 CR-29]', async () => {
    const made = await put('digest', { cron: '0 9 * * *' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ cron: '0 0 9 * * *', timezone: 'UTC', next_at: at('09:00') })
    const refused: readonly [object, string][] = [
      [{ cron: 'banana' }, '/cron'],
      [{ cron: '' }, '/cron'],
      [{ cron: '0 9 30 2 *' }, '/cron'],
      [{ cron: '* * * * * *' }, '/cron'],
      [{ cron: '0 9 * * *', timezone: 'Mars/Olympus' }, '/timezone'],
      [{ cron: '0 9 * * *', timezone: '+01:00' }, '/timezone'],
      [{ cron: '0 9 * * *', every: 60 }, '/every'],
      [{}, '/cron'],
      [{ every: 'abc' }, '/every'],
      [{ every: '' }, '/every'],
      [{ every: 59 }, '/every'],
      [{ at: '2026-02-28T00:00:00Z' }, '/at'],
      [{ at: 'tomorrow' }, '/at'],
      [{ every: '1h', input: 'Do {{secret}}' }, '/input'],
      [{ every: '1h', agent: 'nobody' }, '/agent'],
      [{ every: '1h', session_id: 'ses_nothing' }, '/session_id'],
      [{ every: '1h', ends_at: '2026-02-28T00:00:00Z' }, '/ends_at'],
    ]
    for (const [json, pointer] of refused) {
      const { status, body } = await put('wrong', json)
      expect([json, status, body.errors?.[0]?.pointer]).toEqual([json, 422, pointer])
    }
    expect((await put('Not-a-name', { every: 60 })).status).toBe(404)
    expect((await api.call('GET', '/v1/schedules')).body.data).toHaveLength(1)
    // Exactly at the slot the next one is a day later.
    api.world.clock.set(Date.UTC(2026, 2, 1))
    const shanghai = await put('shanghai', { cron: '0 8 * * *', timezone: 'asia/shanghai' })
    expect(shanghai.body).toMatchObject({
      timezone: 'Asia/Shanghai',
      next_at: '2026-03-02T00:00:00.000Z',
    })
  })

  it('times are numbers or texts with one meaning [CR-03 CR-05 CR-10 CR-12]', async () => {
    const every = async (value: unknown) => (await put('e', { every: value })).body.every_seconds
    expect(await every('90')).toBe(90)
    expect(await every(' 15m ')).toBe(900)
    expect(await every(7_200)).toBe(7_200)
    const once = await put('once', { at: '2026-03-12T18:00:00' })
    expect(once.body.at).toBe('2026-03-12T18:00:00.000Z')
    const { body } = await put('none', {})
    expect(body.detail).toBe('one of cron, at, and every is required (/cron)')
  })

  it('deploying twice creates one schedule, and a changed file creates another revision', async () => {
    const first = await put('digest', { cron: '0 9 * * *', agent: 'General' })
    const again = await put('digest', { cron: '0 9 * * *', agent: 'General' })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    const other = await put('digest', { cron: '30 9 * * *' })
    expect(other.headers.get('etag')).toBe('"2"')
    const stale = await put('digest', { cron: '0 10 * * *' }, { 'if-match': '"1"' })
    expect(stale.status).toBe(412)
    expect((await put('digest', { every: 60 }, { 'if-none-match': '*' })).status).toBe(409)
    const { body } = await api.call('GET', '/v1/schedules')
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['digest'])
  })

  it('concurrent requests with one Idempotency-Key create one and all show it', async () => {
    const headers = { 'idempotency-key': 'nightly-1' }
    const json = { name: 'nightly', cron: '0 3 * * *', input: 'x' }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => api.call('POST', '/v1/schedules', { json, headers })),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    const own = { 'idempotency-key': 'nightly-2' }
    expect((await api.call('POST', '/v1/schedules', { json, headers: own })).status).toBe(409)
  })

  it("many concurrent edits never overwrite each other's changes", async () => {
    await put('edited', { cron: '0 9 * * *' })
    const path = '/v1/schedules/edited'
    const edits = [
      { overlap: 'queue' },
      { catch_up: 'none' },
      { jitter_seconds: 7 },
      { input: '@say edited' },
      { catch_up_window_seconds: 600 },
    ]
    await Promise.all(edits.map((json) => api.call('PATCH', path, { json })))
    expect(await get('edited')).toMatchObject({
      ...{ overlap: 'queue', catch_up: 'none', jitter_seconds: 7, catch_up_window_seconds: 600 },
      run: { input: '@say edited' },
    })
  })

  it('starts one run per slot in a separate session, with a template that names the schedule [CR-25]', async () => {
    await put('hourly', { cron: '0 * * * *', input: '@say {{slot}} of {{schedule.name}}' })
    await pass(3 * HOUR + 5 * MINUTE)
    expect(await outcomes('hourly')).toEqual([
      ['03:00', 'completed'],
      ['02:00', 'completed'],
      ['01:00', 'completed'],
    ])
    const started = await runs()
    expect(started).toHaveLength(3)
    expect(new Set(started.map(({ session_id }: { session_id: string }) => session_id)).size).toBe(
      3,
    )
    expect(started[0]).toMatchObject({
      kind: 'schedule',
      lane: 'background',
      metadata: { schedule: 'hourly', slot: at('03:00') },
      output: { text: `${at('03:00')} of hourly` },
    })
    expect(await get('hourly')).toMatchObject({ running: [], failures: 0, next_at: at('04:00') })
  })

  it('an interval begins with its creation, and a server start fires nothing [CR-21]', async () => {
    await put('often', { every: '30m' })
    await sleep(1)
    expect(await runs()).toEqual([])
    await pass(29 * MINUTE)
    expect(await runs()).toEqual([])
    await pass(MINUTE)
    expect(await runs()).toHaveLength(1)
  })

  it('a clock that steps back an hour fires nothing twice [X-44]', async () => {
    await put('hourly', { cron: '0 * * * *' })
    await pass(2 * HOUR + MINUTE)
    api.world.clock.set(Date.UTC(2026, 2, 1, 0, 59))
    await pass(2 * HOUR)
    expect(await outcomes('hourly')).toEqual([
      ['02:00', 'completed'],
      ['01:00', 'completed'],
    ])
    await pass(HOUR)
    expect(await outcomes('hourly')).toHaveLength(3)
  })

  it.each([
    ['none', [], 5],
    ['latest', ['05:00'], 4],
    ['all', ['05:00', '04:00', '03:00'], 2],
  ] as const)(
    'five slots missed during downtime: %s [X-45 CR-30]',
    async (catch_up, fired, missed) => {
      const window = 2 * 3_600 + 1_800
      await put('h', {
        cron: '0 * * * *',
        catch_up,
        catch_up_window_seconds: window,
        overlap: 'allow',
      })
      await sleep(5 * HOUR + 20 * MINUTE)
      const all = await fires('h')
      const of = (wanted: string) =>
        all.filter(({ outcome }: { outcome: string }) => outcome === wanted)
      expect(of('completed').map(({ slot }: { slot: string }) => slot.slice(11, 16))).toEqual(fired)
      expect(of('missed')).toMatchObject([{ count: missed, more: false }])
      await pass(50 * MINUTE)
      expect((await fires('h')).length).toBe(all.length + 1)
    },
  )

  it('skip: a slot during a live run starts none and reports that run [MC-52 CR-22]', async () => {
    await put('h', { cron: '0 * * * *', ...WAITS })
    await pass(2 * HOUR + MINUTE)
    const [skipped, started] = await fires('h')
    expect(started).toMatchObject({ outcome: 'started', slot: at('01:00') })
    expect(skipped).toMatchObject({ outcome: 'skipped', run_id: null, slot: at('02:00') })
    expect(skipped.reason).toBe(`its previous run, ${started.run_id}, had not ended`)
    expect(await runs()).toHaveLength(1)
    const now = await api.call('POST', '/v1/schedules/h/run')
    expect([now.status, now.body.code]).toEqual([409, 'conflict'])
  })

  it('queue: slots wait for each other in order [MC-52]', async () => {
    await put('h', { cron: '0 * * * *', overlap: 'queue', ...WAITS })
    await pass(3 * HOUR + MINUTE)
    expect(await outcomes('h')).toEqual([
      ['03:00', 'waiting'],
      ['02:00', 'waiting'],
      ['01:00', 'started'],
    ])
    const { running } = await get('h')
    await api.call('POST', `/v1/runs/${running[0].run_id}/cancel`)
    await settle(api.world)
    expect((await get('h')).running.map(({ status }: { status: string }) => status)).toEqual([
      'running',
      'waiting',
    ])
    expect(await runs()).toHaveLength(2)
  })

  it('cancel_previous: the next run starts only after the previous one has ended [CR-24]', async () => {
    await put('h', { cron: '0 * * * *', overlap: 'cancel_previous', ...WAITS })
    await pass(3 * HOUR + 2 * MINUTE)
    const all = await runs()
    expect(all.map(({ status }: { status: string }) => status)).toEqual([
      'waiting',
      'cancelled',
      'cancelled',
    ])
    for (const [index, run] of all.entries()) {
      const before = all[index + 1]
      if (before) expect(run.created_at >= before.ended_at).toBe(true)
    }
    expect((await get('h')).failures).toBe(0)
  })

  it('a run of several hours delays no other schedule [CR-23]', async () => {
    await put('long', { cron: '0 1 * * *', ...WAITS })
    await put('short', { cron: '0 * * * *' })
    await pass(4 * HOUR + MINUTE)
    expect(await outcomes('short')).toHaveLength(4)
    expect((await get('long')).running).toHaveLength(1)
  })

  it('approvals apply to a scheduled run, which waits for a person [MC-53]', async () => {
    await put('careful', { cron: '0 1 * * *', ...WAITS })
    await pass(HOUR + MINUTE)
    const { body } = await api.call('GET', '/v1/approvals')
    expect(body.data).toMatchObject([{ tool: 'file_write', status: 'pending' }])
    await api.call('POST', `/v1/approvals/${body.data[0].id}/decision`, {
      json: { decision: 'approve' },
    })
    await settle(api.world)
    expect(await outcomes('careful')).toEqual([['01:00', 'completed']])
  })

  it('an edit applies from the next slot on, and live runs continue unchanged [MC-54]', async () => {
    await put('h', { cron: '0 * * * *', input: '@say old' })
    await pass(HOUR + MINUTE)
    const path = '/v1/schedules/h'
    const changed = await api.call('PATCH', path, { json: { input: '@say new', label: 'Digest' } })
    expect(changed.body.run).toMatchObject({ input: '@say new', label: 'Digest' })
    await pass(HOUR)
    const texts = (await runs()).map(({ output }: { output: { text: string } }) => output.text)
    expect(texts).toEqual(['new', 'old'])
    const cleared = await api.call('PATCH', path, { json: { label: null, cron: '30 * * * *' } })
    expect(cleared.body.run).not.toHaveProperty('label')
    expect(cleared.body.next_at).toBe(at('02:30'))
  })

  it('a schedule deleted during its run lets that run continue and starts no further one [X-46]', async () => {
    await put('h', { cron: '0 * * * *', ...WAITS })
    await pass(HOUR + MINUTE)
    const [run] = await runs()
    expect((await api.call('DELETE', '/v1/schedules/h')).status).toBe(204)
    expect((await api.call('GET', '/v1/schedules/h')).status).toBe(404)
    const { body } = await api.call('GET', '/v1/approvals')
    await api.call('POST', `/v1/approvals/${body.data[0].id}/decision`, {
      json: { decision: 'approve' },
    })
    await pass(3 * HOUR)
    expect(await runs()).toMatchObject([{ id: run.id, status: 'completed' }])
    // A new one of the same name is another: its slots name other runs.
    expect((await put('h', { cron: '0 * * * *' })).status).toBe(201)
    await pass(HOUR)
    expect(await runs()).toHaveLength(2)
    expect(api.errors).toEqual([])
  })

  it('a single time: it ends, stays readable, never fires again, and is later removed [CR-13 CR-27]', async () => {
    const time = new Date(api.world.clock.now() + 90 * MINUTE).toISOString()
    await put('once', { at: time, input: '@fail 400' })
    await pass(2 * HOUR)
    expect(await get('once')).toMatchObject({
      status: 'ended',
      next_at: null,
      last: { outcome: 'failed' },
    })
    await sleep(3 * HOUR)
    expect(await runs()).toHaveLength(1)
    expect((await put('once', { at: time, input: '@fail 400' })).status).toBe(200)
    await sleep(31 * DAY)
    expect((await api.call('GET', '/v1/schedules/once')).status).toBe(404)
  })

  it('no slot follows an end date', async () => {
    await put('h', { cron: '0 * * * *', ends_at: at('02:00') })
    await pass(5 * HOUR)
    expect(await outcomes('h')).toHaveLength(2)
    expect((await get('h')).status).toBe('ended')
  })

  it('ten failures in a row pause it and notify the endpoints once [S05]', async () => {
    const json = { url: RECEIVER, events: ['schedule.disabled'] }
    await api.call('POST', '/v1/webhook-endpoints', { json })
    await put('bad', { every: '1h', input: '@fail 400' })
    await pass(12 * HOUR)
    expect(await get('bad')).toMatchObject({
      status: 'paused',
      failures: 10,
      pause: { reason: 'failing' },
    })
    expect(await runs()).toHaveLength(10)
    const got = web.at(RECEIVER).map(({ json: body }) => body)
    expect(got).toHaveLength(1)
    expect(got[0]).toMatchObject({
      type: 'schedule.disabled',
      data: { data: { name: 'bad', failures: 10 } },
    })
    const { body } = await api.call('GET', '/v1/audit?limit=5')
    expect(body.data).toContainEqual(
      expect.objectContaining({ kind: 'schedule', name: 'bad', action: 'disable', by: 'system' }),
    )
    await api.call('POST', '/v1/schedules/bad/resume')
    expect(await get('bad')).toMatchObject({ status: 'active', failures: 0, pause: null })
    await pass(HOUR)
    expect(await runs()).toHaveLength(11)
  })

  it('pause records its reason and reports no missed slots, and resume continues from now', async () => {
    await put('h', { cron: '0 * * * *' })
    const paused = await api.call('POST', '/v1/schedules/h/pause', { json: { reason: 'We move' } })
    expect(paused.body).toMatchObject({
      status: 'paused',
      pause: { reason: 'by_hand', detail: 'We move' },
      next_at: null,
    })
    await pass(3 * HOUR)
    expect(await fires('h')).toEqual([])
    await api.call('POST', '/v1/schedules/h/resume')
    await pass(HOUR)
    expect(await outcomes('h')).toEqual([['04:00', 'completed']])
  })

  it('run now starts a run at once, once per key, even while it is paused', async () => {
    await put('h', { cron: '0 * * * *', paused: true })
    const headers = { 'idempotency-key': 'by-hand-1' }
    const first = await api.call('POST', '/v1/schedules/h/run', { headers })
    expect([first.status, first.body.status]).toEqual([202, 'started'])
    expect((await api.call('GET', `/v1/runs/${first.body.run_id}`)).status).toBe(200)
    await settle(api.world)
    const again = await api.call('POST', '/v1/schedules/h/run', { headers })
    expect(again.body.run_id).toBe(first.body.run_id)
    await settle(api.world)
    expect(await runs()).toHaveLength(1)
    expect(await fires('h')).toMatchObject([{ manual: true, outcome: 'completed' }])
  })

  it('a webhook gets the end of each run with one secret, including subagents [CR-15 CR-16 CR-26]', async () => {
    const input = '@spawn 1 {"task":"@say child"}\n@await\n@say with {results}'
    const made = await put('h', { cron: '0 * * * *', input, webhook: { url: RECEIVER } })
    expect(made.body.webhook_secret).toMatch(/^whsec_/)
    expect(await get('h')).not.toHaveProperty('webhook_secret')
    expect(JSON.stringify((await get('h')).run.webhook)).toBe(JSON.stringify({ url: RECEIVER }))
    await pass(2 * HOUR + 2 * MINUTE)
    const got = web.at(RECEIVER)
    expect(got.map(({ json }) => json.type)).toEqual(['run.completed', 'run.completed'])
    expect(got[0]!.json.data.output.text).toBe('with 1')
    const webhook = new Webhook(made.body.webhook_secret)
    for (const { body, headers } of got) {
      const time = new Date(Number(headers['webhook-timestamp']) * 1_000)
      const signed = webhook.sign(headers['webhook-id']!, time, body)
      expect(headers['webhook-signature']).toBe(signed)
    }
  })

  it('with results in a session, each run continues where the last one ended', async () => {
    const session = (await api.call('POST', '/v1/sessions', { json: {} })).body.id
    await put('h', { cron: '0 * * * *', input: '@say hello', session_id: session })
    await pass(2 * HOUR + 2 * MINUTE)
    const { body } = await api.call('GET', `/v1/sessions/${session}/messages`)
    expect(body.data.filter(({ role }: { role: string }) => role === 'assistant')).toHaveLength(2)
    // A session that is gone: the run says so, and counts as a failure.
    await api.call('DELETE', `/v1/sessions/${session}`)
    await pass(HOUR)
    expect((await fires('h'))[0]).toMatchObject({ outcome: 'failed' })
    expect((await fires('h'))[0].reason).toContain('not_found')
  })

  it('a missing agent produces a failed run with the reason [S05]', async () => {
    await api.call('PUT', '/v1/agents/reporter?layer=base/', {
      json: { agent_md: '---\nname: reporter\ndescription: d\n---\nReport.' },
    })
    await put('h', { cron: '0 * * * *', agent: 'reporter' })
    await api.call('DELETE', '/v1/agents/reporter?layer=base/')
    await pass(HOUR + MINUTE)
    const [fire] = await fires('h')
    expect(fire).toMatchObject({ outcome: 'failed' })
    expect(fire.reason).toContain('unknown_agent')
    expect((await get('h')).failures).toBe(1)
  })

  it('jitter of zero is exact, and a slot has the same jitter for every reader [CR-14]', async () => {
    await put('exact', { cron: '0 * * * *' })
    expect((await get('exact')).next_at).toBe(at('01:00'))
    await put('spread', { cron: '0 * * * *', jitter_seconds: 1_800 })
    const { next_at, upcoming } = await get('spread')
    expect(upcoming[0]).toBe(at('01:00'))
    const late = Date.parse(next_at) - Date.parse(upcoming[0])
    expect(late).toBeGreaterThan(0)
    expect(late).toBeLessThan(1_800_000)
    await pass(HOUR + late)
    expect((await fires('spread'))[0].slot).toBe(at('01:00'))
  })

  it('a run deleted by its caller blocks no slot', async () => {
    await put('h', { cron: '0 * * * *', ...WAITS })
    await pass(HOUR + MINUTE)
    const [{ id }] = await runs()
    await api.world.store.drop(`test/run/${id}`)
    await pass(HOUR)
    expect((await fires('h')).map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'started',
      'cancelled',
    ])
  })

  it('a tenant has a limited number of schedules and can change those at the limit [S03]', async () => {
    for (let index = 0; index < LIMITS.schedules; index += 1) await put(`s${index}`, { every: 600 })
    const more = await put('more', { every: 600 })
    expect([more.status, more.body.code]).toEqual([429, 'rate_limited'])
    expect((await put('s0', { every: 900 })).status).toBe(200)
    await api.call('DELETE', '/v1/schedules/s1')
    expect((await put('more', { every: 600 })).status).toBe(201)
  })

  it('an unknown member is refused by name, and so is a timeout of zero [CR-17 CR-18]', async () => {
    const unknown = await put('h', { every: 600, delivery: { mode: 'bogus' } })
    expect([unknown.status, JSON.stringify(unknown.body.errors)]).toEqual([
      422,
      expect.stringContaining('delivery'),
    ])
    const zero = await put('h', { every: 600, limits: { timeout_seconds: 0 } })
    expect([zero.status, zero.body.errors[0].pointer]).toEqual([422, '/limits/timeout_seconds'])
  })

  it('keys need the schedule scope', async () => {
    const { createKey } = await import('../../../../src/engine/tenant/api-keys.ts')
    const { key } = await createKey(api.world, 'test', ['schedules:read'])
    const read = await api.call('GET', '/v1/schedules', { key })
    const written = await api.call('POST', '/v1/schedules', {
      key,
      json: { every: 60, input: 'x' },
    })
    expect([read.status, written.status]).toEqual([200, 403])
  })
})
