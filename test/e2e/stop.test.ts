/** The operator's SIGTERM: whatever hangs outside, the process is gone within its time. */

import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { STOP_MS } from '../../src/hosts/node.ts'
import { cleanup } from '../support/cleanup.ts'
import { startModelServer } from '../support/model-server.ts'
import { createRun, type RunShown, startServer, untilEnd } from '../support/server.ts'

/** Takes connections and never says a word. */
async function silent(): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => {}))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanup.push(async () => void server.close())
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

/** Answers the handshake and its one tool never, and does not go when asked to. */
const STUBBORN = `
process.on('SIGTERM', () => {})
setInterval(() => {}, 1000)
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const say = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
  const tools = [{ name: 'wait', inputSchema: { type: 'object' } }]
  if (method === 'initialize')
    say({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } })
  else if (method === 'tools/list') say({ tools })
})`

it('SIGTERM ends within its time beside a silent model, receiver and MCP servers, open streams and half a request', async () => {
  const [dead, model] = await Promise.all([silent(), startModelServer()])
  cleanup.push(model.close)
  const server = await startServer({
    env: { OPENAI_BASE_URL: model.url, ALLOW_STDIO_MCP: 'true', STRATA_MODEL_ALIASES: '{}' },
  })
  const stubborn = { command: process.execPath, args: ['-e', STUBBORN] }
  const request = {
    input: '@call mcp__stubborn__wait {}\n@say done',
    mcp_servers: { stubborn, mute: { url: `${dead}/mcp`, startup_timeout_sec: 30 } },
    webhook: { url: `${dead}/hook` },
  }
  const runs = await Promise.all(Array.from({ length: 3 }, () => createRun(server, request)))
  // A receiver that hangs.
  const quick = await createRun(server, { input: '@say hi', webhook: { url: `${dead}/hook` } })
  await untilEnd(server, quick.id)
  void server
    .ask(`/v1/runs/${runs[0]!.id}/events`, { headers: { accept: 'text/event-stream' } })
    .then((r) => r.text())
    .catch(() => {})
  void server
    .ask('/v1/runs', { method: 'POST', json: request, headers: { prefer: 'wait=60' } })
    .catch(() => {})
  await sleep(1_500)
  const began = performance.now()
  const gone = once(server.process.child, 'exit')
  server.process.child.kill('SIGTERM')
  const [code] = await gone
  const took = performance.now() - began
  expect([code, took < STOP_MS + 1_000 ? 'in time' : `${Math.round(took)} ms`]).toEqual([
    0,
    'in time',
  ])
  // And nothing was lost: the runs go on where they were.
  const again = await startServer({ before: server, env: { OPENAI_BASE_URL: model.url } })
  expect((await again.get<RunShown>(`/v1/runs/${runs[0]!.id}`)).status).toMatch(
    /queued|running|waiting/,
  )
})
