import { describe, expect, it } from 'vitest'
import { type TestApi, testApi } from '../../../support/http.ts'
import { scriptModel } from '../../../support/script.ts'

/** Each at a moment of its own: those of one moment have no order. */
const create = async (api: TestApi, json: object): Promise<string> => {
  await api.world.clock.advance(1)
  return (await api.call('POST', '/v1/runs', { json: { input: '@say x', ...json } })).body.id
}

const ids = async (api: TestApi, query: string): Promise<string[]> => {
  const { status, body } = await api.call('GET', `/v1/runs?${query}`)
  if (status !== 200) throw new Error(`${query}: ${status} ${JSON.stringify(body)}`)
  return body.data.map(({ id }: { id: string }) => id)
}

describe('GET /v1/runs with filters', () => {
  it('200 each filter selects exactly the runs that match it, and filters combine with AND', async () => {
    const api = await testApi()
    const session = (await api.call('POST', '/v1/sessions', { json: {} })).body.id
    const a = await create(api, { label: 'nightly', metadata: { team: 'red', n: '1' } })
    const b = await create(api, { agent: 'explore', metadata: { team: 'red', n: '2' } })
    const c = await create(api, { session_id: session, label: 'nightly' })
    await api.settle()
    const d = await create(api, { metadata: { team: 'blue', 'a.b': 'x y' } })
    expect(await ids(api, 'label=nightly')).toEqual([c, a])
    expect(await ids(api, 'metadata.team=red')).toEqual([b, a])
    expect(await ids(api, 'metadata.team=red&metadata.n=2')).toEqual([b])
    expect(await ids(api, 'metadata.a.b=x%20y')).toEqual([d])
    expect(await ids(api, 'metadata.team=green')).toEqual([])
    expect(await ids(api, 'agent=explore')).toEqual([b])
    expect(await ids(api, `session_id=${session}`)).toEqual([c])
    expect(await ids(api, 'label=nightly&agent=explore')).toEqual([])
    expect(await ids(api, 'kind=main')).toEqual([d, c, b, a])
    expect(await ids(api, 'kind=hook')).toEqual([])
    expect(await ids(api, 'role=dev')).toEqual([])
    expect(await ids(api, 'order=asc')).toEqual([a, b, c, d])
    expect(await ids(api, 'metadata.team=red&order=asc')).toEqual([a, b])
  })

  it('200 a role matches in any spelling, and a blank role means no role', async () => {
    const api = await testApi()
    const written = await create(api, { role: ' FrontEnd ' })
    const blank = await create(api, { role: ' ' })
    const shown = async (id: string) => (await api.call('GET', `/v1/runs/${id}`)).body.role
    expect([await shown(written), await shown(blank)]).toEqual(['frontend', null])
    expect(await ids(api, 'role=frontend')).toEqual([written])
    expect(await ids(api, 'role=Frontend%20')).toEqual([written])
  })

  it('200 a status matches the current status, one or several', async () => {
    const api = await testApi({ model: scriptModel() })
    const done = await create(api, {})
    const gone = await create(api, {})
    await api.call('POST', `/v1/runs/${gone}/cancel`)
    await api.settle()
    const live = await create(api, {})
    expect(await ids(api, 'status=completed')).toEqual([done])
    expect(await ids(api, 'status=cancelled')).toEqual([gone])
    expect(await ids(api, 'status=queued')).toEqual([live])
    expect(await ids(api, 'status=running')).toEqual([])
    expect(await ids(api, 'status=queued,running,waiting')).toEqual([live])
    expect(await ids(api, 'status=completed,cancelled')).toEqual([gone, done])
    expect(await ids(api, 'status=failed')).toEqual([])
    await api.settle()
    expect(await ids(api, 'status=completed&order=asc')).toEqual([done, live])
  })

  it('200 created selects an interval that includes its start and excludes its end', async () => {
    const api = await testApi()
    const made: { id: string; at: string }[] = []
    for (let count = 0; count < 3; count += 1) {
      const id = await create(api, {})
      const { created_at } = (await api.call('GET', `/v1/runs/${id}`)).body
      made.push({ id, at: created_at })
      await api.world.clock.advance(60_000)
    }
    const [a, b, c] = made as [(typeof made)[0], (typeof made)[0], (typeof made)[0]]
    expect(await ids(api, `created[gte]=${b.at}`)).toEqual([c.id, b.id])
    expect(await ids(api, `created[lt]=${b.at}`)).toEqual([a.id])
    expect(await ids(api, `created[gte]=${a.at}&created[lt]=${c.at}`)).toEqual([b.id, a.id])
    expect(await ids(api, `created[gte]=${c.at}&created[lt]=${a.at}`)).toEqual([])
    expect(await ids(api, `created[gte]=${b.at}&order=asc`)).toEqual([b.id, c.id])
  })

  it('200 pages of a filtered list are consecutive in both directions, and a cursor is bound to its filter', async () => {
    const api = await testApi()
    const all: string[] = []
    for (let count = 0; count < 9; count += 1) {
      const label = count % 2 === 0 ? 'even' : 'odd'
      const id = await create(api, { label })
      if (label === 'even') all.push(id)
    }
    for (const order of ['asc', 'desc']) {
      const seen: string[] = []
      let cursor = ''
      do {
        const { body } = await api.call(
          'GET',
          `/v1/runs?label=even&limit=2&order=${order}${cursor && `&cursor=${cursor}`}`,
        )
        seen.push(...body.data.map(({ id }: { id: string }) => id))
        expect(body.has_more).toBe(body.next_cursor !== null)
        cursor = body.next_cursor
      } while (cursor)
      expect(seen).toEqual(order === 'asc' ? all : [...all].reverse())
    }
    const { next_cursor } = (await api.call('GET', '/v1/runs?label=even&limit=2')).body
    const other = await api.call('GET', `/v1/runs?label=odd&limit=2&cursor=${next_cursor}`)
    expect([other.status, other.body.code]).toEqual([400, 'invalid_cursor'])
  })

  it('400 an unknown filter, an invalid time, and an invalid status are reported by name', async () => {
    const api = await testApi()
    for (const [query, pointer] of [
      ['labels=x', '/labels'],
      ['metadata.=x', '/metadata.'],
      ['metadata=x', '/metadata'],
      ['status=done', '/status/0'],
      ['status=,', '/status/0'],
      ['created[gte]=yesterday', '/created[gte]'],
      ['created[gt]=2026-11-23T00:00:00Z', '/created[gt]'],
      ['order=up', '/order'],
      ['kind=subagent', '/kind'],
      [`q=${'x'.repeat(201)}`, '/q'],
      [`model=${'x'.repeat(201)}`, '/model'],
      ['waiting_on=nothing', '/waiting_on/0'],
      ['waiting_on=input,', '/waiting_on/1'],
    ] as const) {
      const { status, body } = await api.call('GET', `/v1/runs?${query}`)
      expect([query, status, body.code, body.errors[0].pointer]).toEqual([
        query,
        400,
        'invalid_query',
        pointer,
      ])
    }
    const { body } = await api.call('GET', '/v1/runs?kind=subagent')
    expect(body.detail).toContain('/v1/runs/{id}/children')
  })

  it('200 q selects runs in which each word occurs, in any case and in any searched member', async () => {
    const api = await testApi()
    const a = await create(api, { input: '@say Parcel 7731 is lost', label: 'Nightly' })
    const b = await create(api, { input: '@say b', metadata: { ticket: 'T-7731' }, role: 'desk' })
    const c = await create(api, { agent: 'explore', input: '@say no such Order' })
    const d = await create(api, { input: `@say x\n${'long '.repeat(300)}needle` })
    expect(await ids(api, 'q=needle')).toEqual([])
    await api.settle()
    expect(await ids(api, 'q=7731')).toEqual([b, a])
    expect(await ids(api, 'q=%20parcel%20%20NIGHTLY%20')).toEqual([a])
    expect(await ids(api, 'q=t-7731%20desk')).toEqual([b])
    expect(await ids(api, 'q=desk%20parcel')).toEqual([])
    expect(await ids(api, 'q=explore')).toEqual([c])
    expect(await ids(api, 'q=order%20explore')).toEqual([c])
    expect(await ids(api, `q=${d.toUpperCase()}`)).toEqual([d])
    expect(await ids(api, 'q=7731&label=Nightly')).toEqual([a])
    expect(await ids(api, 'q=7731&order=asc')).toEqual([a, b])
  })

  it('200 q finds the beginning of an answer and the message of an error', async () => {
    const api = await testApi({ model: scriptModel() })
    const answered = await create(api, { input: '@call file_list {}\n@then\n@say {last}' })
    const failed = await create(api, { input: '@fail 400' })
    await api.settle()
    const textOf = async (id: string) => {
      const { output, error } = (await api.call('GET', `/v1/runs/${id}`)).body
      return (output?.text ?? error.message).slice(0, 30)
    }
    for (const id of [answered, failed]) {
      const query = `q=${encodeURIComponent(await textOf(id))}`
      expect([query, await ids(api, query)]).toEqual([query, [id]])
    }
  })

  it('200 model selects runs that report this model', async () => {
    const api = await testApi({ model: scriptModel() })
    const done = await create(api, {})
    await api.settle()
    const { model } = (await api.call('GET', `/v1/runs/${done}`)).body
    const queued = await create(api, {})
    expect(await ids(api, `model=${encodeURIComponent(model)}`)).toEqual([done])
    expect(await ids(api, `model=${encodeURIComponent(model.slice(0, -1))}`)).toEqual([])
    await api.settle()
    expect(await ids(api, `model=${encodeURIComponent(model)}`)).toEqual([queued, done])
  })

  it('200 waiting_on selects live runs by what they wait for', async () => {
    const api = await testApi({ model: scriptModel() })
    const done = await create(api, {})
    const asked = await create(api, { input: '@call ask_user {"question":"Which?"}' })
    await api.settle()
    expect((await api.call('GET', `/v1/runs/${asked}`)).body.waiting_on).toBe('input')
    expect(await ids(api, 'waiting_on=input')).toEqual([asked])
    expect(await ids(api, 'waiting_on=approval,input')).toEqual([asked])
    expect(await ids(api, 'waiting_on=approval')).toEqual([])
    expect(await ids(api, 'waiting_on=input&status=waiting')).toEqual([asked])
    expect(await ids(api, 'waiting_on=input&status=completed')).toEqual([])
    expect(await ids(api, 'waiting_on=input&status=running,queued')).toEqual([])
    const { status, body } = await api.call(
      'GET',
      '/v1/runs?waiting_on=input&status=completed&cursor=invalid',
    )
    expect([status, body.code]).toEqual([400, 'invalid_cursor'])
    await api.call('POST', `/v1/runs/${asked}/cancel`)
    await api.settle()
    expect(await ids(api, 'waiting_on=input')).toEqual([])
    expect(await ids(api, 'status=completed')).toEqual([done])
  })

  it('200 waiting_on and q page through every match', async () => {
    const api = await testApi()
    const all: string[] = []
    for (let count = 0; count < 7; count += 1)
      all.unshift(await create(api, { label: `row ${count}`, input: '@say same' }))
    for (const query of ['q=same%20row', 'q=SAME&label=row%203']) {
      const seen: string[] = []
      let cursor = ''
      do {
        const { body } = await api.call(
          'GET',
          `/v1/runs?${query}&limit=2${cursor && `&cursor=${cursor}`}`,
        )
        seen.push(...body.data.map(({ id }: { id: string }) => id))
        cursor = body.next_cursor
      } while (cursor)
      expect(seen).toEqual(query.includes('label') ? [all[3]] : all)
    }
    const { next_cursor } = (await api.call('GET', '/v1/runs?q=same&limit=2')).body
    const other = await api.call('GET', `/v1/runs?q=row&limit=2&cursor=${next_cursor}`)
    expect([other.status, other.body.code]).toEqual([400, 'invalid_cursor'])
  })

  it('200 a view reports the input, the model, the number of steps, and the cost', async () => {
    const api = await testApi()
    const text = `@say x\n${'long '.repeat(300)}`
    const id = await create(api, { input: text })
    const before = (await api.call('GET', `/v1/runs/${id}`)).body
    expect(before).toMatchObject({ input: text.slice(0, 500), model: null, steps: 0, cost: null })
    await api.settle()
    const { body } = await api.call('GET', '/v1/runs')
    expect(body.data[0]).toMatchObject({ input: text.slice(0, 500), steps: 1, cost: null })
    expect(body.data[0].model).toEqual(expect.any(String))
    const { model } = body.data[0]
    const etag = (await api.call('GET', '/v1/policy')).headers.get('etag')!
    const prices = { [model]: { input_per_million: 1e6, output_per_million: 1e6 } }
    await api.call('PUT', '/v1/policy', { json: { prices }, headers: { 'if-match': etag } })
    const paid = await create(api, {})
    await api.settle()
    const { usage, cost } = (await api.call('GET', `/v1/runs/${paid}`)).body
    expect(cost).toBe(usage.input_tokens + usage.output_tokens)
  })

  it('a dollar budget ends a run and its subagents, and is refused for a model without a price', async () => {
    const api = await testApi()
    const input = `${'@call file_list {}\n@then\n'.repeat(9)}@say done`
    const limits = { max_cost_usd: 0.01 }
    const refused = await api.call('POST', '/v1/runs', { json: { input, limits } })
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'price_unknown', errors: [{ pointer: '/limits/max_cost_usd' }] },
    })
    const tasks = [{ task: '@say a' }]
    expect(await api.call('POST', '/v1/fanouts', { json: { tasks, limits } })).toMatchObject({
      status: 422,
      body: { code: 'price_unknown', errors: [{ pointer: '/tasks/0/agent' }] },
    })
    const probe = await create(api, {})
    await api.settle()
    const { model } = (await api.call('GET', `/v1/runs/${probe}`)).body
    const etag = (await api.call('GET', '/v1/policy')).headers.get('etag')!
    // 15 tokens a call of the script: 0.003 dollars.
    const prices = { [model]: { input_per_million: 200, output_per_million: 200 } }
    await api.call('PUT', '/v1/policy', { json: { prices }, headers: { 'if-match': etag } })
    const id = await create(api, { input, limits })
    await api.settle()
    const { body } = await api.call('GET', `/v1/runs/${id}`)
    expect(body).toMatchObject({ status: 'completed', stop_reason: 'budget' })
    expect(body.usage.model_calls).toBe(4)
    expect(body.cost).toBeCloseTo(0.012, 9)
    const config = (await api.call('GET', `/v1/runs/${id}/config`)).body
    expect(config.limits.max_cost_usd).toBe(0.01)
    const fan = (
      await api.call('POST', '/v1/fanouts', {
        json: { tasks: Array.from({ length: 6 }, () => ({ task: '@say a' })), limits },
      })
    ).body
    await api.settle()
    const end = (await api.call('GET', `/v1/fanouts/${fan.id}`)).body
    expect(end).toMatchObject({ limits: { max_cost_usd: 0.01 } })
    expect(end.usage.list_price).toBeLessThanOrEqual(0.01 + 6 * 0.003)
  })
})
