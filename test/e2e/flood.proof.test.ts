/** A flood by one key, and what the work of another key feels of it; a proof, by a real clock. */

import { expect, it } from 'vitest'
import { cleanup } from '../support/cleanup.ts'
import { startModelServer } from '../support/model-server.ts'
import { type Server, startServer } from '../support/server.ts'

const FLOOD = 10_000
const CONNECTIONS = 200
/** Of the work of the others, while the key floods, to the same without. */
const RATIO = 1.5
/** A model that answers at once would make the work as short as the flood's own requests. */
const RUN = { input: '@slow 400\n@say done' }

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** Milliseconds of each run, from the request to its answer; four callers at once. */
async function work(server: Server, key: string, until: () => boolean): Promise<number[]> {
  const taken: number[] = []
  const caller = async (): Promise<void> => {
    while (!until()) {
      const began = performance.now()
      const headers = { ...bearer(key), prefer: 'wait=30' }
      const response = await server.ask('/v1/runs', { method: 'POST', json: RUN, headers })
      expect([response.status, (await response.text()).includes('"completed"')]).toEqual([
        200,
        true,
      ])
      taken.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: 4 }, caller))
  return taken.sort((left, right) => left - right)
}

const p99 = (sorted: readonly number[]): number => sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0

it("10,000 concurrent requests of one key slow another key's runs by at most half", async () => {
  const model = await startModelServer()
  cleanup.push(model.close)
  const server = await startServer({ env: { OPENAI_BASE_URL: model.url } })
  const key = async (more: object) =>
    (
      await server.get<{ key: string }>('/v1/keys', {
        method: 'POST',
        json: { scopes: ['runs:*'], ...more },
      })
    ).key
  const [worker, flooder] = [await key({}), await key({})]
  const turns = (count: number) => {
    let left = count
    return () => (left -= 1) < 0
  }
  await work(server, worker, turns(20))
  const before = await work(server, worker, turns(100))

  let sent = 0
  let isOver = false
  const statuses = new Map<number, number>()
  const flood = async (): Promise<void> => {
    while (sent < FLOOD) {
      sent += 1
      const response = await fetch(`${server.url}/v1/runs?limit=1`, { headers: bearer(flooder) })
      await response.arrayBuffer()
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    }
  }
  const flooding = Promise.all(Array.from({ length: CONNECTIONS }, flood)).then(() => {
    isOver = true
  })
  const during = await work(server, worker, () => isOver)
  await flooding

  const ratio = p99(during) / p99(before)
  const said = { before: p99(before), during: p99(during), runs: during.length }
  console.log(`p99 ${JSON.stringify(said)} ms, ratio ${ratio.toFixed(2)}`, [...statuses])
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 429)).toEqual([])
  expect(during.length).toBeGreaterThan(4)
  expect(ratio).toBeLessThan(RATIO)
})
