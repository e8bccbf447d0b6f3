/**
 * Events of a run or a fan-out until its last one. A stream that breaks, ends early or falls silent
 * is resumed where it was (`Last-Event-ID`), also across restarts of the server.
 */

import type { components } from './contract.ts'
import { ConnectionError, ProblemError, type StrataError } from './errors.ts'
import { type CallOptions, type Http, sleep } from './http.ts'

type Schemas = components['schemas']
/** An event of a run's log. */
export type RunEvent = Schemas['Event']
/** An event of a fan-out's log. */
export type FanoutEvent = Schemas['FanoutEvent']
/** Text of a model as it comes; no event: it may be lost, and the log has the whole message. */
export type Delta = Schemas['AssistantDelta'] & { readonly type: 'assistant.delta' }
/** A subagent has begun; its log has the same as `run.created`. */
export type SubagentStarted = Schemas['SubagentStarted'] & { readonly type: 'subagent.started' }
/** Comes in streams only. */
export type Passing = Delta | SubagentStarted

export interface StreamOptions extends CallOptions {
  /** Only what came after this event. */
  readonly after?: number
  /** Resumes an earlier stream after the event with this id; see `onEventId`. */
  readonly lastEventId?: string | undefined
  /** Called with the id of each event once the caller asks for the next one. */
  readonly onEventId?: (id: string) => void
  /** Events of subagents too. They may come twice: (run_id, seq) names each. */
  readonly tree?: boolean
  /** Throws when the server has been away for so many milliseconds. Default: 300,000. */
  readonly giveUpMs?: number
  /** Called when the connection is lost, and not again before something came. */
  readonly onLost?: (error: StrataError) => void
  /** Called when the server answers again. */
  readonly onBack?: () => void
}

/** The server says something every 15 s. */
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

/** Throws `ProblemError` when the server refuses, `ConnectionError` when it has been away too long. */
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

/** The lines between two empty lines. */
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
          throw new ConnectionError('the connection broke', { cause: error })
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
  // Events of subagents have no id, because a stream is not resumed at them.
  if (/^id: /m.test(block) || 'seq' in value) return value as E
  const [, name] = /^event: (.*)$/m.exec(block) ?? []
  if (name !== 'assistant.delta' && name !== 'subagent.started') return undefined
  return { ...value, type: name } as Passing
}
