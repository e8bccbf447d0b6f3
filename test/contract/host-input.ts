/** Input that every host refuses alike: JSON, cursors, types; and the headers of every answer. */

import { expect } from 'vitest'
import { INVALID, VALID } from '../support/json-texts.ts'
import type { Client } from '../support/launch.ts'

/** Of each kind some: the whole table is tried in memory. */
const SAMPLE = 16
const headers = { 'content-type': 'application/json' }

export async function refusesInput(client: Client): Promise<void> {
  const post = (body: string, more = {}) =>
    client.ask('/v1/resolve', { method: 'POST', body, headers: { ...headers, ...more } })
  for (const [name, body] of INVALID.filter((_, at) => at % SAMPLE === 1)) {
    const answer = await post(body)
    const { code } = (await answer.json()) as { code: string }
    expect([name, answer.status, code]).toEqual([name, 400, 'invalid_json'])
  }
  for (const [name, value] of VALID.filter((_, at) => at % SAMPLE === 1)) {
    const { status } = await post(`{"strict":${value}}`)
    expect([name, [200, 422].includes(status)]).toEqual([name, true])
  }
  expect((await post('{}', { 'content-type': 'multipart/mixed; boundary=x' })).status).toBe(415)
  expect((await post(`{"role":"${'x'.repeat(262_144)}"}`)).status).toBe(413)
  expect((await post('{"mcp_servers":{"a":1e400}}')).status).toBe(422)
  const forged = await client.ask('/v1/runs?cursor=v1.AAAA')
  expect([forged.status, ((await forged.json()) as { code: string }).code]).toEqual([
    ...[400, 'invalid_cursor'],
  ])
  for (const path of ['/v1/runs', '/healthz', '/v1/nothing']) {
    const { headers: sent } = await client.ask(path)
    expect(sent.get('content-security-policy')).toContain("default-src 'none'")
    expect(sent.get('referrer-policy')).toBe('no-referrer')
    expect(sent.get('x-content-type-options')).toBe('nosniff')
    expect(sent.get('cross-origin-resource-policy')).toBe('same-origin')
  }
}
