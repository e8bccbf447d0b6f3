/** Pictures and files of messages: their place, their end, and the limits of requests. */

import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { look, TENANT } from '../../../support/drive.ts'
import { testApi } from '../../../support/http.ts'
import { PNG } from '../../../support/pictures.ts'

const picture = { type: 'image', data: PNG.toString('base64') }
type Api = Awaited<ReturnType<typeof testApi>>

async function keysOf({ world }: Api): Promise<string[]> {
  const keys: string[] = []
  let cursor: string | undefined
  do {
    const page = await world.objects.list(`${TENANT}/`, cursor)
    keys.push(...page.objects.map(({ key }) => key))
    cursor = page.cursor
  } while (cursor !== undefined)
  return keys
}
const digestIn = async (api: Api, id: string): Promise<string> => {
  const { body } = await api.call('GET', `/v1/runs/${id}/transcript`)
  return body.data[0].media[0].digest
}

describe('images of a run', () => {
  it('are stored by digest, once, and deleted with the run', async () => {
    const api = await testApi()
    const json = { input: [{ type: 'text', text: '@say seen' }, picture, picture] }
    const { body } = await api.call('POST', '/v1/runs', { json })
    await api.settle()
    const digest = await digestIn(api, body.id)
    expect((await keysOf(api)).filter((key) => key.endsWith(digest))).toHaveLength(1)
    expect((await api.call('GET', `/v1/runs/${body.id}/media/${digest}`)).status).toBe(200)
    expect((await api.call('DELETE', `/v1/runs/${body.id}`)).status).toBe(204)
    await api.settle()
    expect((await keysOf(api)).filter((key) => key.includes(body.id))).toEqual([])
    expect((await api.call('GET', `/v1/runs/${body.id}/media/${digest}`)).status).toBe(404)
  })

  it('belong to one run: another run, another digest, and a text give 404', async () => {
    const api = await testApi()
    const create = async (input: unknown) => {
      const { body } = await api.call('POST', '/v1/runs', { json: { input } })
      await api.settle()
      return body.id as string
    }
    const one = await create([{ type: 'text', text: '@say seen' }, picture])
    const two = await create(`@say ${'x'.repeat(200_000)}`)
    const digest = await digestIn(api, one)
    const { state } = await look(api.world, two)
    const { text } = state.spec!.input[0]!
    const ofText = typeof text === 'string' ? '' : text.digest
    expect(ofText).toMatch(/^[0-9a-f]{64}$/)
    const paths = [`${two}/media/${digest}`, `${two}/media/${ofText}`, `${one}/media/..%2Fx`]
    for (const path of paths) expect((await api.call('GET', `/v1/runs/${path}`)).status).toBe(404)
  })

  it('leave the size limit of texts unchanged', async () => {
    const api = await testApi()
    const bytes = Buffer.alloc(600_000, 7)
    PNG.copy(bytes)
    const large = { type: 'image', data: bytes.toString('base64') }
    const fits = { input: [{ type: 'text', text: '@say seen' }, large] }
    expect((await api.call('POST', '/v1/runs', { json: fits })).status).toBe(202)
    for (const input of [
      'x'.repeat(LIMITS.json_body_bytes),
      [{ type: 'text', text: 'y' }, large],
    ]) {
      const json = { input, metadata: { note: 'x' } }
      const { status } = await api.call('POST', '/v1/runs', { json })
      expect(status).toBe(typeof input === 'string' ? 413 : 202)
    }
    const much = { input: [large, ...Array.from({ length: 6 }, () => large)] }
    expect(await api.call('POST', '/v1/runs', { json: much })).toMatchObject({
      status: 413,
      body: { detail: expect.stringContaining('PUT /v1/files/{path}') },
    })
  })

  it('in messages to a live run work like others, and the same key with another image is refused', async () => {
    const api = await testApi()
    const ask = '@call ask_user {"questions":[{"question":"Which?"}]}\n@say {last}'
    const { body } = await api.call('POST', '/v1/runs', { json: { input: ask } })
    await api.settle()
    const headers = { 'idempotency-key': 'a-picture-of-mine' }
    const path = `/v1/runs/${body.id}/messages`
    const content = [{ type: 'text', text: 'This.' }, picture]
    const sent = await api.call('POST', path, { json: { content }, headers })
    expect(sent.status).toBe(202)
    const other = Buffer.concat([PNG, Buffer.from('x')]).toString('base64')
    const json = { content: [content[0], { ...picture, data: other }] }
    const refused = await api.call('POST', path, { json, headers })
    expect([refused.status, refused.body.code]).toEqual([422, 'idempotency_mismatch'])
  })
})
