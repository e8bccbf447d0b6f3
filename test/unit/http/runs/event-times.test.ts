/** Start times and durations in events, of a deployment that exports no traces. */

import { describe, expect, it } from 'vitest'
import { memoryClock } from '../../../../src/hosts/memory/clock.ts'
import { setPolicy } from '../../../support/approvals.ts'
import { testApi } from '../../../support/http.ts'
import { scriptModel, spawn } from '../../../support/script.ts'

interface Timed {
  readonly type: string
  readonly created_at: string
  readonly data: {
    readonly call?: string
    readonly tool?: string
    readonly began_at?: string
    readonly duration_ms?: number
    readonly status?: string
  }
}

async function eventsAfter(input: string, given: object = {}): Promise<readonly Timed[]> {
  const clock = memoryClock()
  const api = await testApi({ clock, model: scriptModel(clock), settings: { maxDepth: 2 } })
  const { body } = await api.call('POST', '/v1/runs', { json: { input, ...given } })
  await api.settle()
  const { data } = (await api.call('GET', `/v1/runs/${body.id}/events?limit=100`)).body
  expect(data.at(-1).type).toBe('run.completed')
  return data
}

const resultsOf = (events: readonly Timed[]) => events.filter(({ type }) => type === 'tool.result')

describe('an event without exported traces', () => {
  it('contains the start and the duration of each model call', async () => {
    const events = await eventsAfter(
      '@slow 30000\n@call file_write {"path":"a.md","content":"x"}\n@then\n@slow 2000\n@say done',
    )
    const answers = events.filter(({ type }) => type === 'assistant.message')
    expect(answers.map(({ data }) => data.duration_ms)).toEqual([30_000, 2_000])
    for (const { data, created_at } of answers) {
      const end = Date.parse(data.began_at!) + data.duration_ms!
      expect(end).toBeLessThanOrEqual(Date.parse(created_at))
    }
  })

  it('contains the start and the duration of a tool call', async () => {
    const [result] = resultsOf(
      await eventsAfter('@call file_write {"path":"a.md","content":"x"}\n@then\n@say done'),
    )
    expect(result!.data).toMatchObject({ status: 'ok', duration_ms: expect.any(Number) })
    expect(Date.parse(result!.data.began_at!)).toBeLessThanOrEqual(Date.parse(result!.created_at))
  })

  it('contains no start for a call that was refused', async () => {
    const [refused] = resultsOf(await eventsAfter('@call no_such_tool {}\n@then\n@say done'))
    expect(refused!.data).toMatchObject({ status: 'error', duration_ms: 0 })
    expect(refused!.data).not.toHaveProperty('began_at')
  })

  it('contains no start for a call that the policy denied after its approval', async () => {
    const api = await testApi()
    await setPolicy(api.world, { approvals: { file_write: 'ask' } })
    const json = { input: '@call file_write {"path":"a.md","content":"x"}\n@then\n@say done' }
    const { body } = await api.call('POST', '/v1/runs', { json })
    await api.settle()
    const [approval] = (await api.call('GET', '/v1/approvals')).body.data
    const path = `/v1/approvals/${approval.id}/decision`
    const decided = await api.call('POST', path, { json: { decision: 'approve' } })
    expect(decided.status).toBe(200)
    await setPolicy(api.world, { deny: { skills: [], servers: [], tools: ['file_write'] } })
    await api.settle()
    const { data } = (await api.call('GET', `/v1/runs/${body.id}/events?limit=100`)).body
    const [denied] = resultsOf(data)
    expect(denied!.data).toMatchObject({ status: 'error', duration_ms: 0 })
    expect(denied!.data).not.toHaveProperty('began_at')
  })

  it('contains no start for the answer of a subagent, whose duration is its own', async () => {
    const input = `${spawn({ task: '@slow 5000\n@say child', wait: true })}\n@then\n@say done`
    const events = await eventsAfter(input)
    const [answer] = resultsOf(events)
    expect(answer!.data.duration_ms).toBeGreaterThanOrEqual(5_000)
    expect(answer!.data).not.toHaveProperty('began_at')
    expect(events.some(({ type }) => type === 'subagent.announced')).toBe(true)
  })
})
