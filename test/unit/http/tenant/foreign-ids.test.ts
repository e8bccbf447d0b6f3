/**
 * Every route and method with IDs of another tenant and with IDs that name nothing: equal responses
 * after equal work. The routes come from the app, so a route without an entry fails.
 */

import { describe, expect, it } from 'vitest'
import { createApp } from '../../../../src/http/app.ts'
import {
  DETAILS,
  type Details,
  expectEqual,
  filled,
  kindsIn,
  request,
} from '../../../support/foreign-requests.ts'
import { type Ids, OTHER, twoTenants } from '../../../support/two-tenants.ts'

const two = await twoTenants()
const { routes } = createApp(two.api.world)
const withIds = routes.filter(({ path }) => path.includes('{'))
/** Whether an operation creates a resource under a name that another tenant also uses. */
const creates = ({ id }: { readonly id: string }): boolean =>
  DETAILS[id]?.(two.foreign).status === 201

describe('an ID of another tenant', () => {
  it('is in the table for each parameter of a path', () => {
    const missing = withIds.flatMap(({ id, path }) =>
      [...path.matchAll(/\{(\w+)\+?\}/g)]
        .filter(([, name = '']) => kindsIn(path)[name] === undefined)
        .map(([, name]) => `${id}: ${name}`),
    )
    expect(missing).toEqual([])
  })

  it.each(withIds.filter((route) => !creates(route)).map((route) => [route.id, route] as const))(
    'is like one that names nothing for %s [H13]',
    async (id, { method, path }) => {
      const detailsFor: (ids: Ids) => Details = DETAILS[id] ?? (() => ({}))
      const answer = await expectEqual(two, method.toUpperCase(), path, detailsFor)
      expect([id, answer.status, answer.text]).toEqual([
        ...[id, detailsFor(two.foreign).status ?? 404, expect.anything()],
      ])
    },
  )

  it.each(withIds.filter(creates).map((route) => [route.id, route] as const))(
    'is a free name for %s, which leaves the other tenant as it was [H13]',
    async (id, { method, path }) => {
      const callsWith = async (which: 'foreign' | 'absent') => {
        const world = await twoTenants()
        const ids = world[which]
        const earlier = await world.asOther('GET', filled(path, world.foreign))
        const details = DETAILS[id]!(ids)
        const { answer, calls } = await request(
          ...([world, method.toUpperCase(), filled(path, ids), details] as const),
        )
        expect([id, answer.status, answer.text]).toEqual([id, 201, expect.anything()])
        const later = await world.asOther('GET', filled(path, world.foreign))
        expect([later.status, later.text]).toEqual([200, earlier.text])
        return calls
      }
      const calls = await callsWith('foreign')
      expect(calls).toEqual(await callsWith('absent'))
      expect(calls.filter(({ target }) => target.startsWith(`${OTHER}/`))).toEqual([])
    },
  )
})

describe('a method that a path does not declare', () => {
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PURGE']
  const declared = new Set(withIds.map(({ method, path }) => `${method.toUpperCase()} ${path}`))

  it.each([...new Set(withIds.map(({ path }) => path))])(
    'is refused alike for %s',
    async (path) => {
      for (const method of METHODS) {
        if (declared.has(`${method} ${path}`)) continue
        const { status } = await expectEqual(two, method, path)
        // HEAD is answered like GET.
        if (method === 'HEAD' && declared.has(`GET ${path}`)) continue
        expect([method, status >= 400 && status < 500]).toEqual([method, true])
      }
    },
  )
})

describe('a stream, a wait, and a condition', () => {
  const READS: readonly (readonly [string, Record<string, string>])[] = [
    ['/v1/runs/{id}/events', { accept: 'text/event-stream' }],
    ['/v1/fanouts/{id}/events', { accept: 'text/event-stream' }],
    ['/v1/runs/{id}/events', { 'last-event-id': '1' }],
    ['/v1/responses/{id}', { accept: 'text/event-stream' }],
    ['/v1/runs/{id}', { 'if-none-match': '*' }],
    ['/v1/runs/{id}', { prefer: 'wait=5' }],
    ['/v1/sessions/{id}', { 'if-none-match': '*' }],
    ['/v1/files/{path+}', { range: 'bytes=0-1' }],
  ]
  it.each(READS)('of %s with %j give 404', async (path, headers) => {
    expect((await expectEqual(two, 'GET', path, () => ({ headers }))).status).toBe(404)
  })

  it.each(['POST /v1/runs/{id}/cancel', 'DELETE /v1/webhook-endpoints/{id}'])(
    'of %s give 404',
    async (operation) => {
      const [method = '', path = ''] = operation.split(' ')
      const headers = { 'idempotency-key': 'the-same-key-1', 'if-match': '"1"' }
      expect((await expectEqual(two, method, path, () => ({ headers }))).status).toBe(404)
    },
  )
})

it('the resources of the other tenant exist after all requests', async () => {
  const OTHERWISE: Readonly<Record<string, number>> = {
    // The version belongs to a skill.
    ...{ getAgentVersion: 404, compareAgentVersion: 404, getMcpServerVersion: 404 },
    ...{ compareMcpServerVersion: 404, getFileVersion: 404, getMemoryVersion: 404 },
    ...{ getModel: 404, getRunText: 404, showAccessLink: 401 },
  }
  for (const { id, path } of withIds.filter(({ method }) => method === 'get')) {
    const { query, status: other } = DETAILS[id]?.(two.foreign) ?? {}
    const target = filled(path, two.foreign)
    const { status, text } = await two.asOther(
      'GET',
      query === undefined ? target : `${target}?${query}`,
    )
    const expected = OTHERWISE[id] ?? other ?? 200
    expect([id, status, text]).toEqual([id, expected, expect.anything()])
  }
  const { body } = await two.asOther('GET', '/v1/approvals?status=pending')
  expect(body.data).toHaveLength(1)
})
