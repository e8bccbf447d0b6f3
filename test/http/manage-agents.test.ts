import { beforeEach, describe, expect, it } from 'vitest'
import { type TestApi, testApi } from '../support/api.ts'
import { agent } from '../support/layers.ts'

const ONE = '/v1/agents/tester'
const FILE = 'base/.agents/agents/tester.md'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})
const put = (agent_md: string, headers = {}) => api.call(`PUT ${ONE}`, { agent_md }, headers)

describe('an agent by REST', () => {
  it('is created, read, replaced under its etag, rolled back and deleted', async () => {
    const made = await put(agent('one', 'tester'))
    expect([made.status, await api.read(FILE)]).toEqual([201, agent('one', 'tester')])
    await put(agent('two', 'tester'), { 'if-match': made.etag! })
    expect((await put(agent('x', 'tester'), { 'if-match': made.etag! })).status).toBe(412)
    const read = await api.call(`GET ${ONE}`)
    expect(read.body).toMatchObject({
      name: 'tester',
      status: 'loaded',
      agent_md: agent('two', 'tester'),
    })
    const { body } = await api.call(`GET ${ONE}/versions`)
    await api.call(`POST ${ONE}/rollback`, { version: body.data[1].version })
    expect(await api.read(FILE)).toBe(agent('one', 'tester'))
    await api.call(`DELETE ${ONE}`)
    expect((await api.call('GET /v1/agents')).body.data).toEqual([])
  })

  it('M01 M14 M27 what the loader rejects is refused with the finding, and not stored', async () => {
    for (const [text, code] of [
      ['---js\n{a:(globalThis.p=1)}\n---\nx', 'unsupported_language'],
      ['---\nname: tester\nname: b\ndescription: d\n---\nx', 'duplicate_key'],
      ['---\nname: tester\ndescription: d\n---\n', 'body_empty'],
    ] as const) {
      const { status, body } = await put(text)
      expect([status, JSON.stringify(body.errors)]).toEqual([422, expect.stringContaining(code)])
    }
    expect((globalThis as { p?: unknown }).p).toBeUndefined()
    expect(await api.read(FILE)).toBeUndefined()
    expect((await put('no head')).status).toBe(422)
    expect((await put(agent('x', 'other'))).status).toBe(422)
  })

  it('a file that does not load is listed with what is wrong, and can be replaced', async () => {
    await api.write({ [FILE]: '---\nname: tester\n---\nx' })
    const { body } = await api.call('GET /v1/agents')
    expect(body.data).toMatchObject([{ name: 'tester', status: 'rejected' }])
    expect(body.data[0].diagnostics[0].message).toContain('description')
    expect((await put(agent('x', 'tester'))).status).toBe(200)
  })

  it('is edited where it lies when that outranks .agents/', async () => {
    await api.write({ 'base/.claude/agents/t.md': agent('old', 'tester') })
    await put(agent('new', 'tester'))
    expect(await api.read('base/.claude/agents/t.md')).toBe(agent('new', 'tester'))
    expect(await api.read(FILE)).toBeUndefined()
  })
})
