import { describe, expect, it } from 'vitest'
import { fail } from '../../../../src/lib/outcome.ts'
import { testApi } from '../../../support/http.ts'
import { scriptModel } from '../../../support/script.ts'

describe('POST /v1/runs', () => {
  it('202 accepts a run and names it in Location', async () => {
    const api = await testApi()
    const { status, headers, body } = await api.call('POST', '/v1/runs', {
      json: { input: '@say hello', label: 'greet', metadata: { a: 'b' } },
    })
    expect(status).toBe(202)
    expect(headers.get('location')).toBe(`/v1/runs/${body.id}`)
    expect(body).toMatchObject({ object: 'run', status: 'queued', kind: 'main', label: 'greet' })
    await api.settle()
    const after = await api.call('GET', `/v1/runs/${body.id}`)
    expect(after.body).toMatchObject({ status: 'completed', output: { text: 'hello' } })
  })

  it('422 names an unknown agent and lists the existing ones, sorted', async () => {
    const api = await testApi()
    const { status, body } = await api.call('POST', '/v1/runs', {
      json: { input: 'x', agent: 'ghost' },
    })
    expect(status).toBe(422)
    expect(body.code).toBe('unknown_agent')
    expect(body.available).toEqual([...body.available].sort())
    expect(body.available).toContain('general')
  })

  it('422 refuses a missing repo_dir before anything is stored [GC-40]', async () => {
    const api = await testApi()
    const { status, body } = await api.call('POST', '/v1/runs', {
      json: { input: 'x', repo_dir: 'repos/none' },
    })
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'unknown_repo' })
    expect((await api.call('GET', '/v1/runs')).body.data).toEqual([])
  })

  it('422 points at every invalid member', async () => {
    const api = await testApi()
    const { status, body } = await api.call('POST', '/v1/runs', {
      json: { input: 7, limits: { max_steps: 0 }, lane: 'main' },
    })
    expect(status).toBe(422)
    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer)
    expect(pointers).toEqual(expect.arrayContaining(['/input', '/limits/max_steps', '/lane']))
  })

  it('422 a context requires a task, because messages contain their own', async () => {
    const api = await testApi()
    const input = [{ role: 'user', content: '@say x' }]
    const refused = await api.call('POST', '/v1/runs', { json: { input, context: 'We are late.' } })
    expect([refused.status, refused.body.errors?.[0].pointer]).toEqual([422, '/context'])
    const blank = await api.call('POST', '/v1/runs', { json: { input, context: ' ' } })
    expect(blank.status).toBe(202)
  })

  it('Preference-Applied reports the wait in effect', async () => {
    const api = await testApi()
    const waits = async (prefer: string) => {
      const { headers } = await api.call('POST', '/v1/runs', {
        json: { input: '@say x' },
        headers: { prefer },
      })
      return headers.get('preference-applied')
    }
    expect([await waits('wait=0'), await waits('wait=99')]).toEqual(['wait=0', 'wait=60'])
  })

  it('422 a blank text is not an input, on every route that requires one', async () => {
    const api = await testApi()
    const { id } = (await api.call('POST', '/v1/runs', { json: { input: '@say x' } })).body
    const blank = [
      ['/v1/runs', { input: ' \n' }, '/input'],
      ['/v1/runs', { input: [{ role: 'user', content: '\t' }] }, '/input/0/content'],
      [`/v1/runs/${id}/messages`, { content: ' ' }, '/content'],
      ['/v1/fanouts', { tasks: [{ task: ' ' }] }, '/tasks/0/task'],
      ['/v1/fanouts', { tasks: [], then: { input: ' ' } }, '/then/input'],
    ] as const
    for (const [path, json, pointer] of blank) {
      const { status, body } = await api.call('POST', path, { json })
      expect([path, status, body.errors?.[0].pointer]).toEqual([path, 422, pointer])
    }
  })

  it('422 refuses a schema that no answer could be validated against, with its location', async () => {
    const api = await testApi()
    const schemas = [
      [{ type: 'banana' }, '/type'],
      [{ $ref: 'http://x/y' }, '/$ref'],
      [{ $ref: '#/$defs/none' }, '/$ref'],
      [{ properties: { 'a/b': { pattern: '(' } } }, '/properties/a~1b/pattern'],
      [{ properties: 5 }, '/properties'],
      [{ allOf: {} }, '/allOf'],
      [{ anyOf: [{ items: 7 }] }, '/anyOf/0/items'],
      [{ required: 'x' }, '/required'],
      [{ enum: 'x' }, '/enum'],
    ] as const
    for (const [output_schema, place] of schemas) {
      const json = { input: '@say x', output_schema }
      const { status, body } = await api.call('POST', '/v1/runs', { json })
      const pointer = body.errors?.[0].pointer
      expect([output_schema, status, pointer]).toEqual([
        output_schema,
        422,
        `/output_schema${place}`,
      ])
    }
    const tree = { $ref: '#', type: ['object', 'null'] }
    const output_schema = { $defs: { tree }, properties: { a: { $ref: '#/$defs/tree' } } }
    const json = { input: '@say {"a":null}', output_schema }
    expect((await api.call('POST', '/v1/runs', { json })).status).toBe(202)
  })

  it('200 a cancel records its reason, and an unknown member is refused', async () => {
    const api = await testApi()
    const { id } = (await api.call('POST', '/v1/runs', { json: { input: '@say x' } })).body
    const at = `/v1/runs/${id}/cancel`
    const bad = await api.call('POST', at, { json: { why: 'x' } })
    expect([bad.status, bad.body.errors[0].pointer]).toEqual([422, '/why'])
    await api.call('POST', at, { json: { reason: 'no longer wanted' } })
    await api.settle()
    const { data } = (await api.call('GET', `/v1/runs/${id}/events`)).body
    const reasons = data.flatMap(({ data: { reason } }: { data: { reason?: string } }) =>
      reason === undefined ? [] : [reason],
    )
    expect(new Set(reasons)).toEqual(new Set(['no longer wanted']))
  })

  it('422 refuses a run when no model is configured, and names the variable', async () => {
    const find = () => fail({ message: 'No model is configured: set OPENAI_API_KEY.' })
    const api = await testApi({ model: { ...scriptModel(), find } })
    const { status, body } = await api.call('POST', '/v1/runs', { json: { input: 'x' } })
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'model_not_configured' })
    expect(body.detail).toContain('OPENAI_API_KEY')
  })

  it('422 refuses a webhook whose URL is not allowed', async () => {
    const web = { check: () => 'blocked', send: async () => fail('blocked') }
    const api = await testApi({ web })
    const { status, body } = await api.call('POST', '/v1/runs', {
      json: { input: 'x', webhook: { url: 'http://127.0.0.1/' } },
    })
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'blocked_url', errors: [{ pointer: '/webhook/url' }] })
  })
})

describe('an existing run', () => {
  it('200 shows the task of a subagent, whatever context the subagent received', async () => {
    const api = await testApi()
    const context = 'Prices are in cents. '.repeat(20)
    const input = `@spawn 1 ${JSON.stringify({ task: '@say yes', context })}\n@await\n@say done`
    const { id } = (await api.call('POST', '/v1/runs', { json: { input } })).body
    await api.settle()
    const { data } = (await api.call('GET', `/v1/runs/${id}/events`)).body
    const told = data.filter(({ type }: { type: string }) => type.startsWith('subagent.'))
    expect(told).toMatchObject([
      { type: 'subagent.spawned', data: { task: '@say yes' } },
      { type: 'subagent.announced', data: { announce: { task: '@say yes' } } },
    ])
    const { data: said } = (await api.call('GET', `/v1/runs/${id}/transcript`)).body
    const heard = said.find(({ text }: { text?: string }) => text?.includes('<subagent_result'))
    expect(heard.text).toContain('"task":"@say yes"')
  })

  it('200 has events, a transcript, children, and a tree', async () => {
    const api = await testApi()
    const input = '@spawn 2 {"task":"@say part {i}","label":"w{i}"}\n@await\n@say saw {results}'
    const { body } = await api.call('POST', '/v1/runs', { json: { input } })
    await api.settle()
    const at = `/v1/runs/${body.id}`
    const events = (await api.call('GET', `${at}/events`)).body.data
    expect(events.map(({ seq }: { seq: number }) => seq)).toEqual(
      events.map((_: unknown, index: number) => index + 1),
    )
    expect(events.at(-1).type).toBe('run.completed')
    const transcript = (await api.call('GET', `${at}/transcript`)).body.data
    expect(transcript.at(-1)).toMatchObject({ role: 'assistant', parts: [{ text: 'saw 2' }] })
    const children = (await api.call('GET', `${at}/children`)).body.data
    expect(children).toHaveLength(2)
    const tree = (await api.call('GET', `${at}/tree`)).body
    expect(tree.run.id).toBe(body.id)
    expect(tree.children.map((node: { run: { label: string } }) => node.run.label)).toEqual([
      'w1',
      'w2',
    ])
    expect(tree.run.children).toMatchObject({ total: 2, completed: 2 })
  })

  it('200 cancels a queued run, which then never starts, and a second cancel is a no-op [X-18 X-20]', async () => {
    const api = await testApi()
    const { body } = await api.call('POST', '/v1/runs', { json: { input: '@say x' } })
    const first = await api.call('POST', `/v1/runs/${body.id}/cancel`)
    expect(first.body).toMatchObject({ status: 'cancelled', cancelled_children: [] })
    await api.settle()
    const again = await api.call('POST', `/v1/runs/${body.id}/cancel`)
    expect(again.status).toBe(200)
    const events = (await api.call('GET', `/v1/runs/${body.id}/events`)).body.data
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      'run.created',
      'cancel.requested',
      'run.cancelled',
    ])
  })

  it('404 for an unknown ID and for an invalid one', async () => {
    const api = await testApi()
    for (const id of ['run_00000000000000000000000000', 'nonsense', 'run_..%2f']) {
      expect((await api.call('GET', `/v1/runs/${id}`)).status).toBe(404)
    }
  })
})

describe('GET /v1/runs', () => {
  it('400 for a cursor older than a day [C05]', async () => {
    const api = await testApi()
    for (let i = 0; i < 3; i += 1)
      await api.call('POST', '/v1/runs', { json: { input: `@say ${i}` } })
    const { next_cursor } = (await api.call('GET', '/v1/runs?limit=2')).body
    const next = () => api.call('GET', `/v1/runs?limit=2&cursor=${encodeURIComponent(next_cursor)}`)
    api.world.clock.advance(23 * 3_600_000)
    expect((await next()).body.data).toHaveLength(1)
    api.world.clock.advance(2 * 3_600_000)
    const { status, body } = await next()
    expect([status, body.code]).toEqual([400, 'invalid_cursor'])
    expect(body.detail).toContain('expired')
  })

  it('200 pages newest first, and refuses a cursor of another list', async () => {
    const api = await testApi()
    for (let i = 0; i < 5; i += 1) {
      api.world.clock.advance(1_000)
      await api.call('POST', '/v1/runs', { json: { input: 'x', label: `n${i}` } })
    }
    const first = (await api.call('GET', '/v1/runs?limit=2')).body
    expect(first.data.map(({ label }: { label: string }) => label)).toEqual(['n4', 'n3'])
    expect(first.has_more).toBe(true)
    const second = (
      await api.call('GET', `/v1/runs?limit=2&cursor=${encodeURIComponent(first.next_cursor)}`)
    ).body
    expect(second.data.map(({ label }: { label: string }) => label)).toEqual(['n2', 'n1'])
    const wrong = `/v1/webhook-deliveries?cursor=${encodeURIComponent(first.next_cursor)}`
    expect((await api.call('GET', wrong)).body.code).toBe('invalid_cursor')
  })
})
