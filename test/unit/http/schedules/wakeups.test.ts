import { beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { setPolicy } from '../../../support/approvals.ts'
import { factsOf, settle } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'

const HOUR = 3_600_000
let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

const later = async (ms: number) => {
  api.world.clock.advance(ms)
  await tick(api.world)
  await settle(api.world)
}
const call = (given: object) => `@call schedule_wakeup ${JSON.stringify(given)}`
async function run(input: string, more: object = {}): Promise<string> {
  const { body } = await api.call('POST', '/v1/runs', { json: { input, ...more } })
  await settle(api.world)
  return body.id
}
const resultsOf = async (id: string) =>
  (await factsOf(api.world, id)).flatMap((fact) =>
    fact.type === 'tool.result' ? [{ status: fact.status, text: String(fact.text) }] : [],
  )
const wakeups = async () => (await api.call('GET', '/v1/schedules?kind=wakeup')).body.data
const runs = async () => (await api.call('GET', '/v1/runs?limit=100')).body.data

describe('schedule_wakeup', () => {
  it('starts a run of the same session at its time, once, with the message as its input', async () => {
    const id = await run(call({ message: '@say again', delay_seconds: 3_600 }))
    const [made] = await wakeups()
    expect(made).toMatchObject({ kind: 'wakeup', status: 'active', created_by_run_id: id })
    expect((await api.call('GET', '/v1/schedules')).body.data).toEqual([])
    await later(HOUR - 1_000)
    expect(await runs()).toHaveLength(1)
    await later(61_000)
    const [woken, first] = await runs()
    expect(woken).toMatchObject({
      kind: 'schedule',
      session_id: first.session_id,
      status: 'completed',
      output: { text: 'again' },
    })
    await later(24 * HOUR)
    expect(await runs()).toHaveLength(2)
    expect((await wakeups())[0]).toMatchObject({ status: 'ended' })
  })

  it('is listed and cancelled, by the model and by people', async () => {
    const id = await run(
      [call({ message: 'a', delay_seconds: 600 }), '@then', call({ action: 'list' })].join('\n'),
    )
    const [made, listed] = await resultsOf(id)
    expect(JSON.parse(listed!.text).wakeups).toEqual([JSON.parse(made!.text)])
    const name = JSON.parse(made!.text).id
    const session_id = `ses_${id.slice(4)}`
    const other = await run(call({ action: 'cancel', id: name }))
    expect((await resultsOf(other))[0]).toMatchObject({ status: 'error' })
    const same = await run(call({ action: 'cancel', id: name }), { session_id })
    expect((await resultsOf(same))[0]).toMatchObject({ status: 'ok' })
    await run(call({ message: 'b', delay_seconds: 600 }), { session_id })
    const [second] = await wakeups()
    expect((await api.call('DELETE', `/v1/schedules/${second.name}`)).status).toBe(204)
    const before = (await runs()).length
    await later(2 * HOUR)
    expect(await runs()).toHaveLength(before)
  })

  it('is limited in number and distance, and refused for subagents [X-47]', async () => {
    const many = Array.from({ length: LIMITS.wakeups + 1 }, (_, index) => [
      call({ message: `m${index}`, delay_seconds: 600 + index }),
      '@then',
    ])
    const id = await run(many.flat().join('\n'))
    const results = await resultsOf(id)
    expect(results.filter(({ status }) => status === 'ok')).toHaveLength(LIMITS.wakeups)
    expect(results.at(-1)!.text).toContain('LIMIT')
    for (const given of [
      { message: 'x', at: '2099-01-01T00:00:00Z' },
      { message: 'x', at: 'tomorrow' },
      { message: '  ', delay_seconds: 600 },
      { message: 'x' },
      { message: 'x', delay_seconds: 1 },
    ]) {
      expect((await resultsOf(await run(call(given))))[0]).toMatchObject({ status: 'error' })
    }
    const task = call({ message: 'x', delay_seconds: 600 })
    const parent = await run(`@spawn 1 ${JSON.stringify({ task })}\n@await\n@say done`)
    const { body } = await api.call('GET', `/v1/runs/${parent}/children`)
    expect((await resultsOf(body.data[0].id))[0]!.text).toContain('subagent')
    expect(await wakeups()).toHaveLength(LIMITS.wakeups)
  })

  it('gives the woken run no more rights than its creator, under the policy in force by then', async () => {
    const message = '@call file_write {"path":"x","content":"y"}'
    const tools = ['schedule_wakeup', 'file_read']
    await run(call({ message, delay_seconds: 600 }), { tools })
    await later(601_000)
    const [woken] = await runs()
    expect((await resultsOf(woken.id))[0]).toMatchObject({ status: 'error' })
    await setPolicy(api.world, { deny: { skills: [], servers: [], tools: ['schedule_wakeup'] } })
    const denied = await run(call({ message: 'x', delay_seconds: 600 }))
    expect((await resultsOf(denied))[0]).toMatchObject({ status: 'error' })
  })
})
