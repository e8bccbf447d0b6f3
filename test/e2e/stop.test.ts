/** SIGTERM by the operator: the process ends within its time, whatever hangs outside of it. */

import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { STOP_MS } from '../../src/hosts/node.ts'
import { cleanup } from '../support/cleanup.ts'
import { measured } from '../support/measured.ts'
import { startModelServer } from '../support/model-server.ts'
import { until } from '../support/patience.ts'
import { createRun, type RunShown, startServer, untilEnd } from '../support/server.ts'

/** A server that takes requests and never answers, with their first lines. */
async function silent(): Promise<{ readonly origin: string; readonly asked: Set<string> }> {
  const asked = new Set<string>()
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (chunk) => asked.add(chunk.toString().split(' HTTP/')[0]!))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanup.push(async () => void server.close())
  return { origin: `http://127.0.0.1:${(server.address() as { port: number }).port}`, asked }
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

it('SIGTERM ends in time despite a silent model, receiver, and MCP servers, and half-open requests', async () => {
  const [dead, model] = await Promise.all([silent(), startModelServer()])
  cleanup.push(model.close)
  const server = await startServer({
    env: { OPENAI_BASE_URL: model.url, ALLOW_STDIO_MCP: 'true', STRATA_MODEL_ALIASES: '{}' },
  })
  const stubborn = { command: process.execPath, args: ['-e', STUBBORN] }
  const request = {
    input: '@call mcp__stubborn__wait {}\n@say done',
    mcp_servers: { stubborn, mute: { url: `${dead.origin}/mcp`, startup_timeout_sec: 30 } },
    webhook: { url: `${dead.origin}/hook` },
  }
  const runs = await Promise.all(Array.from({ length: 3 }, () => createRun(server, request)))
  // A receiver that hangs.
  const quick = await createRun(server, {
    input: '@say hi',
    webhook: { url: `${dead.origin}/hook` },
  })
  await untilEnd(server, quick.id)
  void server
    .ask(`/v1/runs/${runs[0]!.id}/events`, { headers: { accept: 'text/event-stream' } })
    .then((r) => r.text())
    .catch(() => {})
  void server
    .ask('/v1/runs', { method: 'POST', json: request, headers: { prefer: 'wait=60' } })
    .catch(() => {})
  await until('the requests that hang', () =>
    ['POST /mcp', 'POST /hook'].every((line) => dead.asked.has(line)),
  )
  const gone = once(server.process.child, 'exit')
  server.process.child.kill('SIGTERM')
  const [code] = await measured('a stop', () => gone, { wallMs: STOP_MS + 1_000 })
  expect(code).toBe(0)
  // The runs continue where they were.
  const again = await startServer({ before: server, env: { OPENAI_BASE_URL: model.url } })
  expect((await again.get<RunShown>(`/v1/runs/${runs[0]!.id}`)).status).toMatch(
    /queued|running|waiting/,
  )
})
