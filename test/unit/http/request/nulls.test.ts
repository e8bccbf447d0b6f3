/** `null` for a member that may be left out is the same as leaving it out, in every body. */

import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { removes, withoutNulls } from '../../../../src/core/nulls.ts'
import { memoryWorld } from '../../../../src/hosts/memory/world.ts'
import { createApp } from '../../../../src/http/app.ts'
import { openapi } from '../../../../src/http/openapi/document.ts'
import { settle, startRun } from '../../../support/drive.ts'
import { testApi } from '../../../support/http.ts'
import { receivers } from '../../../support/receivers.ts'

const { routes } = createApp(memoryWorld())

/** What the schema says is wrong with exactly this member. */
const faultAt = (schema: z.ZodType, value: unknown, name: string) =>
  schema
    .safeParse(withoutNulls(schema, value))
    .error?.issues.filter(({ path }) => path[0] === name)
    .map(({ message }) => message)

describe('null in a body', () => {
  it('is accepted for every optional member of every route, and refused for every other', () => {
    let optional = 0
    for (const { body, method, path } of routes) {
      const shape = (body as z.ZodObject | undefined)?.shape
      if (!body || removes(body)) continue
      for (const [name, member] of Object.entries(shape ?? {})) {
        const may = member.safeParse(undefined).success || member.safeParse(null).success
        const faults = faultAt(body!, { [name]: null }, name) ?? []
        expect(faults.length === 0, `${method} ${path} ${name}`).toBe(may)
        optional += may ? 1 : 0
      }
    }
    expect(optional).toBeGreaterThan(100)
  })

  it('is declared in the contract for request bodies but not for responses', () => {
    // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
    const document = openapi(routes) as any
    const { RunInput, RunBase } = document.components.schemas
    expect(RunInput.properties.agent.type).toEqual(['string', 'null'])
    expect(RunInput.required).toEqual(['input'])
    expect(JSON.stringify(RunInput.properties.input)).not.toContain('null')
    expect(RunBase.properties.agent.type).toBe('string')
    expect(document.info.description).toContain('null')
  })

  it('202 a run and a fan-out with every optional member null equal those without them', async () => {
    const api = await testApi()
    const nulls = (names: string) => Object.fromEntries(names.split(' ').map((one) => [one, null]))
    const run = {
      input: '@say x',
      ...nulls('agent label context role repo_dir session_id on_busy model tools webhook metadata'),
      limits: { max_steps: null, max_tokens: 5_000 },
      join: { policy: null, cancel_rest: null },
    }
    const sent = await api.call('POST', '/v1/runs', { json: run })
    expect(sent.status).toBe(202)
    expect(sent.body).toMatchObject({ agent: 'general', label: null, metadata: {} })
    const fanout = {
      tasks: [{ task: '@say a', ...nulls('agent label context role repo_dir tools') }],
      ...nulls('then webhook approvals strict on_duplicate join'),
    }
    const fanned = await api.call('POST', '/v1/fanouts', { json: fanout })
    expect(fanned.status).toBe(202)
    expect(fanned.body.join).toMatchObject({ policy: 'all', cancel_rest: true })
    const required = await api.call('POST', '/v1/runs', { json: { input: null } })
    expect([required.status, required.body.errors[0].pointer]).toEqual([422, '/input'])
    const unknown = await api.call('POST', '/v1/runs', { json: { input: 'x', nothing: null } })
    expect([unknown.status, unknown.body.errors[0].pointer]).toEqual([422, '/nothing'])
  })

  it('removes what a PATCH documents as removable, and is refused for anything else', async () => {
    const api = await testApi({ web: receivers() })
    const url = 'https://receiver.example/'
    const made = await api.call('POST', '/v1/webhook-endpoints', {
      json: { url, description: 'mine', events: null },
    })
    const path = `/v1/webhook-endpoints/${made.body.id}`
    const patched = await api.call('PATCH', path, {
      json: { description: null },
      headers: { 'if-match': made.headers.get('etag') ?? '*' },
    })
    expect(patched.body).toMatchObject({ url, description: null })
    const headers = { 'if-match': patched.headers.get('etag') ?? '*' }
    const refused = await api.call('PATCH', path, { json: { url: null }, headers })
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/url'])
  })
})

describe('null in the arguments of a built-in tool', () => {
  it('means an omitted optional parameter, also for a subagent and an operation', async () => {
    const api = await testApi()
    const spawn = { task: '@say part', agent: null, label: null, role: null, fork_context: null }
    const script = [
      '@call file_write {"path":"a.txt","content":"one"}',
      '@then',
      '@call file_read {"path":"a.txt","offset":null,"limit":null}',
      '@call skills_list {"role":null,"include_disabled":null}',
      `@call sessions_spawn ${JSON.stringify(spawn)}`,
      '@call file_read {"path":null}',
      '@then',
      '@await',
      '@say saw {results}',
    ]
    const id = await startRun(api.world, { input: script.join('\n') })
    await settle(api.world)
    const { body } = await api.call('GET', `/v1/runs/${id}/events`)
    // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
    const of = (type: string) => body.data.filter((event: any) => event.type === type)
    // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
    const results = of('tool.result').map(({ data }: any) => [data.tool, data.status])
    expect(results).toContainEqual(['file_read', 'ok'])
    expect(results).toContainEqual(['skills_list', 'ok'])
    expect(of('subagent.announced')).toHaveLength(1)
    // A parameter that is needed is not given by null.
    expect(results).toContainEqual(['file_read', 'error'])
  })
})
