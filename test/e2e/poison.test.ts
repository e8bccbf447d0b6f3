/** Rule 34: what kills its worker is set aside, also when somebody had to end the process by hand. */

import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { cleanup } from '../support/cleanup.ts'
import { startModelServer } from '../support/model-server.ts'
import { createRun, type RunShown, runToEnd, type Server, startServer } from '../support/server.ts'

/** A local server whose only tool ends the process that calls it, as a person with `kill -9` would. */
const DEADLY = `
process.stdin.on('end', () => process.exit())
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const say = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
  const tool = { name: 'die', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }
  if (method === 'initialize')
    say({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } })
  else if (method === 'tools/list') say({ tools: [tool] })
  else if (method === 'tools/call') process.kill(process.ppid, 'SIGKILL')
})`

it('a run that has killed its server twice is left alone, and the others go on', async () => {
  const model = await startModelServer()
  cleanup.push(model.close)
  const env = { OPENAI_BASE_URL: model.url, ALLOW_STDIO_MCP: 'true' }
  let server: Server = await startServer({ env })
  const deadly = { command: process.execPath, args: ['-e', DEADLY] }
  const run = await createRun(server, {
    input: '@call mcp__deadly__die {}\n@say done',
    mcp_servers: { deadly },
  })
  let deaths = 0
  const died = async (): Promise<boolean> => {
    const { child } = server.process
    const gone = child.signalCode !== null ? Promise.resolve() : once(child, 'exit')
    return Promise.race([gone.then(() => true), sleep(8_000).then(() => false)])
  }
  while (deaths < 5 && (await died())) {
    deaths += 1
    server = await startServer({ before: server, env })
  }
  expect(deaths).toBe(2)
  expect((await runToEnd(server, { input: '@say fine' })).output?.text).toBe('fine')
  expect((await server.get<RunShown>(`/v1/runs/${run.id}`)).status).toBe('running')
})

it('a server that was killed while nothing hurt it sets nothing aside', async () => {
  const model = await startModelServer({ thinkMs: 300 })
  cleanup.push(model.close)
  const env = { OPENAI_BASE_URL: model.url }
  let server: Server = await startServer({ env })
  const run = await createRun(server, { input: '@say one' })
  await sleep(100)
  await server.process.stop('SIGKILL')
  server = await startServer({ before: server, env })
  await expect
    .poll(async () => (await server.get<RunShown>(`/v1/runs/${run.id}`)).status, {
      timeout: 10_000,
    })
    .toBe('completed')
})
