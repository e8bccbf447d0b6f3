/**
 * Warms up the JIT, because the first thousand runs of a process are two to three times slower than
 * later runs. A starting server performs some runs with a temporary port, folder, and model. Data
 * of the deployment is not touched.
 */

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sessionsSpawn } from '../../core/tools/builtin/sessions-spawn.ts'
import type { NodeHost } from '../node.ts'
import { type NodeOptions, nodeOptions } from './options.ts'

/** Number of rounds and of runs per round; more rounds do not make later runs faster. */
const PLAIN = { rounds: 20, at: 25 } as const
const FANOUTS = { rounds: 8, children: 16 } as const

/** Starts a host; passed as a parameter, because importing the host would be circular. */
export type Start = (options: NodeOptions) => Promise<NodeHost>

/**
 * Warms up the code; resolves when done, or soon after the signal. Rejects on failure. The
 * temporary folder is inside the server's folder, so the next start removes the remains of an
 * interrupted warm-up.
 */
export async function warmUp(
  start: Start,
  { store, dataDir }: NodeOptions,
  signal: AbortSignal,
): Promise<void> {
  const folder =
    store === 'sqlite' ? join(dataDir, 'warm-up') : await mkdtemp(join(tmpdir(), 'strata-'))
  await rm(folder, { recursive: true, force: true })
  const model = await cannedModel()
  try {
    const host = await start(
      nodeOptions({
        DATA_DIR: folder,
        PORT: '0',
        ALLOW_LOOPBACK: 'true',
        OPENAI_BASE_URL: urlOf(model),
        STRATA_MODEL: 'openai/canned',
      }),
    )
    try {
      await rounds(host, signal)
    } finally {
      await host.close()
    }
  } finally {
    model.closeAllConnections()
    model.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function rounds({ url, adminKey }: NodeHost, signal: AbortSignal): Promise<void> {
  const headers = {
    authorization: `Bearer ${adminKey}`,
    'content-type': 'application/json',
    prefer: 'wait=10',
  }
  const run = async (input: string): Promise<void> => {
    const body = JSON.stringify({ input })
    const answer = await fetch(`${url}/v1/runs`, { method: 'POST', headers, body, signal })
    const { status } = (await answer.json()) as { status?: string }
    if (status !== 'completed') throw new Error(`a warm-up run ended with status ${status}`)
  }
  for (let round = 0; round < PLAIN.rounds && !signal.aborted; round += 1)
    await Promise.all(Array.from({ length: PLAIN.at }, () => run('Say done.')))
  for (let round = 0; round < FANOUTS.rounds && !signal.aborted; round += 1) await run(SPAWN)
}

const SPAWN = 'Ask the subagents.'

/**
 * Starts an OpenAI-compatible server that answers "done", preceded by subagent calls if the prompt
 * requests them.
 */
async function cannedModel(): Promise<Server> {
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const urlOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as {
    messages: readonly { readonly role: string; readonly content?: unknown }[]
  }
  const isSpawn = messages.some(({ content }) => content === SPAWN)
  const delta =
    isSpawn && messages.at(-1)?.role === 'user' && !messages.some(({ role }) => role === 'tool')
      ? { role: 'assistant', tool_calls: CALLS }
      : { role: 'assistant', content: 'done' }
  const finish = 'tool_calls' in delta ? 'tool_calls' : 'stop'
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const part of [{ delta }, { delta: {}, finish_reason: finish }]) {
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'canned' }
    const choices = [{ index: 0, finish_reason: null, ...part }]
    response.write(`data: ${JSON.stringify({ ...chunk, choices, usage: USAGE })}\n\n`)
  }
  response.end('data: [DONE]\n\n')
}

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }

const CALLS = Array.from({ length: FANOUTS.children }, (_, index) => ({
  index,
  id: `call_${index}`,
  type: 'function',
  function: { name: sessionsSpawn.name, arguments: JSON.stringify({ task: `part ${index}` }) },
}))
