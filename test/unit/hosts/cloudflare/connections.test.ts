/** One event of a Worker has six connections: those to the world outside leave some to our own. */

import { expect, it } from 'vitest'
import { atMost, OUTBOUND } from '../../../../src/hosts/cloudflare/object/connections.ts'

/** A `fetch` whose answers come when they are told to. */
function slow() {
  const open: { readonly url: string; readonly answer: () => void; readonly fail: () => void }[] =
    []
  const fetch = (url: string | URL) =>
    new Promise<Response>((resolve, reject) => {
      const answer = () => resolve(new Response())
      open.push({ url: String(url), answer, fail: () => reject(new Error('broken')) })
    })
  return { open, fetch: atMost(OUTBOUND, fetch), urls: () => open.map(({ url }) => url) }
}
const turnOver = () => new Promise(setImmediate)

it('four of ten requests are in flight, and the others follow in order', async () => {
  const { open, fetch, urls } = slow()
  const all = Array.from({ length: 10 }, (_, i) => fetch(`${i}`).catch(() => 'failed'))
  await turnOver()
  expect(urls()).toEqual(['0', '1', '2', '3'])
  open[2]!.answer()
  open[0]!.fail()
  await turnOver()
  expect(urls()).toEqual(['0', '1', '2', '3', '4', '5'])
  for (let i = 1; i < 10; i += 1) {
    open[i]!.answer()
    await turnOver()
  }
  expect(await all[0]).toBe('failed')
  expect(urls()).toHaveLength(10)
  // Every place is free again.
  void fetch('again')
  await turnOver()
  expect(urls()).toHaveLength(11)
})

it('the slot of a request that never settles is released by the caller or by the clock [U27]', async () => {
  const seen: string[] = []
  const never = (url: string | URL) => {
    seen.push(String(url))
    return new Promise<Response>(() => {})
  }
  const fetch = atMost(2, never, { heldMs: 50 })
  const stop = new AbortController()
  const given = fetch('given up', { signal: stop.signal })
  const forgotten = fetch('forgotten')
  void fetch('third').catch(() => {})
  void fetch('fourth').catch(() => {})
  stop.abort('over')
  await expect(given).rejects.toThrow('aborted')
  await turnOver()
  expect(seen).toEqual(['given up', 'forgotten', 'third'])
  await expect(forgotten).rejects.toThrow('no response within')
  await turnOver()
  expect(seen).toEqual(['given up', 'forgotten', 'third', 'fourth'])
})

it('a request aborted while queued is never sent and occupies no slot', async () => {
  const { open, fetch, urls } = slow()
  for (let i = 0; i < OUTBOUND; i += 1) void fetch(`${i}`)
  const stop = new AbortController()
  const given = fetch('given up', { signal: stop.signal })
  const after = fetch('after')
  stop.abort('over')
  await expect(given).rejects.toBe('over')
  await expect(fetch('late', { signal: stop.signal })).rejects.toBe('over')
  open[0]!.answer()
  await turnOver()
  expect(urls().slice(OUTBOUND)).toEqual(['after'])
  open.at(-1)!.answer()
  expect((await after).status).toBe(200)
})

it('a listening request occupies no slot, since some servers stay silent until they have an event', async () => {
  const { fetch, urls } = slow()
  const headers = { accept: 'text/event-stream' }
  for (let i = 0; i < 2 * OUTBOUND; i += 1) void fetch(`listens ${i}`, { method: 'GET', headers })
  void fetch('asks', { method: 'POST', headers })
  await turnOver()
  expect(urls().at(-1)).toBe('asks')
})
