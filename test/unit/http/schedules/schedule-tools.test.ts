import { beforeEach, describe, expect, it } from 'vitest'
import { toJSONSchema, type ZodType } from 'zod'
import { SCHEDULE_OPERATIONS } from '../../../../src/core/manage/schedules.ts'
import { scheduleOperation } from '../../../../src/engine/manage/schedules.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { SchedulePut } from '../../../../src/http/schemas/triggers/schedules.ts'
import { setPolicy } from '../../../support/approvals.ts'
import { factsOf, putFiles, settle, TENANT } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { agent } from '../../../support/layers.ts'
import { requestsOf } from '../../../support/script.ts'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

const allow = () => setPolicy(api.world, { approvals: { 'schedules_*': 'allow' } })
const call = (tool: string, given: object) => `@call ${tool} ${JSON.stringify(given)}`
async function run(input: string, more: object = {}): Promise<string> {
  const { body } = await api.call('POST', '/v1/runs', { json: { input, ...more } })
  await settle(api.world)
  return body.id
}
const resultsOf = async (id: string) =>
  (await factsOf(api.world, id)).flatMap((fact) =>
    fact.type === 'tool.result' ? [JSON.parse(String(fact.text))] : [],
  )
/** The answer of the only call of a run. */
const answer = async (tool: string, given: object, more: object = {}) =>
  (await resultsOf(await run(call(tool, given), more)))[0]
const get = (name: string) => api.call('GET', `/v1/schedules/${name}`)
const PUT = { name: 'digest', cron: '0 2 * * *', input: '@say {{slot.date}}' }

describe('a model that manages schedules', () => {
  it('gets the same answers as REST, and its schedules name its run', async () => {
    await allow()
    const id = await run(call('schedules_put', PUT))
    const [made] = await resultsOf(id)
    const { body } = await get('digest')
    expect(made).toEqual({ success: true, ...body })
    expect(body).toMatchObject({ kind: 'schedule', created_by_run_id: id, timezone: 'UTC' })
    expect(await answer('schedules_get', { name: 'digest' })).toEqual({ success: true, ...body })
    const list = (await api.call('GET', '/v1/schedules')).body
    expect(await answer('schedules_list', {})).toEqual({ success: true, ...list })
    const paused = await answer('schedules_pause', { name: 'digest', reason: 'holiday' })
    expect(paused).toEqual({ success: true, ...(await get('digest')).body })
    expect(paused).toMatchObject({ status: 'paused', pause: { detail: 'holiday' } })
    const resumed = await answer('schedules_resume', { name: 'digest' })
    expect(resumed).toEqual({ success: true, ...(await get('digest')).body })
    const fired = await answer('schedules_run', { name: 'digest' })
    expect(fired).toMatchObject({ success: true, status: 'started' })
    const started = await api.call('GET', `/v1/runs/${fired.run_id}`)
    expect(started.body).toMatchObject({ kind: 'schedule', metadata: { schedule: 'digest' } })
    const gone = await answer('schedules_delete', { name: 'digest' })
    expect(gone).toEqual({ success: true, name: 'digest', deleted: true })
    expect((await get('digest')).status).toBe(404)
    const { body: audit } = await api.call('GET', '/v1/audit')
    expect(audit.data).toContainEqual(
      expect.objectContaining({ kind: 'schedule', name: 'digest', action: 'create', by: id }),
    )
  })

  it('reads freely, and a write requires approval or is refused or denied', async () => {
    expect(await answer('schedules_list', {})).toMatchObject({ success: true, data: [] })
    const id = await run(call('schedules_put', PUT))
    const { body: asked } = await api.call('GET', `/v1/runs/${id}`)
    expect(asked).toMatchObject({ status: 'waiting' })
    expect((await get('digest')).status).toBe(404)
    const { body: approvals } = await api.call('GET', `/v1/approvals`)
    const [approval] = approvals.data
    expect(approval).toMatchObject({ tool: 'schedules_put', run_id: id })
    const path = `/v1/approvals/${approval.id}/decision`
    await api.call('POST', path, { json: { decision: 'approve' } })
    await settle(api.world)
    expect((await get('digest')).body).toMatchObject({ created_by_run_id: id })
    const unattended = await run(call('schedules_delete', { name: 'digest' }), {
      approvals: { unattended: true },
    })
    const refusals = (await factsOf(api.world, unattended)).filter(
      ({ type }) => type === 'tool.result' || type === 'assistant.message',
    )
    expect(JSON.stringify(refusals)).toContain('approval_required')
    await setPolicy(api.world, { approvals: { 'schedules_*': 'deny' } })
    const denied = await run(call('schedules_list', {}))
    expect(JSON.stringify(await factsOf(api.world, denied))).toContain('denied_by_policy')
    expect((await get('digest')).status).toBe(200)
  })

  it('gets the location of an invalid member as in REST', async () => {
    await allow()
    for (const [given, pointer] of [
      [{ cron: 'banana' }, '/cron'],
      [{ every: '1h', cron: undefined, timezone: 'Mars/Olympus' }, '/timezone'],
      [{ input: 'Do {{secret}}' }, '/input'],
      [{ agent: 'nobody' }, '/agent'],
      [{ name: 'Not a name' }, '/name'],
    ] as const) {
      const { success, code, errors } = await answer('schedules_put', { ...PUT, ...given })
      expect([success, code, errors?.[0]?.pointer]).toEqual([false, expect.any(String), pointer])
      const { name: _, ...json } = { ...PUT, ...given }
      const { body } = await api.call('PUT', '/v1/schedules/x', { json })
      if (pointer !== '/name') expect(body.errors).toEqual(errors)
    }
    const missing = await answer('schedules_pause', { name: 'none' })
    expect(missing).toMatchObject({ success: false, code: 'not_found' })
  })

  it('gives its runs no secret, no other session, and no approval by time-out', async () => {
    await allow()
    const webhook = { url: 'https://one.example/hook', secret: 'whsec_x' }
    const id = await run(call('schedules_put', { ...PUT, webhook }))
    expect(JSON.stringify(await factsOf(api.world, id))).toContain('webhook')
    expect((await get('digest')).status).toBe(404)
    const session_id = `ses_${(await run('@say other')).slice(4)}`
    const other = await answer('schedules_put', { ...PUT, session_id })
    expect(other).toMatchObject({ success: false, errors: [{ pointer: '/session_id' }] })
    const own = await answer('schedules_put', { ...PUT, session_id }, { session_id })
    expect(own).toMatchObject({ success: true, run: { session_id } })
    const approvals = { expires_seconds: 1, on_expiry: 'approve' }
    const waits = await answer('schedules_put', { ...PUT, approvals })
    expect(waits.errors).toMatchObject([{ pointer: '/approvals/on_expiry' }])
  })

  it('sees only wakeups of its own session', async () => {
    await allow()
    const wake = call('schedule_wakeup', { message: '@say again', delay_seconds: 3_600 })
    const session_id = `ses_${(await run(wake)).slice(4)}`
    const [wakeup] = (await api.call('GET', '/v1/schedules?kind=wakeup')).body.data
    const kind = 'wakeup'
    expect(await answer('schedules_list', { kind })).toMatchObject({ success: true, data: [] })
    const { name } = wakeup
    for (const tool of ['schedules_get', 'schedules_run', 'schedules_delete']) {
      expect(await answer(tool, { name })).toMatchObject({ success: false, code: 'not_found' })
    }
    const own = await answer('schedules_list', { kind }, { session_id })
    expect(own).toEqual({ success: true, data: [wakeup], next_cursor: null, has_more: false })
    expect(await answer('schedules_get', { name }, { session_id })).toMatchObject(wakeup)
  })
})

it('creates one schedule and one run when a call is repeated', async () => {
  const context = {
    ...{ world: api.world, tenant: TENANT, by: 'run_a', once: 'call_a' },
    run: { id: 'run_a', session_id: 'ses_a' },
  }
  const twice = async (operation: 'schedules_put' | 'schedules_run', given: object) => {
    const first = await scheduleOperation(context, operation, given)
    const second = await scheduleOperation(context, operation, given)
    expect(second).toEqual(first)
    await settle(api.world)
    // The run has ended, and the call comes once more.
    expect(await scheduleOperation(context, operation, given)).toMatchObject({ ok: true })
    await tick(api.world)
    await settle(api.world)
  }
  await twice('schedules_put', PUT)
  await twice('schedules_run', { name: 'digest' })
  expect((await api.call('GET', '/v1/schedules')).body.data).toHaveLength(1)
  const { data } = (await api.call('GET', '/v1/schedules/digest/runs')).body
  expect(data).toMatchObject([{ manual: true, outcome: 'completed' }])
  expect((await api.call('GET', '/v1/runs')).body.data).toHaveLength(1)
})

it('may pass what PUT accepts, except secrets and the end user', () => {
  const bare = (schema: ZodType): unknown =>
    JSON.parse(JSON.stringify(toJSONSchema(schema, { io: 'input' })), (key, value) =>
      ['description', 'id', 'examples', '$schema'].includes(key) && typeof value !== 'object'
        ? undefined
        : value,
    )
  const { name: _, webhook, ...ours } = SCHEDULE_OPERATIONS.schedules_put.input.shape
  const { webhook: theirs, approvals, model_settings, subject, ...rest } = SchedulePut.shape
  expect([Object.keys(ours).includes('subject'), subject.isOptional()]).toEqual([false, true])
  const parts = { approvals: approvals.unwrap(), model_settings: model_settings.unwrap() }
  expect(Object.keys(ours).toSorted()).toEqual(
    [...Object.keys(rest), ...Object.keys(parts)].toSorted(),
  )
  for (const [key, schema] of Object.entries(rest)) {
    expect([key, bare(ours[key as keyof typeof rest])]).toEqual([key, bare(schema)])
  }
  for (const [key, schema] of Object.entries(parts)) {
    const { shape } = ours[key as keyof typeof parts].unwrap()
    expect(Object.keys(shape)).toEqual(Object.keys(schema.shape))
  }
  const { secret: __, ...shown } = theirs.unwrap().shape
  expect(Object.keys(webhook.unwrap().shape)).toEqual(Object.keys(shown))
})

describe('access to schedule operations', () => {
  const NAMES = Object.keys(SCHEDULE_OPERATIONS)
  /** Those that the last request of the run with this input has. */
  const shown = (input: string) => {
    const asked = requestsOf(api.world).findLast(({ messages }) => {
      const [first] = messages
      return first?.role === 'user' && first.text === input
    })
    return asked!.tools.map(({ name }) => name).filter((name) => NAMES.includes(name))
  }

  it('is granted to a run that names or searches for them, also in the terms of other products', async () => {
    await run('@say plain')
    expect(shown('@say plain')).toEqual([])
    await run('@say all', { tools: ['*'] })
    expect(shown('@say all')).toEqual(NAMES)
    const search = '@call tool_search {"query":"select:schedules_put"}\n@then\n@say found'
    await run(search)
    expect(shown(search)).toEqual(['schedules_put'])
    await run('@say cron', { tools: ['CronCreate', 'CronList', 'CronDelete'] })
    expect(shown('@say cron')).toEqual(['schedules_list', 'schedules_put', 'schedules_delete'])
  })

  it('accepts the parameters of other products', async () => {
    await allow()
    const { input, ...rest } = PUT
    expect(await answer('schedules_put', { ...rest, prompt: input })).toMatchObject({
      success: true,
      run: { input },
    })
    expect(await answer('schedules_delete', { id: 'digest' })).toMatchObject({ deleted: true })
  })

  it('is limited for a subagent to the operations in its own file', async () => {
    await allow()
    const clerk = agent('You.', 'clerk', 'tools: [schedules_list]\n')
    await putFiles(api.world, { 'base/.agents/agents/clerk.md': clerk })
    const children = [{ task: '@say child' }, { task: '@say clerk', agent: 'clerk' }]
    const spawns = children.map((one) => `@spawn 1 ${JSON.stringify(one)}`).join('\n')
    await run(`${spawns}\n@await\n@say done`, { tools: ['*'] })
    expect(shown('@say child')).toEqual([])
    expect(shown('@say clerk')).toEqual(['schedules_list'])
  })
})
