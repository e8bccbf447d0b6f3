/**
 * The examples of the contract, sent to the API as they stand: what the contract shows is what is
 * taken. The layers that their story needs are made of the examples themselves.
 */

import { describe, expect, it } from 'vitest'
import { memoryWorld } from '../../../../src/hosts/memory/world.ts'
import { createApp } from '../../../../src/http/app.ts'
import { openapi } from '../../../../src/http/openapi/document.ts'
import { type Answer, type TestApi, testApi } from '../../../support/http.ts'
import { receivers } from '../../../support/receivers.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
type Any = any
const document = openapi(createApp(memoryWorld()).routes) as Any
const { schemas } = document.components

/** Every example of the body that this operation takes. */
function examples(method: string, path: string): readonly Any[] {
  const { schema } = document.paths[path][method].requestBody.content['application/json']
  const named = schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1)]
  return named.examples
}

/** Sends them one after the other; `at` is the path with its ids. */
async function send(
  api: TestApi,
  method: string,
  path: string,
  at = path,
  headers = {},
): Promise<Answer[]> {
  const [bare] = path.split('?')
  const answers: Answer[] = []
  for (const json of examples(method, bare!)) {
    answers.push(await api.call(method.toUpperCase(), at, { json, headers }))
  }
  return answers
}
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status)

/** The agent, the skill and the server of the story, in the role's layer and in the base layer. */
async function layers(api: TestApi): Promise<number[]> {
  const made: Answer[] = []
  for (const layer of ['roles/support/', 'base/']) {
    const at = (what: string) => `/v1/${what}?layer=${layer}`
    made.push(
      ...(await send(api, 'put', '/v1/agents/{name}', at('agents/support-triage'))),
      ...(await send(api, 'put', '/v1/skills/{name}', at('skills/refund-policy'))),
      ...(await send(api, 'put', '/v1/mcp-servers/{name}', at('mcp-servers/helpdesk'))),
    )
  }
  return statuses(made)
}

const world = async () => {
  const api = await testApi({ web: receivers() })
  await api.call('PUT', '/v1/files/repos/shop/README.md', { body: 'The shop.' })
  return api
}

describe('the request examples', () => {
  it('201 200 create, change, and switch the agent, the skill, and the server of their story', async () => {
    const api = await world()
    expect(await layers(api)).toEqual([201, 201, 201, 201, 201, 201])
    const role = '?layer=roles/support/'
    const changes = [
      ...(await send(api, 'patch', '/v1/agents/{name}', `/v1/agents/support-triage${role}`)),
      ...(await send(api, 'patch', '/v1/skills/{name}', `/v1/skills/refund-policy${role}`)),
      ...(await send(api, 'patch', '/v1/mcp-servers/{name}', `/v1/mcp-servers/helpdesk${role}`)),
      ...(await send(api, 'post', '/v1/resolve')),
      ...(await send(api, 'post', '/v1/runtime/reload')),
      ...(await send(api, 'post', '/v1/layers/migrate')),
      ...(await send(api, 'put', '/v1/policy', '/v1/policy', { 'if-match': '"0"' })),
    ]
    expect(new Set(statuses(changes))).toEqual(new Set([200]))
    expect(changes.length).toBeGreaterThan(7)
    const headers = { accept: 'application/json, text/event-stream' }
    const [told] = await send(api, 'post', '/mcp', '/mcp', headers)
    expect(told?.status).toBe(200)
    expect(told?.text).toContain('structuredContent')
  })

  it('202 200 start, message, and cancel runs and fan-outs', async () => {
    const api = await world()
    await layers(api)
    const runs = await send(api, 'post', '/v1/runs')
    expect(statuses(runs)).toEqual([202, 202])
    const run = `/v1/runs/${runs[0]!.body.id}`
    expect(statuses(await send(api, 'post', '/v1/runs/{id}/messages', `${run}/messages`))).toEqual([
      202,
    ])
    expect(statuses(await send(api, 'post', '/v1/runs/{id}/cancel', `${run}/cancel`))).toEqual([
      200,
    ])
    const fanouts = await send(api, 'post', '/v1/fanouts')
    expect(statuses(fanouts)).toEqual([202, 202])
    const open = `/v1/fanouts/${fanouts[1]!.body.id}`
    const paged = await send(api, 'post', '/v1/fanouts/{id}/tasks', `${open}/tasks`)
    const sealed = await send(api, 'post', '/v1/fanouts/{id}/seal', `${open}/seal`)
    expect([...statuses(paged), ...statuses(sealed)]).toEqual([202, 200])
    expect(statuses(await send(api, 'post', '/v1/sessions'))).toEqual([201])
  })

  it('201 200 202 create and change endpoints and hooks, and resend deliveries', async () => {
    const api = await world()
    const endpoints = await send(api, 'post', '/v1/webhook-endpoints')
    const hooks = await send(api, 'post', '/v1/hooks')
    expect(statuses([...endpoints, ...hooks])).toEqual([201, 201, 201])
    const endpoint = `/v1/webhook-endpoints/${endpoints[0]!.body.id}`
    const hook = `/v1/hooks/${hooks[0]!.body.id}`
    const changed = [
      ...(await send(api, 'patch', '/v1/webhook-endpoints/{id}', endpoint)),
      ...(await send(api, 'patch', '/v1/hooks/{id}', hook)),
      ...(await send(api, 'post', '/v1/hooks/{id}/rotate-secret', `${hook}/rotate-secret`)),
      ...(await send(api, 'post', '/v1/webhook-deliveries/replay')),
    ]
    expect(statuses(changed)).toEqual([200, 200, 200, 202, 200])
  })

  it('404 422 of problems match the actual answers', async () => {
    const api = await world()
    const [missing, wrong] = schemas.Problem.examples
    const input = { input: 'x', limits: { max_steps: 201 } }
    const answers = [
      await api.call('GET', missing.instance),
      await api.call('POST', wrong.instance, { json: input }),
    ]
    const unnamed = ({ request_id, ...rest }: Any) => ({ ...rest, named: request_id.slice(0, 4) })
    expect(answers.map(({ body }) => unnamed(body))).toEqual([missing, wrong].map(unnamed))
    expect(statuses(answers)).toEqual([404, 422])
  })
})
