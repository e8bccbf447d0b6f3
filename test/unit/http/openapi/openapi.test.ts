/** The contract as those read it who make clients of it: names, defaults, refusals, unions. */

import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { PROBLEMS } from '../../../../src/core/problem.ts'
import { ENDPOINT_EVENTS } from '../../../../src/core/webhook/endpoint.ts'
import { memoryWorld } from '../../../../src/hosts/memory/world.ts'
import { createApp } from '../../../../src/http/app.ts'
import { openapi } from '../../../../src/http/openapi/document.ts'
import type { Route } from '../../../../src/http/request/route.ts'
import { EVENT_TYPES } from '../../../../src/http/schemas/events/events.ts'
import { extending } from '../../../../src/http/schemas/shared/words.ts'
import { BANK, bank, setPolicy } from '../../../support/approvals.ts'
import { putFiles } from '../../../support/drive.ts'
import { faultsOf, testApi } from '../../../support/http.ts'
import { receivers } from '../../../support/receivers.ts'

const { routes } = createApp(memoryWorld())
// biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
type Any = any
const document = openapi(routes) as Any
const { schemas, responses } = document.components
const operations: Any[] = Object.values(document.paths).flatMap((path) =>
  Object.values(path as Any),
)

describe('operation ids', () => {
  it('are those of the routes in camelCase, and unique', () => {
    const ids = operations.map(({ operationId }) => operationId)
    const hooks = Object.values(document.webhooks).map(({ post }: Any) => post.operationId)
    const all = [...ids, ...hooks]
    expect(all.filter((id) => !/^[a-z]+([A-Z][a-z]+)+$/.test(id))).toEqual([])
    expect(new Set(all).size).toBe(all.length)
    expect(ids.sort()).toEqual(routes.map(({ id }) => id).sort())
    expect(ids).toEqual(
      expect.arrayContaining(['createRun', 'addFanoutTasks', 'rollbackSkill', 'getAgentVersion']),
    )
  })
})

describe('members with a default', () => {
  it('may be omitted or null in a request, and are present in every response', () => {
    expect(schemas.JoinInput.required).toBeUndefined()
    const { anyOf } = schemas.JoinInput.properties.cancel_rest
    expect(anyOf).toEqual([{ type: 'boolean', default: true }, { type: 'null' }])
    expect(schemas.Join.required).toEqual(Object.keys(schemas.Join.properties))
    expect(schemas.Join.properties.cancel_rest.type).toBe('boolean')
    expect(schemas.FanoutBase.properties.join).toEqual({ $ref: '#/components/schemas/Join' })
    expect(JSON.stringify(schemas.FanoutInput.properties.join)).toContain('/JoinInput"')
    expect(JSON.stringify(schemas.FanoutInput)).toContain('/ApprovalSettingsInput"')
  })

  it('are not required in any request body', () => {
    const required: string[] = []
    const walk = (schema: Any, where: string): void => {
      if (schema === null || typeof schema !== 'object') return
      for (const [name, member] of Object.entries(schema.properties ?? {})) {
        const isPreset = JSON.stringify(member).includes('"default"')
        if (isPreset && schema.required?.includes(name)) required.push(`${where}.${name}`)
        // openapi-typescript takes it for required.
        if ((member as Any).default !== undefined) required.push(`${where}.${name}: default`)
      }
      for (const [key, value] of Object.entries(schema)) {
        if (key !== '$ref') walk(value, where)
        else walk(schemas[String(value).replace(/^.*\//, '')], `${where} ${value}`)
      }
    }
    for (const { operationId, requestBody } of operations) walk(requestBody, operationId)
    expect(required).toEqual([])
  })

  it('that would give one name two meanings are refused', () => {
    const Twice = z.strictObject({ a: z.string().default('x') }).meta({ id: 'Twice' })
    const TwiceInput = z.strictObject({}).meta({ id: 'TwiceInput' })
    const route: Route = {
      id: 'twice',
      method: 'post',
      path: '/twice',
      tag: 'System',
      summary: 'Twice',
      scope: null,
      body: Twice,
      answers: { 200: { description: 'Found', schema: Twice } },
    }
    expect(() => openapi([route])).toThrow(/two schemas are named TwiceInput/)
    for (const one of [Twice, TwiceInput]) z.globalRegistry.remove(one)
  })
})

describe('parameters', () => {
  it('are components when several operations share them, and inline otherwise', () => {
    const of = (id: string) => operations.find(({ operationId }) => operationId === id).parameters
    const limit = { $ref: '#/components/parameters/limit' }
    expect(of('listRuns')).toContainEqual(limit)
    expect(of('listFiles')).not.toContainEqual(limit)
    const names = (id: string) => of(id).map(({ name, $ref }: Any) => name ?? $ref)
    expect(names('listFiles')).toContain('limit')
    expect(names('getRun')).toEqual(['id', '#/components/parameters/wait'])
    const { parameters } = document.components
    for (const [name, parameter] of Object.entries<Any>(parameters))
      expect(parameter.name.replace(/\[(\w+)\]$/, '_$1')).toBe(name)
    expect(names('listRuns')).toContain('#/components/parameters/created_gte')
  })
})

describe('schemas that extend another schema', () => {
  const faults = (name: string, value: object) => faultsOf(document, schemas[name], value)

  it('refer to the base schema and allow no further members', () => {
    const { allOf, unevaluatedProperties, examples } = schemas.CreatedRun
    expect(allOf[0]).toEqual({ $ref: '#/components/schemas/RunBase' })
    expect(Object.keys(allOf[1].properties)).toEqual(['webhook_secret', 'answered'])
    expect(unevaluatedProperties).toBe(false)
    const [run] = examples
    expect(faults('CreatedRun', run)).toEqual([])
    expect(faults('CreatedRun', { ...run, more: 1 })).not.toEqual([])
    expect(faults('Run', { ...run, webhook_secret: 'whsec_' })).not.toEqual([])
    const { id: _, ...nameless } = run
    expect(faults('CreatedRun', nameless)).not.toEqual([])
  })

  it('are refused when a member differs from the base schema', () => {
    const Base = z.strictObject({ a: z.string() }).meta({ id: 'Base' })
    const Other = z.strictObject({ a: z.int() }).meta({ id: 'Other', ...extending(Base) })
    expect(() => openapi(routes)).toThrow(/does not match Base, which it extends/)
    for (const one of [Base, Other]) z.globalRegistry.remove(one)
  })
})

describe('refusal responses', () => {
  it('are named responses with every code of their status, which the schema lists', () => {
    expect(schemas.Problem.properties.code.enum).toEqual(Object.keys(PROBLEMS))
    const names = Object.entries(PROBLEMS).map(([code, [status]]) => [code, status] as const)
    const told = (status: number) =>
      names.filter(([, one]) => one === status).map(([code]) => `\`${code}\``)
    const { NotFound, Conflict, UnprocessableContent, Refusal } = responses
    const generic = [400, 401, 403, 408, 413, 415, 422, 500, 503]
    const described = [
      [404, NotFound],
      [409, Conflict],
      [422, UnprocessableContent],
      ...generic.map((status) => [status, Refusal] as const),
    ] as const
    for (const [status, { description, content }] of described) {
      expect(told(status).filter((code) => !description.includes(code))).toEqual([])
      const { $ref } = content['application/problem+json'].schema
      expect($ref).toBe('#/components/schemas/Problem')
    }
  })

  it('are listed on the contract page, as webhooks are', async () => {
    const api = await testApi()
    const { text } = await api.call('GET', '/docs/plain')
    expect(text).toContain('<code>409</code> `conflict`: Conflict')
    expect(text).toContain('<code>run.completed</code> – Outgoing webhook')
    expect(text).not.toContain('undefined')
  })

  it('GET / lists the entry points: a browser is redirected to the console, a program gets a list', async () => {
    const api = await testApi()
    const { status, body } = await api.call('GET', '/')
    expect([status, body]).toMatchObject([200, { name: 'strata', docs: '/docs' }])
    for (const path of [body.docs, body.openapi, body.llms, body.health])
      expect((await api.call('GET', path)).status).toBe(200)
    const page = await api.call('GET', '/', { headers: { accept: 'text/html,*/*' } })
    expect([page.status, page.headers.get('location')]).toEqual([302, '/console'])
  })

  it('GET /llms.txt lists every operation for language models', async () => {
    const api = await testApi()
    const { text } = await api.call('GET', '/llms.txt')
    expect(text).toMatch(/^# Strata[^\n]*\n\n> \S/)
    expect(text).toContain('- `POST /v1/runs`: Create a run')
    expect(text).not.toContain('undefined')
  })

  it('appear under their status when specific to an operation, and in its default otherwise', () => {
    const of = (id: string) => operations.find(({ operationId }) => operationId === id).responses
    expect(Object.keys(of('getRun'))).toEqual(['200', '404', 'default'])
    const refusals = ['NotFound', 'Conflict', 'PreconditionFailed', 'Refusal']
    const references = refusals.map((name) => ({ $ref: `#/components/responses/${name}` }))
    const { 200: _, 201: __, ...put } = of('putSkill')
    expect(Object.keys(put)).toEqual(['404', '409', '412', 'default'])
    expect(Object.values(put)).toEqual(references)
    expect(of('putPolicy')).toHaveProperty('428')
    expect(of('receiveHook')).toHaveProperty('401')
    const without = operations.filter(({ responses: { default: one } }) => !one)
    expect(without).toEqual([])
    const headers = [
      ...['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'WWW-Authenticate'],
      ...['Retry-After', 'Allow'],
    ]
    expect(Object.keys(responses.Refusal.headers)).toEqual(headers)
  })
})

const typesOf = (name: string): string[] => Object.keys(schemas[name].discriminator.mapping)

describe('unions', () => {
  it('of events and webhooks name a component for each type', () => {
    for (const name of ['Event', 'FanoutEvent', 'WebhookBody']) {
      const { oneOf, discriminator } = schemas[name]
      expect(discriminator.propertyName).toBe('type')
      const refs = oneOf.map(({ $ref }: Any) => $ref)
      expect(Object.values(discriminator.mapping)).toEqual(refs)
      for (const [type, $ref] of Object.entries(discriminator.mapping)) {
        const { allOf } = schemas[String($ref).replace(/^.*\//, '')]
        expect(allOf.at(-1).properties.type.const).toBe(type)
      }
    }
    expect(typesOf('Event')).toEqual(EVENT_TYPES)
    expect(typesOf('FanoutEvent')).toContain('page.started')
  })

  it('every webhook to which an endpoint can subscribe has its own entry', () => {
    const sent = [...ENDPOINT_EVENTS, 'endpoint.test']
    expect(typesOf('WebhookBody').sort()).toEqual(sent.sort())
    expect(Object.keys(document.webhooks).sort()).toEqual([...sent, 'any'].sort())
    const { content } = document.webhooks['run.completed'].post.requestBody
    const { schema } = content['application/json']
    expect(schema).toEqual({ $ref: '#/components/schemas/RunCompletedWebhook' })
  })

  it('every component is referenced', () => {
    const text = JSON.stringify(document)
    const unused = Object.keys(schemas).filter((name) => !text.includes(`/schemas/${name}"`))
    expect(unused).toEqual([])
  })
})

describe('conformance of sent data to the contract', () => {
  it('webhooks of runs, fan-outs, and endpoints match it, with and without their data', async () => {
    const web = receivers()
    const api = await testApi({ web, tools: bank().tools })
    await putFiles(api.world, { 'base/.agents/config.toml': BANK })
    await setPolicy(api.world, { approvals: { mcp__bank__pay: 'ask' } })
    const url = 'https://receiver.example/hook'
    const events = ['run.*', 'subagent.*', 'approval.requested', 'fanout.*', 'endpoint.disabled']
    const made = await api.call('POST', '/v1/webhook-endpoints', { json: { url, events } })
    const start = async (json: object, path = '/v1/runs') => {
      const { body } = await api.call('POST', path, { json })
      await api.settle()
      return body
    }
    await start({ input: '@spawn 1 {"task":"@say a"}\n@await\n@say all' })
    await start({ input: '@error 400' })
    await start({ input: `@say ${'word '.repeat(3_900)}` })
    const asks = await start({ input: '@call mcp__bank__pay {"amount":1}\n@say paid' })
    await api.call('POST', `/v1/runs/${asks.id}/cancel`, { json: {} })
    await start({ tasks: [{ task: '@say a' }], then: { input: '@say b' } }, '/v1/fanouts')
    await api.call('POST', `/v1/webhook-endpoints/${made.body.id}/test`, { json: {} })
    await api.settle()
    const schema = { $ref: '#/components/schemas/WebhookBody' }
    const wrong = web.got.map(({ json }) => [json.type, faultsOf(document, schema, json).slice(-3)])
    expect(wrong.filter(([, faults]) => faults.length > 0)).toEqual([])
    const types = new Set(web.got.map(({ json }) => json.type))
    expect([...types].sort()).toEqual([
      'approval.requested',
      'endpoint.test',
      'fanout.completed',
      'fanout.created',
      'run.cancelled',
      'run.completed',
      'run.failed',
      'subagent.announced',
      'subagent.spawned',
    ])
    expect(web.got.some(({ json }) => json.data.href !== undefined)).toBe(true)
  })

  it('a stream lists what it carries, including live text', async () => {
    for (const id of ['createRun', 'listRunEvents', 'listFanoutEvents']) {
      const { content } = operations.find(({ operationId }) => operationId === id).responses[200]
      const { $ref } = content['text/event-stream'].schema
      const refs = schemas[$ref.replace(/^.*\//, '')].anyOf.map((one: Any) => one.$ref)
      expect(refs).toContain('#/components/schemas/Event')
      expect(refs).toContain('#/components/schemas/AssistantDelta')
    }
    const api = await testApi()
    const headers = { accept: 'text/event-stream' }
    const { body } = await api.call('POST', '/v1/runs', { json: { input: '@say hello' } })
    // Each is checked as it is read (`test/support/http.ts`); deltas come in stream.test.ts.
    const followed = api.call('GET', `/v1/runs/${body.id}/events`, { headers })
    const [{ text }] = await Promise.all([followed, api.settle()])
    expect(text).toContain('event: run.completed')
  })
})
