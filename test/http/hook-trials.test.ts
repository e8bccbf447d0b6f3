/** A hook tried on a payload: what a message like it would start, and that nothing is created. */

import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it } from 'vitest'
import { createKey } from '../../src/engine/tenant/api-keys.ts'
import { look } from '../support/drive.ts'
import { type TestApi, testApi } from '../support/http.ts'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

const create = async (more: object = {}) => {
  const json = { scheme: 'standard', ...more }
  const { status, text, body } = await api.call('POST', '/v1/hooks', { json })
  expect(status, text).toBe(201)
  return body
}
const trial = (id: string, json: unknown, key?: string) =>
  api.call('POST', `/v1/hooks/${id}/try`, { json, ...(key === undefined ? {} : { key }) })
const tried = async (id: string, json: unknown) => {
  const { status, text, body } = await trial(id, json)
  expect(status, text).toBe(200)
  return body
}

describe('a hook that is tried', () => {
  it('200: answers with the run that the message then starts, and creates nothing', async () => {
    const template = 'Ticket {{ticket.id}} ({{$event}}): {{ticket.text}}{{ticket.lines[1].sku}}'
    const hook = await create({ template, agent: 'Explore', limits: { max_steps: 3 } })
    const payload = { type: 'ticket.new', ticket: { id: 7, text: 'broken\u200b', lines: [{}] } }
    const before = api.world.queue.take()
    const answer = await tried(hook.id, { payload })
    expect(answer).toMatchObject({
      ...{ object: 'hook_trial', hook_id: hook.id, starts_run: true, reason: null, code: null },
      ...{ event: 'ticket.new', matches: true, missing: ['ticket.lines[1].sku'], cut: [] },
      run: { agent: 'explore', limits: { max_steps: 3 } },
    })
    expect((await api.call('GET', '/v1/runs')).body.data).toEqual([])
    expect([before, api.world.queue.take()]).toEqual([[], []])
    const body = JSON.stringify(payload)
    const at = new Date(api.world.clock.now())
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(hook.secret).sign('msg_1', at, body),
    }
    const sent = await api.call('POST', `/v1/hooks/${hook.id}`, { body, headers, key: null })
    expect(sent.status).toBe(202)
    const { spec } = (await look(api.world, sent.body.run_id)).state
    expect(spec?.input[0]?.text).toBe(answer.input)
    expect(spec?.agent).toBe(answer.run.agent)
  })

  it('says which kinds start no run, with the header of GitHub, and Slack by what is inside', async () => {
    const github = await create({ scheme: 'github', secret: 'x'.repeat(20), events: ['issues'] })
    const payload = { action: 'opened' }
    const issues = await tried(github.id, { payload, headers: { 'X-GitHub-Event': 'issues' } })
    expect(issues).toMatchObject({ event: 'issues', matches: true, starts_run: true })
    for (const headers of [{ 'X-GitHub-Event': 'push' }, {}]) {
      const other = await tried(github.id, { payload, headers })
      expect(other).toMatchObject({ matches: false, starts_run: false, code: null })
      expect(other.reason).toContain('start no run by this hook')
      expect(other.input).toContain('opened')
    }
    const all = await tried(github.id, { payload, events: null })
    expect(all.starts_run).toBe(true)
    const slack = await create({ scheme: 'slack', secret: 'y'.repeat(20) })
    const event = { type: 'event_callback', event: { type: 'app_mention', text: 'hi' } }
    expect(await tried(slack.id, { payload: event })).toMatchObject({ event: 'app_mention' })
    const challenge = { type: 'url_verification', challenge: 'abc' }
    expect(await tried(slack.id, { payload: challenge })).toMatchObject({ starts_run: false })
  })

  it('says why such a run would be refused, and what is missing or too long', async () => {
    const hook = await create({ template: '{{issue.title}}', media: ['photo.url', 'scan'] })
    const none = await tried(hook.id, { payload: {} })
    expect(none).toMatchObject({
      ...{ starts_run: false, matches: true, code: 'invalid_request', input: null },
      ...{ missing: ['issue.title'], reason: expect.stringContaining('nothing of what') },
    })
    const long = { issue: { title: 'x'.repeat(70_000) }, photo: { url: 'https://a.example/b.png' } }
    expect(await tried(hook.id, { payload: long })).toMatchObject({
      ...{ starts_run: true, cut: ['issue.title'], missing: [] },
      media: [
        { path: 'photo.url', found: true },
        { path: 'scan', found: false },
      ],
    })
    const lost = await create({ agent: 'nobody' })
    const refused = await tried(lost.id, { payload: { a: 1 } })
    expect(refused).toMatchObject({ starts_run: false })
    expect(refused.reason).toContain('nobody')
  })

  it('takes another template in place of its own, which stays', async () => {
    const hook = await create({ template: 'One {{a}}' })
    const other = await tried(hook.id, { payload: { a: 1 }, template: 'Two {{b}}' })
    expect(other).toMatchObject({ missing: ['b'] })
    expect(other.input).toContain('Two')
    expect((await api.call('GET', `/v1/hooks/${hook.id}`)).body.template).toBe('One {{a}}')
    const { status, body } = await trial(hook.id, { payload: {}, template: 'Two {{b c}}' })
    expect([status, body.code]).toEqual([422, 'invalid_request'])
    expect(body.errors).toMatchObject([{ pointer: '/template' }])
  })

  it('422, 404 and 403: no payload, no such hook, of another tenant, no scope', async () => {
    const hook = await create()
    for (const json of [{}, { payload: 1, more: 2 }, { payload: 1, headers: { a: 1 } }, []]) {
      const { status } = await trial(hook.id, json)
      expect([json, status]).toEqual([json, 422])
    }
    const headers = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`h${at}`, 'x']))
    expect((await trial(hook.id, { payload: 1, headers })).status).toBe(422)
    const stranger = await createKey(api.world, 'stranger', ['*'])
    const foreign = await trial(hook.id, { payload: 1 }, stranger.key)
    const none = await trial(`hk_${'0'.repeat(26)}`, { payload: 1 })
    expect([foreign.status, none.status, foreign.body.detail]).toEqual([404, 404, none.body.detail])
    const reader = await createKey(api.world, 'test', ['hooks:read'])
    expect((await trial(hook.id, { payload: 1 }, reader.key)).status).toBe(200)
    const other = await createKey(api.world, 'test', ['runs:*'])
    expect((await trial(hook.id, { payload: 1 }, other.key)).status).toBe(403)
  })
})
