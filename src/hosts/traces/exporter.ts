/**
 * Exports spans to an OTLP receiver over HTTP. Spans that arrive during a request are sent with the
 * next request. A temporary failure is retried twice, a time-out never. After the last failure, the
 * receiver is skipped for a while, so that a broken receiver does not delay runs.
 */

import { otlpRequest } from '../../core/trace/otlp.ts'
import type { Span } from '../../core/trace/span.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { retryAfterMs } from '../../lib/retry-after.ts'
import type { Traces } from '../../ports/world.ts'
import { type Fetch, sendThrough } from '../outbound/fetch.ts'
import { systemClock } from '../shared/clock.ts'
import type { TracesConfig } from './config.ts'

type Sent = Outcome<void, string>

const TIMEOUT_MS = 3_000
/** Delays before the second and third export attempts, in milliseconds. */
const RETRY_MS = [200, 1_000] as const
const ALONE_MS = 30_000
const ANSWER_BYTES = 4_096
/** Maximum number of spans per export request; keeps a request below half a megabyte. */
const SPANS = 500
const MAY_PASS: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Time until which each failing receiver is skipped, by URL, for all worlds of this process. */
const spared = new Map<string, number>()

interface Waiting {
  readonly spans: readonly Span[]
  readonly settle: (sent: Sent) => void
}

/**
 * Creates the trace exporter. `gatherMs` is the time to collect spans after the first span, unless
 * the spans fill a request earlier.
 */
export function createTraces(config: TracesConfig, connect: Fetch, gatherMs = 0): Traces {
  const send = sendThrough(connect)
  const { url, resource } = config
  const headers = { ...config.headers, 'content-type': 'application/json' }
  let waiting: Waiting[] = []
  let busy = false
  let gathered = 0
  let full = new AbortController()

  /**
   * Makes one export attempt; `again` describes a temporary failure, and `ms` is the requested
   * delay in milliseconds.
   */
  const attempt = async (body: string): Promise<Sent | { readonly again: string; ms: number }> => {
    const request = { method: 'POST', url, headers, body, timeoutMs: TIMEOUT_MS } as const
    const began = systemClock.monotonic()
    const answer = await send({ ...request, maxBytes: ANSWER_BYTES })
    if (!answer.ok) {
      const hung = systemClock.monotonic() - began >= TIMEOUT_MS
      return hung ? fail(answer.error) : { again: answer.error, ms: 0 }
    }
    const { status, headers: responseHeaders } = answer.value
    if (status >= 200 && status < 300) return ok(undefined)
    const message = `the trace receiver responded with ${status}`
    if (!MAY_PASS.has(status)) return fail(message)
    return {
      again: message,
      ms: retryAfterMs(responseHeaders['retry-after'], systemClock.now()) ?? 0,
    }
  }

  const deliver = async (spans: readonly Span[]): Promise<Sent> => {
    const body = JSON.stringify(otlpRequest(resource, spans))
    for (const wait of [...RETRY_MS, undefined]) {
      const sent = await attempt(body)
      if ('ok' in sent) return sent
      if (wait === undefined || sent.ms > TIMEOUT_MS) return fail(sent.again)
      await systemClock.sleep(Math.max(wait, sent.ms))
    }
    return fail('unreachable')
  }

  const batch = async (spans: readonly Span[]): Promise<Sent> => {
    const until = spared.get(url) ?? 0
    if (systemClock.monotonic() < until) return fail('requests to the trace receiver are paused')
    for (let at = 0; at < spans.length; at += SPANS) {
      const sent = await deliver(spans.slice(at, at + SPANS))
      if (!sent.ok) {
        spared.set(url, systemClock.monotonic() + ALONE_MS)
        return sent
      }
    }
    spared.delete(url)
    return ok(undefined)
  }

  const pump = async (): Promise<void> => {
    if (busy) return
    busy = true
    while (waiting.length > 0) {
      if (gatherMs > 0) await systemClock.sleep(gatherMs, full.signal)
      const now = waiting
      waiting = []
      gathered = 0
      full = new AbortController()
      const sent = await batch(now.flatMap(({ spans }) => spans))
      for (const { settle } of now) settle(sent)
    }
    busy = false
  }

  return {
    export: (spans) =>
      new Promise((settle) => {
        waiting.push({ spans, settle })
        gathered += spans.length
        if (gathered >= SPANS) full.abort()
        void pump()
      }),
  }
}
