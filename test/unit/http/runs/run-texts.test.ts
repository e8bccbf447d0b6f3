/** Large texts that a run's events name by digest, read in pages. */

import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { homeOfSession } from '../../../../src/engine/partition/home.ts'
import { putBlob } from '../../../../src/engine/tenant/blobs.ts'
import { sha256 } from '../../../../src/lib/digest.ts'
import { setPolicy } from '../../../support/approvals.ts'
import { TENANT } from '../../../support/drive.ts'
import { testApi } from '../../../support/http.ts'
import { spawn } from '../../../support/script.ts'

type Api = Awaited<ReturnType<typeof testApi>>
interface Ref {
  readonly digest: string
  readonly bytes: number
  readonly preview: string
}

const start = async (more: object = {}) => {
  const api = await testApi({ settings: { spillBytes: 320, maxDepth: 2 } })
  const run = async (input: string, given: object = more): Promise<string> => {
    const { body } = await api.call('POST', '/v1/runs', { json: { input, ...given } })
    await api.settle()
    return body.id
  }
  return { api, run }
}

const eventsOf = async (api: Api, id: string) =>
  (await api.call('GET', `/v1/runs/${id}/events?limit=100`)).body.data as {
    readonly type: string
    // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
    readonly data: any
  }[]

const read = (api: Api, id: string, digest: string, query = '') =>
  api.call('GET', `/v1/runs/${id}/texts/${digest}${query}`)

/** Characters of one to four bytes. */
const MIXED = 'aé水🦦'.repeat(200)

describe('the text for a digest', () => {
  it('is the complete text that the event abbreviates, wherever it is stored', async () => {
    const { api, run } = await start()
    const input = `@call file_write {"path":"a.md","content":"${MIXED}"}\n@call file_read {"path":"a.md"}\n@then\n@say ${MIXED}`
    const id = await run(input)
    const events = await eventsOf(api, id)
    const of = (type: string) => events.filter((event) => event.type === type)
    const [answer] = of('assistant.message')
    const named: [Ref, string | RegExp][] = [
      [of('run.created')[0]!.data.input[0].text, input],
      [answer!.data.parts[0].arguments, `{"path":"a.md","content":"${MIXED}"}`],
      [of('tool.result')[1]!.data.text, new RegExp(MIXED)],
      [of('run.completed')[0]!.data.output.text, MIXED],
    ]
    for (const [ref, text] of named) {
      const { status, headers, text: found } = await read(api, id, ref.digest)
      expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
      expect(found).toMatch(text)
      if (typeof text === 'string') expect(found).toBe(text)
      expect(found.startsWith(ref.preview)).toBe(true)
      expect(Buffer.byteLength(found)).toBe(ref.bytes)
      const range = `bytes 0-${ref.bytes - 1}/${ref.bytes}`
      expect(headers.get('strata-text-range')).toBe(range)
      expect(headers.get('strata-text-next')).toBeNull()
      expect(headers.get('content-disposition')).toContain('attachment')
    }
  })

  it('is returned in pages that split no character', async () => {
    const { api, run } = await start()
    const id = await run(MIXED)
    const [created] = await eventsOf(api, id)
    const { digest, bytes } = created!.data.input[0].text as Ref
    for (const limit of [4, 5, 6, 7, 1_000, bytes]) {
      let text = ''
      let pages = 0
      for (let from: string | null = '0'; from !== null; pages += 1) {
        const page = await read(api, id, digest, `?from=${from}&limit=${limit}`)
        const size = Buffer.byteLength(page.text)
        expect(size).toBeLessThanOrEqual(limit)
        expect(size).toBeGreaterThan(0)
        expect(page.text).not.toContain('\ufffd')
        const range = `bytes ${from}-${Number(from) + size - 1}/${bytes}`
        expect(page.headers.get('strata-text-range')).toBe(range)
        text += page.text
        from = page.headers.get('strata-text-next')
      }
      expect(text).toBe(MIXED)
      expect(pages).toBeGreaterThanOrEqual(Math.ceil(bytes / limit))
    }
    // A place within a character is the beginning of this character.
    const within = await read(api, id, digest, '?from=5&limit=4')
    expect([within.text, within.headers.get('strata-text-range')]).toEqual([
      '水',
      `bytes 3-5/${bytes}`,
    ])
    const end = await read(api, id, digest, `?from=${bytes}`)
    expect([end.status, end.text, end.headers.get('strata-text-range')]).toEqual([
      200,
      '',
      `bytes */${bytes}`,
    ])
  })

  it('is refused beyond its end and with invalid bounds (400)', async () => {
    const { api, run } = await start()
    const id = await run(MIXED)
    const [created] = await eventsOf(api, id)
    const { digest, bytes } = created!.data.input[0].text as Ref
    const most = LIMITS.text_page_bytes
    for (const query of [`from=${bytes + 1}`, 'from=-1', 'from=x', 'from=0.5', 'limit=3']) {
      const { status, body } = await read(api, id, digest, `?${query}`)
      expect([query, status, body.code]).toEqual([query, 400, 'invalid_query'])
    }
    expect((await read(api, id, digest, `?limit=${most}`)).status).toBe(200)
    expect((await read(api, id, digest, `?limit=${most + 1}`)).status).toBe(400)
  })
})

describe('a digest that no event of the run contains', () => {
  it('is not found, although the text is stored beside those of the run (404)', async () => {
    const { api, run } = await start()
    const task = `@say ${'child '.repeat(100)}`
    const id = await run(`${spawn({ task })}\n@await\n@say parent`)
    const other = await run(MIXED)
    const { body: children } = await api.call('GET', `/v1/runs/${id}/children`)
    const [child] = await eventsOf(api, children.data[0].id)
    const inChild = (child!.data.input[0].text as Ref).digest
    expect((await read(api, children.data[0].id, inChild)).status).toBe(200)
    const [foreign] = await eventsOf(api, other)
    // The digest stands in what a caller gave, in the form of a text of a log.
    const forged = { digest: inChild, bytes: 1, preview: '' }
    const output_schema = { type: 'object', properties: {}, default: forged }
    const forger = await run('@say {}', { output_schema, metadata: { digest: inChild } })
    const digests = [
      [id, inChild],
      [id, (foreign!.data.input[0].text as Ref).digest],
      [forger, inChild],
      [id, sha256('nothing')],
      [id, 'x'],
      [id, '..%2F..%2Ffiles'],
      [`run_${'0'.repeat(26)}`, inChild],
    ] as const
    for (const [of, digest] of digests) {
      const { status, body } = await read(api, of, digest)
      expect([digest, status, body.code]).toEqual([digest, 404, 'not_found'])
    }
  })

  it('is not found, although it identifies a text of the session', async () => {
    const { api, run } = await start()
    const id = await run(MIXED)
    const { session_id } = (await api.call('GET', `/v1/runs/${id}`)).body
    const digest = await putBlob(api.world, homeOfSession(TENANT, session_id), 'of the session')
    expect((await read(api, id, digest)).status).toBe(404)
  })

  it('is a 410 once the text is no longer stored', async () => {
    const { api, run } = await start()
    const id = await run(MIXED)
    const [created] = await eventsOf(api, id)
    const { digest } = created!.data.input[0].text as Ref
    const page = await api.world.objects.list(`${TENANT}/bodies/`)
    for (const { key } of page.objects) await api.world.objects.delete(key, 'any')
    const { objects } = api.world
    // Another process, which has read nothing yet.
    Object.assign(api.world, { objects: { ...objects } })
    expect((await read(api, id, digest)).status).toBe(410)
  })
})

describe('values hidden in events', () => {
  it('stay hidden in the complete text: values of env and http_headers', async () => {
    const { api, run } = await start()
    await setPolicy(api.world, { approvals: { mcp_put_server: 'ask' } })
    const values = (secret: string) => ({ A: secret, B: 'x'.repeat(400) })
    const put = { name: 'zz', command: 'x', env: values('CANARY-1'), headers: values('CANARY-2') }
    const id = await run(`@call mcp_put_server ${JSON.stringify(put)}\n@say done`)
    const [asked] = (await api.call('GET', '/v1/approvals?status=pending')).body.data
    const changed = { ...put, env: values('CANARY-3') }
    const json = { decision: 'approve', arguments: changed }
    await api.call('POST', `/v1/approvals/${asked.id}/decision`, { json })
    await api.settle()
    const events = await eventsOf(api, id)
    const dataOf = (type: string) => events.find((event) => event.type === type)!.data
    const refs: Ref[] = [
      dataOf('assistant.message').parts[0].arguments,
      dataOf('approval.requested').arguments,
      dataOf('approval.decided').arguments,
    ]
    for (const { digest } of refs) {
      const { status, text } = await read(api, id, digest)
      expect([status, text.includes('CANARY')]).toEqual([200, false])
      expect(JSON.parse(text)).toMatchObject({ name: 'zz', env: { A: '[redacted]' } })
    }
  })

  it('are reachable with a token of the run, and with no other token', async () => {
    const { api, run } = await start()
    const [mine, other] = [await run(MIXED), await run(`${MIXED}!`)]
    const [created] = await eventsOf(api, mine)
    const { digest } = created!.data.input[0].text as Ref
    const keyOf = async (id: string) => {
      const json = { for: { run: id }, scopes: ['runs:read'] }
      return (await api.call('POST', '/v1/tokens', { json })).body.token as string
    }
    const path = `/v1/runs/${mine}/texts/${digest}`
    expect((await api.call('GET', path, { key: await keyOf(mine) })).status).toBe(200)
    expect((await api.call('GET', path, { key: await keyOf(other) })).status).toBe(404)
    expect((await api.call('GET', path, { key: null })).status).toBe(401)
  })
})
