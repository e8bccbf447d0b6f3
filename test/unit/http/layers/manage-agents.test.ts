import { beforeEach, describe, expect, it } from 'vitest'
import { type TestApi, testApi } from '../../../support/api.ts'
import { TENANT } from '../../../support/drive.ts'
import { agent } from '../../../support/layers.ts'

const ONE = '/v1/agents/tester'
const FILE = 'base/.agents/agents/tester.md'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})
const put = (agent_md: string, headers = {}) => api.call(`PUT ${ONE}`, { agent_md }, headers)

describe('an agent managed over REST', () => {
  it('is created, read, replaced under its etag, rolled back, and deleted', async () => {
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

  it('is refused with the finding and not stored when the loader rejects it [M01 M14 M27]', async () => {
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

  it('is listed with its errors and can be replaced when its file does not load', async () => {
    await api.write({ [FILE]: '---\nname: tester\n---\nx' })
    const { body } = await api.call('GET /v1/agents')
    expect(body.data).toMatchObject([{ name: 'tester', status: 'rejected' }])
    expect(body.data[0].diagnostics[0].message).toContain('description')
    expect((await put(agent('x', 'tester'))).status).toBe(200)
  })

  it('PATCH changes the given members and leaves comments, other keys, and the prompt byte for byte', async () => {
    const prompt = 'You test.\r\n\n---\nEnd without a line feed'
    const head =
      'name: tester # the id\ndescription: old\n# how long\ntimeoutSeconds: 60\nx-own: [a, b]\n'
    await api.write({ [FILE]: `---\n${head}---\n${prompt}` })
    const patched = await api.call(`PATCH ${ONE}`, { description: 'new', tools: ['file_read'] })
    expect([patched.status, patched.body.agent]).toEqual([
      200,
      expect.objectContaining({ description: 'new', tools: ['file_read'] }),
    ])
    const stored = await api.read(FILE)
    expect(stored).toContain(
      'name: tester # the id\ndescription: new\n# how long\ntimeoutSeconds: 60\n',
    )
    expect(stored).toContain('x-own:')
    expect(stored?.endsWith(`---\n${prompt}`)).toBe(true)
    await api.call(`PATCH ${ONE}`, { timeout_seconds: null, system_prompt: 'Anew.' })
    const again = await api.read(FILE)
    expect(again).not.toContain('timeoutSeconds')
    expect(again?.endsWith('---\nAnew.')).toBe(true)
  })

  it('PATCH preserves line endings and a byte order mark, and changes no text that is not UTF-8', async () => {
    const head = 'name: tester\r\ndescription: old # why\r\n'
    await api.write({ [FILE]: `\uFEFF---\r\n${head}---\r\nTest.\r\n` })
    expect((await api.call(`PATCH ${ONE}`, { color: 'red' })).status).toBe(200)
    const key = `${TENANT}/files/${FILE}`
    const stored = Buffer.from((await api.world.objects.get(key))!.body).toString()
    expect(stored).toBe(`\uFEFF---\r\n${head}color: red\r\n---\r\nTest.\r\n`)

    const latin = Buffer.from('---\nname: tester\ndescription: caf\xe9\n---\nTest.\n', 'latin1')
    await api.world.objects.put(key, latin, 'any')
    const refused = await api.call(`PATCH ${ONE}`, { color: 'red' })
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_config'])
    expect(Buffer.from((await api.world.objects.get(key))!.body)).toEqual(latin)
  })

  it('PATCH refuses what the loader rejects, a stale etag, unknown fields, and a broken file', async () => {
    expect((await api.call(`PATCH ${ONE}`, { description: 'x' })).status).toBe(404)
    const { etag } = await put(agent('one', 'tester'))
    const bad = await api.call(`PATCH ${ONE}`, { visibility: 'sometimes' })
    expect([bad.status, bad.body.code]).toEqual([422, 'invalid_config'])
    expect((await api.call(`PATCH ${ONE}`, { name: 'other' })).status).toBe(422)
    await api.call(`PATCH ${ONE}`, { color: 'red' })
    const stale = await api.call(`PATCH ${ONE}`, { color: 'blue' }, { 'if-match': etag! })
    expect(stale.status).toBe(412)
    await api.write({ [FILE]: '---\nname: tester\ndescription: a: b: c\n---\nx' })
    expect((await api.call(`PATCH ${ONE}`, { color: 'blue' })).status).toBe(422)
  })

  it('two concurrent PATCH requests lose no change', async () => {
    await put(agent('one', 'tester'))
    const answers = await Promise.all([
      api.call(`PATCH ${ONE}`, { color: 'red' }),
      api.call(`PATCH ${ONE}`, { max_steps: 7 }),
      api.call(`PATCH ${ONE}`, { timeout_seconds: 9 }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const stored = await api.read(FILE)
    for (const line of ['color: red', 'maxSteps: 7', 'timeoutSeconds: 9'])
      expect(stored).toContain(line)
  })

  it('is edited in its own location when that outranks .agents/', async () => {
    await api.write({ 'base/.claude/agents/t.md': agent('old', 'tester') })
    await put(agent('new', 'tester'))
    expect(await api.read('base/.claude/agents/t.md')).toBe(agent('new', 'tester'))
    expect(await api.read(FILE)).toBeUndefined()
  })
})
