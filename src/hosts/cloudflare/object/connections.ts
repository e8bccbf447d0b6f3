/**
 * Limits the requests to the world outside that one event of a Worker may have open. The platform
 * lets six connections of an event wait for their answers at once, the database's, the bucket's and
 * the queues' among them: six slow tools would keep a lease from being renewed.
 */

import { Deadline } from '../../outbound/deadline.ts'
import type { Fetch } from '../../outbound/fetch.ts'

/** Two are left for the lease, and for what is handed in. */
export const OUTBOUND = 4

/** Longest wait for headers, longer than any caller waits for them. */
const HELD_MS = 330_000

/**
 * The same `fetch`, at most so many at once until their headers are there; others go by `relay`, or
 * wait in line where there is none. A place comes back when its caller gives up or its time is
 * over, also when the platform's `fetch` never settles.
 */
export function atMost(
  places: number,
  fetch: Fetch,
  {
    heldMs = HELD_MS,
    relay,
  }: { readonly heldMs?: number; readonly relay?: Fetch | undefined } = {},
): Fetch {
  let free = places
  const waiting: (() => void)[] = []
  const leave = (): void => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  return async (url, init) => {
    if (isListening(init)) return fetch(url, init)
    if (free > 0) free -= 1
    else if (relay) return relay(url, init)
    else await turn(waiting, init?.signal)
    const deadline = new Deadline({ totalMs: heldMs, signals: [init?.signal] })
    const callerSignal = init?.signal
    const signal = callerSignal ? AbortSignal.any([callerSignal, deadline.signal]) : deadline.signal
    try {
      return await deadline.race(fetch(url, { ...init, signal }))
    } finally {
      // The body belongs to the caller and ends with the caller's signal.
      deadline.close()
      leave()
    }
  }
}

/** A stream of what a server may say some day: some send no headers before that. */
function isListening(init: RequestInit | undefined): boolean {
  const accepted = new Headers(init?.headers).get('accept') ?? ''
  return (init?.method ?? 'GET') === 'GET' && accepted.includes('text/event-stream')
}

/** Resolves when a slot is free; rejects when the caller has given up. */
const turn = (waiting: (() => void)[], signal: AbortSignal | null | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const go = (): void => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    const stop = (): void => {
      const place = waiting.indexOf(go)
      if (place >= 0) waiting.splice(place, 1)
      reject(signal?.reason)
    }
    if (signal?.aborted) return reject(signal.reason)
    signal?.addEventListener('abort', stop, { once: true })
    waiting.push(go)
  })
