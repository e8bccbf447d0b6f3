/** The examples of bodies that `/docs` offers, sent to a new deployment as they stand. */

import { expect, it } from 'vitest'
import { DEFAULT_TENANT } from '../../../../src/engine/partition/keys.ts'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { memoryWorld } from '../../../../src/hosts/memory/world.ts'
import { createApp } from '../../../../src/http/app.ts'
import { openapi } from '../../../../src/http/openapi/document.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { receivers } from '../../../support/receivers.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
type Any = any
const document = openapi(createApp(memoryWorld()).routes) as Any

interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Any[]
  readonly examples: readonly [name: string, example: Any][]
}

const operations: readonly Operation[] = Object.entries<Any>(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries<Any>(methods).flatMap(([method, { operationId, parameters, requestBody }]) => {
      const json = requestBody?.content['application/json']
      if (!json) return []
      const examples = Object.entries(json.examples ?? {}) as [string, Any][]
      return [{ name: operationId, method, path, parameters, examples }]
    }),
)

/** The path with the examples of its parameters and with IDs of what the requests have made. */
function filled(path: string, parameters: readonly Any[], ids: ReadonlyMap<string, string>) {
  const [, kind = ''] = /^\/v1\/([\w-]+)/.exec(path) ?? []
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const created = document.paths[path].put?.parameters ?? parameters
    const parameter = created.find((one: Any) => one.in === 'path' && one.name === name)
    const value = parameter?.example ?? ids.get(kind)
    return value === undefined ? '{}' : encodeURIComponent(value)
  })
}

/** What is needed beside the body: `/docs` fills in the examples of headers. */
function headersOf(parameters: readonly Any[]): Record<string, string> {
  const given = parameters.flatMap(({ in: where, name, schema, ...rest }) => {
    const isFilled = where === 'header' && schema?.examples && rest['x-fill-example'] !== 'no'
    return isFilled ? [[name, schema.examples[0]]] : []
  })
  return { accept: 'application/json', ...Object.fromEntries(given) }
}

/** Operations on what these requests do not make: a model, a waiting call, an earlier version. */
const NEED_MORE = [
  ...['createChatCompletion', 'createResponse', 'callAgent', 'runAgUi', 'cancelRun'],
  ...['answerFunctionCall'],
  ...['retryRun', 'rollbackSkill', 'rollbackAgent', 'rollbackMcpServer', 'decideApproval'],
  ...['replayWebhookDelivery', 'receiveHook', 'cancelResponse', 'forkSession', 'sealFanout'],
]

async function sendAll(api: TestApi): Promise<string[]> {
  const ids = new Map<string, string>()
  const wrong: string[] = []
  const operator = (await createKey(api.world, DEFAULT_TENANT, ['*'])).key
  // What is made comes before what changes it.
  const ordered = operations.toSorted((a, b) => depth(a) - depth(b))
  for (const { name, method, path, parameters, examples } of ordered) {
    if (NEED_MORE.includes(name)) continue
    for (const [key, { value, description = '' }] of examples) {
      const answer = await api.call(method.toUpperCase(), filled(path, parameters, ids), {
        json: value,
        key: path.startsWith('/v1/tenants') ? operator : api.key,
        headers: headersOf(parameters),
      })
      const isMarked = description.startsWith('Replace')
      const isRight = isMarked ? [401, 404, 422].includes(answer.status) : answer.status < 300
      if (!isRight) wrong.push(`${name} ${key}: ${answer.status} ${answer.body?.detail}`)
      const kind = path.replace('/v1/', '')
      if (typeof answer.body?.id === 'string') ids.set(kind, answer.body.id)
    }
  }
  return wrong
}
const depth = ({ method, path }: Operation): number =>
  path.split('/').length + (method === 'patch' ? 1 : 0)

it('every JSON body has examples, each with a summary', () => {
  expect(operations.length).toBeGreaterThan(50)
  expect(operations.filter(({ examples }) => examples.length === 0)).toEqual([])
  const all = operations.flatMap(({ examples }) => examples.map(([, one]) => one))
  expect(all.filter(({ summary }) => typeof summary !== 'string')).toEqual([])
  const names = (name: string) =>
    operations.find((one) => one.name === name)?.examples.map(([key]) => key)
  expect(names('createRun')).toEqual(['create', 'wait', 'stream', 'structured', 'limited'])
  expect(names('createFanout')).toEqual(['create', 'closing', 'first', 'open'])
})

it('2xx a new deployment accepts each example without placeholders', async () => {
  expect(await sendAll(await testApi({ web: receivers() }))).toEqual([])
})
