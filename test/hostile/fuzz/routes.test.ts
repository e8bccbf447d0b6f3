/** A bounded number of requests to every route; `node test/hostile/fuzz/main.ts --routes` tries more. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createKey } from '../../../src/engine/tenant/api-keys.ts'
import { createApp } from '../../../src/http/app.ts'
import { cpuStopwatch } from '../../support/cpu.ts'
import { settle, TENANT, testWorld, withTime } from '../../support/drive.ts'
import { isMeasuring } from '../../support/full.ts'
import { receivers } from '../../support/receivers.ts'
import { reference } from '../../support/reference.ts'
import { type Case, caseOf, OPERATIONS } from './requests.ts'
import { furnish, fuzzRoutes, HELD_MS, type Reply, shownRequest, type Target } from './routes.ts'

const COUNT = 10 * OPERATIONS.length
/** FUZZ_SEED gives other ones. */
const FIRST = 1 + COUNT * Math.floor(Number(process.env.FUZZ_SEED ?? 0))

async function memoryTarget(): Promise<Target & { readonly errors: unknown[] }> {
  const world = testWorld({ web: receivers() })
  const errors: unknown[] = []
  const { app } = createApp(world, { onError: (error) => errors.push(error) })
  const { key } = await createKey(world, TENANT, ['*'])
  const send = async ({ method, path, headers, body }: Case): Promise<Reply> => {
    const authorization = `Bearer ${key}`
    const init = {
      method,
      headers: { authorization, ...headers },
      ...(body === undefined ? {} : { body }),
    }
    const cpu = cpuStopwatch()
    const request = Promise.resolve(app.request(path, init))
    // A request that waits for its run is answered when somebody has moved that; the run's own
    // work is not the request's.
    if (await isOpen(request)) await cpu.without(() => settle(world))
    const response = await withTime(world, request)
    const text = await withTime(world, response.text())
    const type = response.headers.get('content-type') ?? ''
    return { status: response.status, type, text, cpuMs: cpu.ms() }
  }
  return { send, settle: () => settle(world), errors }
}

/** So many turns of the event loop are enough for every request that waits for nothing. */
const TURNS = 100

async function isOpen(request: Promise<unknown>): Promise<boolean> {
  let open = true
  const over = (): void => {
    open = false
  }
  request.then(over, over)
  for (let turn = 0; open && turn < TURNS; turn += 1) await nextTurn()
  return open
}

it('every route answers with problems, without a 5xx, a hang, or much processor time [J05 J07 J24 C01]', async () => {
  const target = await memoryTarget()
  const known = await furnish(target)
  const reds: string[] = []
  const seeds = Array.from({ length: COUNT }, (_, index) => FIRST + index)
  const range = { seeds, heldMs: isMeasuring ? HELD_MS * reference() : Infinity }
  const { tried } = await fuzzRoutes(target, known, range, (one) => {
    reds.push(`${shownRequest(one)}\n${String((target.errors.at(-1) as Error)?.stack ?? '')}`)
  })
  expect(reds.join('\n')).toBe('')
  expect(tried).toBe(COUNT)
})

it('one seed produces one request, and each operation has its turn', () => {
  const known = ['run_x', 'there']
  const seeds = Array.from({ length: OPERATIONS.length }, (_, seed) => seed)
  for (const seed of seeds) expect(caseOf(seed, known)).toEqual(caseOf(seed, known))
  const operations = new Set(seeds.map((seed) => caseOf(seed, known).operation))
  expect(operations.size).toBe(OPERATIONS.length)
  expect([...operations]).toContain('POST /mcp')
})

it('a route that breaks, is slow, or answers without a problem document is found', async () => {
  const found: string[] = []
  const replies: readonly Partial<Reply>[] = [
    { status: 500 },
    { cpuMs: 500 },
    { status: 404, type: 'text/plain' },
    { status: 404, type: 'application/problem+json', text: '{"code":"odd"}' },
  ]
  for (const one of replies) {
    const reply = { status: 200, type: '', text: '', cpuMs: 0, ...one }
    const target = { send: async () => reply, settle: async () => {} }
    await fuzzRoutes(target, [], { seeds: [1] }, ({ why }) => found.push(why))
  }
  expect(found).toEqual([
    expect.stringContaining('500'),
    expect.stringContaining('held the processor'),
    expect.stringContaining('no problem document'),
    expect.stringContaining('odd'),
  ])
})
