/** Runs that kill their server are set aside (PROTOCOL.md rule 34), also after `kill -9` by a person. */

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { cleanup } from '../support/cleanup.ts'
import { fullOr } from '../support/full.ts'
import { measured } from '../support/measured.ts'
import { startModelServer } from '../support/model-server.ts'
import { until } from '../support/patience.ts'
import {
  createRun,
  type RunShown,
  runToEnd,
  type Server,
  startServer,
  untilEnd,
} from '../support/server.ts'

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

it('a run that has killed its server twice is set aside, and other runs complete', async () => {
  const model = await startModelServer()
  cleanup.push(model.close)
  const env = { OPENAI_BASE_URL: model.url, ALLOW_STDIO_MCP: 'true' }
  let server: Server = await startServer({ env })
  const deadly = { command: process.execPath, args: ['-e', DEADLY] }
  const run = await createRun(server, {
    input: '@call mcp__deadly__die {}\n@say done',
    mcp_servers: { deadly },
  })
  const isDead = () => server.process.child.signalCode !== null
  for (let deaths = 0; deaths < 2; deaths += 1) {
    await until('the death of the server', isDead)
    server = await startServer({ before: server, env })
  }
  // Each run that completes had its turn after the deadly one.
  for (const text of ['fine', 'fine again']) {
    expect((await runToEnd(server, { input: `@say ${text}` })).output?.text).toBe(text)
  }
  await sleep(fullOr(8_000, 0))
  expect(isDead()).toBe(false)
  expect((await server.get<RunShown>(`/v1/runs/${run.id}`)).status).toBe('running')
})

it('a server that was killed for another reason sets no run aside', async () => {
  const model = await startModelServer({ thinkMs: 300 })
  cleanup.push(model.close)
  const env = { OPENAI_BASE_URL: model.url }
  const dying = await startServer({ env })
  const run = await createRun(dying, { input: '@say one' })
  await until('the call of the model', () => model.requests.length > 0)
  await dying.process.stop('SIGKILL')
  const server = await startServer({ before: dying, env })
  const ended = await measured('a run after a restart', () => untilEnd(server, run.id), {
    wallMs: 10_000,
  })
  expect(ended.status).toBe('completed')
})
