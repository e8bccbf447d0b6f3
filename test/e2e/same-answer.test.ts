/** One operation gives one answer by REST, MCP, A2A, the model's tool, and the command line. */

import { execFile } from 'node:child_process'
import { expect, it } from 'vitest'
import { MAIN } from '../support/launch.ts'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { ask, eventsOf, putFile, runToEnd } from '../support/node-client.ts'
import { until } from '../support/patience.ts'

const rpc = async (api: NodeApi, path: string, method: string, params: object) => {
  const headers = { accept: 'application/json', 'a2a-version': '1.0' }
  return (await ask(api, 'POST', path, { jsonrpc: '2.0', id: 1, method, params }, headers)).body
}
const callTool = async (api: NodeApi, name: string, args: object) =>
  (await rpc(api, '/mcp', 'tools/call', { name, arguments: args })).result

const strata = ({ url, key }: NodeApi, ...args: string[]) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const env = { STRATA_URL: url, STRATA_API_KEY: key }
    execFile(process.execPath, [MAIN, ...args], { env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
  })

it('a cancel of an ended run changes nothing, and every answer reports how the run ended', async () => {
  const api = await startNodeApi()
  const { id } = await runToEnd(api, { input: '@say x' })
  const rest = await ask(api, 'POST', `/v1/runs/${id}/cancel`)
  expect([rest.status, rest.body.status]).toEqual([200, 'completed'])
  const mcp = await callTool(api, 'runs_cancel', { run_id: id })
  expect([mcp.isError ?? false, mcp.structuredContent.status]).toEqual([false, 'completed'])
  expect(await strata(api, 'cancel', id)).toEqual({
    code: 0,
    out: `${id} completed\n`,
    err: 'The run or fan-out had already ended; nothing was cancelled.\n',
  })
  const stop = '@call subagents {"action":"stop","target":"child 1"}\n@then\n@say {last}'
  const parent = await runToEnd(api, { input: `@spawn 1 {"task":"@say y"}\n@await\n${stop}` })
  expect(JSON.parse(parent.output.text)).toMatchObject({
    status: 'completed',
    note: 'The run had already ended; nothing was cancelled.',
  })
  // These protocols have no other answer to it; the reason is the same.
  const a2a = await rpc(api, '/v1/a2a/general', 'CancelTask', { id })
  expect(a2a.error).toMatchObject({ code: -32_002, message: 'The run has ended (completed).' })
  const task = await rpc(api, '/mcp', 'tasks/cancel', { taskId: id })
  expect(task.error).toMatchObject({ code: -32_602, message: 'The run has ended (completed).' })
  expect((await ask(api, 'GET', `/v1/runs/${id}`)).body.status).toBe('completed')
})

it('a cancel returns the same subagents as their list', async () => {
  const api = await startNodeApi()
  const input = '@spawn 8 {"task":"@slow 60000\\n@say late"}\n@await\n@say done'
  const countsOf = async (id: string) => {
    const { data } = (await ask(api, 'GET', `/v1/runs/${id}/children?limit=100`)).body
    const statuses: string[] = data.map(({ status }: { status: string }) => status)
    const of = (status: string) => statuses.filter((one) => one === status).length
    return { total: statuses.length, live: 0, cancelled: of('cancelled') }
  }
  // Cancelled while they are being created, and at any time after that.
  for (const least of [0, 1, 2, 4, 8]) {
    const { id } = (await ask(api, 'POST', '/v1/runs', { input })).body
    await until('subagents', async () => (await countsOf(id)).total >= least)
    const { children, cancelled_children } = (await ask(api, 'POST', `/v1/runs/${id}/cancel`)).body
    const counts = await countsOf(id)
    expect([least, children]).toMatchObject([least, counts])
    expect(counts.cancelled).toBe(counts.total)
    expect((await ask(api, 'GET', `/v1/runs/${id}`)).body.children).toEqual(children)
    expect(cancelled_children.length).toBeLessThanOrEqual(counts.total)
  }
})

it('a memory list is the same by REST, by MCP, by the command line, and for the model', async () => {
  const api = await startNodeApi()
  const md = '---\nname: keeper\ndescription: Keeps.\nmemory: shared\n---\nYou keep.\n'
  await putFile(api, 'base/.agents/agents/keeper.md', md)
  for (const path of ['shared/MEMORY.md', 'shared/notes.md'])
    await ask(api, 'PUT', `/v1/memory/${path}`, { content: `- ${path}\n` })
  const rest = (await ask(api, 'GET', '/v1/memory?prefix=shared/')).body
  expect(rest.data).toHaveLength(2)
  const mcp = await callTool(api, 'memory_list', { prefix: 'shared/' })
  expect(mcp.structuredContent).toEqual({ success: true, ...rest })
  const { out } = await strata(api, 'memory', 'list', 'shared/', '--json')
  expect(JSON.parse(out)).toEqual(rest)
  const input = '@call memory_list {"prefix":"shared/"}\n@then\n@say {last}'
  const run = await runToEnd(api, { agent: 'keeper', input })
  const told = (await eventsOf(api, run.id)).find(({ type }) => type === 'tool.result')
  expect(JSON.parse(told.data.text)).toMatchObject(rest)
})
