/**
 * Limits the open outbound requests of one Worker event. The platform allows six connections of an
 * event to wait for responses, including connections to the database, the bucket, and the queues.
 * Without a limit, six slow tools would prevent the renewal of a lease.
 */

import { Deadline } from '../../outbound/deadline.ts'
import type { Fetch } from '../../outbound/fetch.ts'

/**
 * Maximum number of outbound connections per event; two of the six are reserved for the lease and
 * incoming calls.
 */
export const OUTBOUND = 4

/** Maximum time to wait for response headers, in milliseconds; longer than any caller waits. */
const HELD_MS = 330_000

/**
 * Returns a `fetch` that limits the number of concurrent requests waiting for headers. Further
 * requests use `relay`, or wait if there is no relay. A slot is released when its caller gives up
 * or its time-out expires, even if the platform's `fetch` never settles.
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
      // The response body belongs to the caller and ends with the caller's signal.
      deadline.close()
      leave()
    }
  }
}

/**
 * Reports whether the request opens an event stream; some servers send no headers before the first
 * event.
 */
function isListening(init: RequestInit | undefined): boolean {
  const accepted = new Headers(init?.headers).get('accept') ?? ''
  return (init?.method ?? 'GET') === 'GET' && accepted.includes('text/event-stream')
}

/** Resolves when a connection slot is free; rejects when the caller has given up. */
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
