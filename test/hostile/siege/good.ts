/**
 * The good client: a plain run each 100 ms under a key of its own, before a model of its own and a
 * receiver of its own. What it asked for is kept, and reconciled at the end.
 */

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CannedServer, startCannedServer } from '../../support/canned-server.ts'
import { type Client, type RunShown, untilEnd } from '../../support/launch.ts'
import { many } from './attack.ts'

const EVERY_MS = 100
/** A good run has ended within this time of the end of the attacks. */
const END_MS = 30_000
const WEBHOOK_EVERY = 5
const WAIT_SECONDS = 30

interface GoodRun {
  readonly id: string
  readonly nth: number
  readonly told: boolean
}
export interface Good {
  readonly runs: readonly GoodRun[]
  readonly trouble: readonly string[]
  /** Goes on until it is stopped; the milliseconds of each run that was answered meanwhile. */
  during(act: () => Promise<void>): Promise<number[]>
  /** One plain run, and what it took. */
  once(): Promise<number>
  /** What is lost, doubled or wrong, a sentence each. */
  reconcile(): Promise<string[]>
  at(client: Client): void
  close(): Promise<void>
  readonly modelUrl: string
}

/** Returns the body; undefined if the client broke the connection. */
async function read(request: IncomingMessage): Promise<string | undefined> {
  let text = ''
  try {
    for await (const chunk of request) text += chunk
  } catch {
    return undefined
  }
  return text
}

/** A model in the words of Anthropic, so that it has an address of its own: it repeats the input. */
async function startGoodModel(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const text = await read(request)
    if (text === undefined) return
    const [, nth = '?'] = /good (\d+)/.exec(text) ?? []
    const usage = { input_tokens: 1, output_tokens: 1 }
    const message = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'good',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    }
    const events = [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: `well ${nth}` } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join(''),
    )
  })
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}/v1`, close }
}

export async function startGood(): Promise<Good> {
  const model = await startGoodModel()
  const receiver: CannedServer = await startCannedServer((_, response) => {
    response.writeHead(204).end()
  })
  const runs: GoodRun[] = []
  const trouble: string[] = []
  let client: Client | undefined
  let next = 0

  const once = async (): Promise<number> => {
    const nth = next++
    const told = nth % WEBHOOK_EVERY === 0
    const began = performance.now()
    const webhook = told ? { webhook: { url: `${receiver.origin}/${nth}`, secret: SECRET } } : {}
    const response = await client!.ask('/v1/runs', {
      method: 'POST',
      headers: { prefer: `wait=${WAIT_SECONDS}`, 'idempotency-key': `good-run-${nth}` },
      json: { input: `good ${nth}`, model: 'anthropic/good', ...webhook },
    })
    const text = await response.text()
    const took = performance.now() - began
    if (response.status !== 200 && response.status !== 202) {
      trouble.push(`good ${nth} was answered by ${response.status} ${text.slice(0, 100)}`)
      return took
    }
    const run = JSON.parse(text) as RunShown
    runs.push({ id: run.id, nth, told })
    if (response.status === 202) trouble.push(`good ${nth} took more than ${WAIT_SECONDS} s`)
    return took
  }

  return {
    runs,
    trouble,
    modelUrl: model.url,
    once,
    at: (one) => {
      client = one
    },
    async during(act) {
      const times: number[] = []
      const pending = new Set<Promise<unknown>>()
      let over = false
      const tick = (async () => {
        while (!over) {
          const begun = once().then(
            (ms) => times.push(ms),
            (error) =>
              trouble.push(`a good request failed: ${error.message}: ${error.cause?.message}`),
          )
          pending.add(begun)
          void begun.finally(() => pending.delete(begun))
          await sleep(EVERY_MS)
        }
      })()
      try {
        await act()
      } finally {
        over = true
        await tick
        await Promise.all(pending)
      }
      return times
    },
    async reconcile() {
      const wrong: string[] = []
      if (new Set(runs.map(({ id }) => id)).size !== runs.length)
        wrong.push('two good runs have one id')
      const check = async ({ id, nth }: GoodRun): Promise<void> => {
        const began = performance.now()
        const run = await untilEnd(client!, id).catch((error) => error as Error)
        if (run instanceof Error) return void wrong.push(`good ${nth}: ${run.message}`)
        const ms = performance.now() - began
        if (ms > END_MS) wrong.push(`good ${nth} (${id}) ended after ${Math.round(ms)} ms`)
        const said = run.output?.text
        if (run.status !== 'completed' || said !== `well ${nth}`)
          wrong.push(`good ${nth} (${id}) is ${run.status}: ${said ?? run.error?.message}`)
      }
      await many(runs.length, (nth) => check(runs[nth]!), 8)
      const told = runs.filter((one) => one.told)
      const ids = () => {
        const byRun = new Map<string, Set<string>>()
        for (const { headers, url } of receiver.received) {
          const known = byRun.get(url) ?? new Set()
          byRun.set(url, known.add(String(headers['webhook-id'])))
        }
        return byRun
      }
      const end = performance.now() + 30_000
      while (ids().size < told.length && performance.now() < end) await sleep(200)
      const heard = ids()
      for (const { nth } of told) {
        const count = heard.get(`/${nth}`)?.size ?? 0
        if (count !== 1) wrong.push(`good ${nth} was told of by ${count} webhook ids`)
      }
      return wrong
    },
    async close() {
      await model.close()
      await receiver.close()
    },
  }
}

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** What so much of them stay below. */
export function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
