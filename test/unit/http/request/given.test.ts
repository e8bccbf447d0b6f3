/** Parameters and headers without a value: they are not given, on every route. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { settle } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'

interface Parameter {
  readonly name: string
  readonly in: 'query' | 'header' | 'path'
}
interface Operation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: unknown
}
const document = parse(
  readFileSync(join(import.meta.dirname, '../../../../openapi.yaml'), 'utf8'),
) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> }
}
const parameterOf = (one: Parameter | { readonly $ref: string }): Parameter =>
  '$ref' in one ? document.components.parameters[one.$ref.split('/').at(-1)!]! : one

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
    method: method.toUpperCase(),
    path: path.replaceAll(/\{\w+\}/g, 'x'),
    settings: parameters.map(parameterOf).filter((one) => one.in !== 'path'),
    init: requestBody ? { json: {} } : {},
  })),
)

describe('a parameter without a value', () => {
  it('is treated as absent, in every operation of the contract', async () => {
    const api = await testApi()
    expect(operations.filter(({ settings }) => settings.length > 0).length).toBeGreaterThan(40)
    for (const { method, path, settings, init } of operations) {
      // What it creates or deletes, it does now.
      await api.call(method, path, init)
      const plain = await api.call(method, path, init)
      for (const { name, in: place } of settings) {
        // Without it, the operation applies to all end users (`secret-input.test.ts`).
        if (name === 'subject') continue
        const empty =
          place === 'query'
            ? await api.call(method, `${path}?${name}=`, init)
            : await api.call(method, path, { ...init, headers: { [name]: '' } })
        const what = `${method} ${path} with an empty ${place} ${name}`
        expect([what, empty.status, empty.body?.detail]).toEqual([
          what,
          plain.status,
          plain.body?.detail,
        ])
      }
    }
  })

  async function ended(api: TestApi): Promise<string> {
    const json = { input: '@say hello', background: true }
    const { body } = await api.call('POST', '/v1/responses', { json })
    await settle(api.world)
    return body.id
  }

  it('leaves a stream complete', async () => {
    const api = await testApi()
    const id = await ended(api)
    const events = async (query: string) =>
      (await api.call('GET', `/v1/responses/${id}?stream=true${query}`)).text
    for (const empty of ['&starting_after=', '&starting_after=%20', '&starting_after'])
      expect(await events(empty)).toBe(await events(''))
    expect(await events('')).toContain('response.created')
    const run = `/v1/runs/${id.replace('resp_', 'run_')}/events`
    const headers = { accept: 'text/event-stream' }
    const all = await api.call('GET', run, { headers })
    const empty = { ...headers, 'last-event-id': '' }
    expect((await api.call('GET', `${run}?after=`, { headers: empty })).text).toBe(all.text)
    expect(all.text).toContain('run.created')
  })

  it('identifies no request: two requests with an empty key create two runs', async () => {
    const api = await testApi()
    const init = { json: { input: '@say hello' }, headers: { 'idempotency-key': '' } }
    const [first, second] = [
      await api.call('POST', '/v1/runs', init),
      await api.call('POST', '/v1/runs', init),
    ]
    expect([first.status, second.status]).toEqual([202, 202])
    expect(first.body.id).not.toBe(second.body.id)
  })

  it('is ignored beside one with a value, and two with values are refused', async () => {
    const api = await testApi()
    await ended(api)
    await ended(api)
    expect((await api.call('GET', '/v1/runs?limit=&limit=1&cursor')).body.data).toHaveLength(1)
    expect((await api.call('GET', '/v1/runs?limit=1&limit=2')).status).toBe(400)
    expect((await api.call('GET', '/v1/runs?surprise=1')).status).toBe(400)
  })
})
