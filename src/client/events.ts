/**
 * Follows the events of a run or fan-out until the last one. A stream that breaks, ends early, or
 * falls silent is resumed after the last received event (`Last-Event-ID`), even if the server
 * restarts.
 */

import type { components } from './contract.ts'
import { ConnectionError, ProblemError, type StrataError } from './errors.ts'
import { type CallOptions, type Http, sleep } from './http.ts'

type Schemas = components['schemas']
/** Event of a run's log. */
export type RunEvent = Schemas['Event']
/** Event of a fan-out's log. */
export type FanoutEvent = Schemas['FanoutEvent']
/**
 * Delta of a model's streamed text. It is not a log event: deltas may be lost, and the log contains
 * the full message.
 */
export type Delta = Schemas['AssistantDelta'] & { readonly type: 'assistant.delta' }
/** Notice that a subagent has started, with the data of the subagent's `run.created` event. */
export type SubagentStarted = Schemas['SubagentStarted'] & { readonly type: 'subagent.started' }
/** Notices that occur only in streams, never in logs. */
export type Passing = Delta | SubagentStarted

export interface StreamOptions extends CallOptions {
  /** Sequence number of an event; only later events are returned. */
  readonly after?: number
  /** Event ID after which to resume an earlier stream; see `onEventId`. */
  readonly lastEventId?: string | undefined
  /** Called with the ID of each event when the caller requests the next event. */
  readonly onEventId?: (id: string) => void
  /**
   * Whether to include events of subagents. An event may be repeated; its identity is (run_id,
   * seq).
   */
  readonly tree?: boolean
  /** Time in milliseconds after which an unreachable server causes an error. Default: 300,000. */
  readonly giveUpMs?: number
  /**
   * Called when the connection is lost; not repeated until data has arrived again.
   */
  readonly onLost?: (error: StrataError) => void
  /** Called when the server responds again after the connection was lost. */
  readonly onBack?: () => void
}

/**
 * Time in milliseconds without data after which the client reconnects; the server sends data every
 * 15 s.
 */
const SILENCE_MS = 45_000
const LEAST_PAUSE_MS = 250
const MOST_PAUSE_MS = 5_000
const GIVE_UP_MS = 300_000

const LAST = /^(?:run|fanout)\.(?:completed|failed|cancelled|timed_out)$/
const isLast = ({ type }: { readonly type: string }): boolean => LAST.test(type)

interface TypedEvent {
  readonly type: string
  readonly run_id?: string
}

/**
 * Yields the events. Throws `ProblemError` if the server rejects the request, and `ConnectionError`
 * if the server stays unreachable too long.
 */
export async function* follow<E extends TypedEvent>(
  http: Http,
  id: string,
  options: StreamOptions = {},
): AsyncGenerator<E | Passing> {
  const { after = 0, tree = false, giveUpMs = GIVE_UP_MS, ...more } = options
  const { lastEventId, onEventId, onLost, onBack, ...call } = more
  const path = `/v1/${id.startsWith('fan_') ? 'fanouts' : 'runs'}/${encodeURIComponent(id)}/events`
  let last = lastEventId ?? (after > 0 ? String(after) : undefined)
  let failures = 0
  let heardAt = Date.now()
  for (;;) {
    let pause = LEAST_PAUSE_MS
    try {
      const stop = new AbortController()
      const signal = call.signal ? AbortSignal.any([call.signal, stop.signal]) : stop.signal
      const from: Record<string, string> = last === undefined ? {} : { 'last-event-id': last }
      const headers = { ...call.headers, ...from, accept: 'text/event-stream' }
      const query = tree ? { include: 'subagents' } : undefined
      const response = await http({
        ...call,
        signal,
        method: 'GET',
        path,
        query,
        headers,
        retries: 0,
      })
      if (failures > 0) onBack?.()
      if (response.status === 204) return
      for await (const block of blocks(response, stop, call.signal)) {
        failures = 0
        heardAt = Date.now()
        pause = Math.max(pause, Number(/^retry: (\d+)$/m.exec(block)?.[1] ?? 0))
        const [, eventId] = /^id: (.+)$/m.exec(block) ?? []
        last = eventId ?? last
        const event = parsed<E>(block)
        if (event === undefined) continue
        yield event
        if (eventId !== undefined) onEventId?.(eventId)
        if (isLast(event) && (event.run_id === undefined || event.run_id === id)) return
      }
    } catch (error) {
      if (!isPassing(error) || Date.now() - heardAt > giveUpMs) throw error
      if (failures === 0) onLost?.(error)
      failures += 1
      pause = Math.min(MOST_PAUSE_MS, LEAST_PAUSE_MS * 2 ** failures)
    }
    await sleep(Math.min(pause, MOST_PAUSE_MS), call.signal)
  }
}

const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504])
const isPassing = (error: unknown): error is StrataError =>
  error instanceof ConnectionError || (error instanceof ProblemError && PASSING.has(error.status))

/** Yields the stream's blocks of lines, which empty lines separate. */
async function* blocks(
  response: Response,
  stop: AbortController,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const silent = setTimeout(() => stop.abort(), SILENCE_MS)
      const read = await reader
        .read()
        .catch((error) => {
          signal?.throwIfAborted()
          throw new ConnectionError('the connection was lost', { cause: error })
        })
        .finally(() => clearTimeout(silent))
      if (read.done) return
      text += decoder.decode(read.value, { stream: true })
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        yield text.slice(0, end)
        text = text.slice(end + 2)
      }
    }
  } finally {
    stop.abort()
  }
}

function parsed<E>(block: string): E | Passing | undefined {
  const data = /^data: (.*)$/m.exec(block)?.[1]
  if (data === undefined) return undefined
  const value = JSON.parse(data) as object
  // Events of subagents have no ID, because a stream cannot be resumed after them.
  if (/^id: /m.test(block) || 'seq' in value) return value as E
  const [, name] = /^event: (.*)$/m.exec(block) ?? []
  if (name !== 'assistant.delta' && name !== 'subagent.started') return undefined
  return { ...value, type: name } as Passing
}
