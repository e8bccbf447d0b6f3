/** Memory that many write at once, and its lists, by every way to it. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { ask, eventsOf, putFile, runToEnd } from '../support/node-client.ts'
import { MAIN } from '../support/server.ts'

const MANY = Array.from({ length: 50 }, (_, at) => at)
const agent = '---\nname: noter\ndescription: Notes.\nmemory: shared\n---\nYou note.\n'

async function entriesOf(api: NodeApi, path: string): Promise<string[]> {
  const { body } = await ask(api, 'GET', `/v1/memory/${path}`)
  return body.text
    .split('\n')
    .filter((line: string) => line.startsWith('- '))
    .sort()
}
const mcp = (api: NodeApi, name: string, given: object) =>
  ask(
    api,
    'POST',
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
    { accept: 'application/json, text/event-stream' },
  )
const entriesFor = (word: string) => MANY.map((at) => `- ${word} ${at}`).sort()

it('memory keeps the entries of fifty runs that add to one file at once', async () => {
  const api = await startNodeApi()
  await putFile(api, 'base/.agents/agents/noter.md', agent)
  const runs = await Promise.all(
    MANY.map((at) => {
      const given = { path: 'shared/busy.md', content: `- run ${at}` }
      const input = `@call memory_write ${JSON.stringify(given)}\n@then\n@say done`
      return runToEnd(api, { input, agent: 'noter' })
    }),
  )
  const events = await Promise.all(runs.map(({ id }) => eventsOf(api, id)))
  const results = events.flat().filter(({ type }) => type === 'tool.result')
  expect(results.filter(({ data }) => data.status !== 'ok').map(({ data }) => data.text)).toEqual(
    [],
  )
  expect(await entriesOf(api, 'shared/busy.md')).toEqual(entriesFor('run'))
})

it('memory accepts fifty REST and fifty MCP requests at once', async () => {
  const api = await startNodeApi()
  const answers = await Promise.all(
    MANY.flatMap((at) => [
      ask(api, 'POST', '/v1/memory/shared/busy.md', { content: `- rest ${at}` }),
      mcp(api, 'memory_write', { path: 'shared/busy.md', content: `- mcp ${at}` }),
    ]),
  )
  const bad = answers.filter(({ status, text }) => status > 201 || text.includes('"isError":true'))
  expect(bad.map(({ text }) => text)).toEqual([])
  const entries = [...entriesFor('rest'), ...entriesFor('mcp')].sort()
  expect(await entriesOf(api, 'shared/busy.md')).toEqual(entries)
})

it('a name below a file is reported as a conflict at once', async () => {
  const api = await startNodeApi()
  await ask(api, 'POST', '/v1/memory/shared/a.md', { content: '- x' })
  const below = await ask(api, 'POST', '/v1/memory/shared/a.md/b.md', { content: '- x' })
  expect([below.status, below.body.detail]).toEqual([409, expect.stringMatching(/below a file/)])
})

interface Listed {
  readonly data: readonly { readonly path: string; readonly modified_at: string }[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

it('memory is listed newest first, in pages, identically by REST, tool, MCP, and command line', async () => {
  const api = await startNodeApi()
  await putFile(api, 'base/.agents/agents/noter.md', agent)
  for (const name of ['c', 'a', 'd', 'b'])
    await ask(api, 'PUT', `/v1/memory/shared/${name}.md`, { content: `${name}\n` })
  await ask(api, 'POST', '/v1/memory/shared/a.md', { content: '- newer' })
  const rest = async (cursor?: string): Promise<Listed> => {
    const more = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''
    return (await ask(api, 'GET', `/v1/memory?prefix=shared/&limit=3${more}`)).body
  }
  const byMcp = async (cursor?: string): Promise<Listed> => {
    const { text } = await mcp(api, 'memory_list', { prefix: 'shared/', limit: 3, cursor })
    return JSON.parse(JSON.parse(/^data: (.*)$/m.exec(text)![1]!).result.content[0].text)
  }
  const byTool = async (cursor?: string): Promise<Listed> => {
    const given = JSON.stringify({ prefix: 'shared/', limit: 3, cursor })
    const input = `@call memory_list ${given}\n@then\n@say done`
    const events = await eventsOf(api, (await runToEnd(api, { input, agent: 'noter' })).id)
    return JSON.parse(events.find(({ type }) => type === 'tool.result').data.text)
  }
  for (const listed of [rest, byMcp, byTool]) {
    const first = await listed()
    expect(first.data.map(({ path }) => path)).toEqual(['a', 'b', 'd'].map((n) => `shared/${n}.md`))
    for (const { modified_at } of first.data) expect(modified_at).toMatch(/^\d{4}-.*Z$/)
    expect([first.has_more, typeof first.next_cursor]).toEqual([true, 'string'])
    const last = await listed(first.next_cursor!)
    expect(last).toMatchObject({ data: [{ path: 'shared/c.md' }], has_more: false })
    expect(last.next_cursor).toBeNull()
  }
  const wrong = await ask(api, 'GET', '/v1/memory?cursor=nothing')
  expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_cursor'])
  const env = { ...process.env, STRATA_URL: api.url, STRATA_API_KEY: api.key }
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [MAIN, 'memory', 'list', 'shared/', '--limit', '3'],
    { env },
  )
  expect(stdout).toMatch(/^path +size +modified_at\nshared\/a\.md +\d+ {2}\d{4}-.*Z\n/)
  expect(stdout).toMatch(/\nshared\/b\.md .*\nshared\/d\.md .*\n$/)
  expect(stderr).toMatch(/^More entries are available; use --cursor \S+\n$/)
})
