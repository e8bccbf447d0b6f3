/**
 * A run that asks D1 more than one event may: the event stops in the middle, hands over by a wake of
 * the run's own, and the next ones finish it. The Worker is the real one, its database too; only
 * the model is played, and the queues are held so that one event comes after the other.
 */

import { expect, it, onTestFinished, vi } from 'vitest'
import { runPartition } from '../../../src/engine/partition/keys.ts'
import { newKey } from '../../../src/engine/tenant/api-keys.ts'
import type { CloudQueue, D1 } from '../../../src/hosts/cloudflare/bindings.ts'
import { d1Store } from '../../../src/hosts/cloudflare/d1.ts'
import worker from '../../../src/hosts/worker.ts'
import type { Wake } from '../../../src/ports/world.ts'
import { answer, type WireRequest } from '../../support/model-script.ts'
import { env, migrate } from './env.ts'

await migrate()

/** D1 answers so many in one event. */
const D1_QUERIES = 1_000
const CHILDREN = 120

/** An OpenAI-compatible server in one line of server-sent events. */
async function model(_url: unknown, init: RequestInit): Promise<Response> {
  const said = answer(JSON.parse(String(init.body)) as WireRequest)
  const tool_calls = said.calls.map(({ id, name, arguments: given }, index) => {
    return { index, id, type: 'function', function: { name, arguments: given } }
  })
  const delta = { role: 'assistant', content: said.text, ...(tool_calls[0] ? { tool_calls } : {}) }
  const choices = [{ index: 0, delta, finish_reason: said.finish }]
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  const chunk = { id: 'x', object: 'chat.completion.chunk', created: 0, model: 'x', choices, usage }
  const headers = { 'content-type': 'text/event-stream' }
  return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, { headers })
}

function held() {
  const waiting: { queue: string; wake: Wake }[] = []
  const queue = (name: string): CloudQueue => ({
    async sendBatch(messages) {
      for (const { body } of messages) waiting.push({ queue: name, wake: body as Wake })
    },
  })
  const queues = {
    QUEUE_MAIN: queue('strata-main'),
    QUEUE_SUBAGENT: queue('strata-subagent'),
    QUEUE_BACKGROUND: queue('strata-background'),
    QUEUE_RESUME: queue('strata-resume'),
  }
  return { waiting, queues }
}

/** Each statement is prepared for one use. */
function counted(db: D1): { db: D1; asked: () => number } {
  let asked = 0
  const prepare: D1['prepare'] = (sql) => {
    asked += 1
    return db.prepare(sql)
  }
  return { db: { prepare, batch: (statements) => db.batch(statements) }, asked: () => asked }
}

it('an event that runs out of queries hands a running run over, and others end it', async () => {
  vi.stubGlobal('fetch', model)
  onTestFinished(() => void vi.unstubAllGlobals())
  const { waiting, queues } = held()
  const { key } = newKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  const variables = {
    ...env,
    ...queues,
    STRATA_MASTER_KEY: '0'.repeat(64),
    STRATA_ADMIN_KEY: key,
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: 'https://model.example/v1',
    MAX_LIVE_CHILDREN: String(CHILDREN),
  }
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const url = `https://strata.test/v1/runs${path}`
    return (await worker.fetch(new Request(url, init), variables)).json() as Promise<{
      id: string
      status: string
      output: { text: string } | null
    }>
  }
  /** One event of a queue; how many statements it sent to the database. */
  const event = async ({ queue, wake }: (typeof waiting)[number]): Promise<number> => {
    const { db, asked } = counted(env.DB)
    const message = { id: 'm', body: wake, ack: () => {}, retry: () => {} }
    await worker.queue({ queue, messages: [message] }, { ...variables, DB: db })
    return asked()
  }
  const input = `@spawn ${CHILDREN} {"task":"@say part {i}"}\n@await\n@say {results}`
  const { id } = await ask('POST', '', { input })
  const partition = runPartition('default', id)
  const first = await event(waiting.shift()!)
  expect(first).toBeGreaterThan(600)
  expect(first).toBeLessThan(D1_QUERIES)
  const [head] = await d1Store(env.DB).heads([partition])
  expect(JSON.parse(head!.body)).toMatchObject({ lease: null, view: { status: 'running' } })
  const own = waiting.filter(({ wake }) => wake.partition === partition)
  expect(own).toMatchObject([{ queue: 'strata-resume', wake: { started: true, staleCount: 0 } }])
  for (let events = 0; waiting.length > 0 && events < 20 * CHILDREN; events += 1)
    expect(await event(waiting.shift()!)).toBeLessThan(D1_QUERIES)
  expect(await ask('GET', `/${id}`)).toMatchObject({
    status: 'completed',
    output: { text: String(CHILDREN) },
  })
}, 360_000)
