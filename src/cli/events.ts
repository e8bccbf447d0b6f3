/**
 * Follows the events of a run or a fan-out until the last one. Resumes a stream that breaks, ends
 * early or falls silent (`Last-Event-ID`), also across restarts of the server, and says so once.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { ask, type Server, Unreachable } from './api.ts'

export interface Seen {
  readonly seq: number
  readonly type: string
  readonly run_id?: string
  readonly created_at: string
  readonly data: Readonly<Record<string, unknown>>
}
/** Text of a model as it comes, and where in the message it stands; `reset`: what was shown is void. */
export interface Heard {
  readonly type: 'assistant.delta'
  readonly epoch: number
  readonly step: number
  readonly at?: number
  readonly text?: string
  readonly reset?: boolean
}

/** Milliseconds. The server says something every 15 s. */
const SILENCE_MS = 45_000
const LEAST_PAUSE_MS = 250
const MOST_PAUSE_MS = 5_000
const GIVE_UP_MS = 300_000

const LAST = /^(?:run|fanout)\.(?:completed|failed|cancelled|timed_out)$/
export const isLast = ({ type }: { readonly type: string }): boolean => LAST.test(type)

const eventsPath = (id: string): string =>
  `/v1/${id.startsWith('fan_') ? 'fanouts' : 'runs'}/${encodeURIComponent(id)}/events`

/** Throws when the server has been away for five minutes; `away` is called when it is missed. */
export async function* follow(
  server: Server,
  id: string,
  away: (why: string) => void,
): AsyncGenerator<Seen | Heard> {
  let last = 0
  let failures = 0
  let heardAt = performance.now()
  for (;;) {
    let pause = LEAST_PAUSE_MS
    try {
      const headers = { accept: 'text/event-stream', 'last-event-id': String(last) }
      const stop = new AbortController()
      const response = await ask(server, eventsPath(id), { headers, signal: stop.signal })
      if (response.status === 204) return
      for await (const block of blocks(response, stop)) {
        failures = 0
        heardAt = performance.now()
        pause = Math.max(pause, Number(/^retry: (\d+)$/m.exec(block)?.[1] ?? 0))
        const event = parsed(block)
        if (event === undefined) continue
        yield event
        if (!('seq' in event)) continue
        last = event.seq
        if (isLast(event)) return
      }
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      if (performance.now() - heardAt > GIVE_UP_MS) throw error
      if (failures === 0) away(error.message)
      failures += 1
      pause = Math.min(MOST_PAUSE_MS, LEAST_PAUSE_MS * 2 ** failures)
    }
    await sleep(Math.min(pause, MOST_PAUSE_MS))
  }
}

class Broken extends Unreachable {}

/** The lines between two empty lines. */
async function* blocks(response: Response, stop: AbortController): AsyncGenerator<string> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const silent = setTimeout(() => stop.abort(), SILENCE_MS)
      const read = await reader
        .read()
        .catch(() => {
          throw new Broken('the connection broke')
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

function parsed(block: string): Seen | Heard | undefined {
  const data = /^data: (.*)$/m.exec(block)?.[1]
  if (data === undefined) return undefined
  if (/^id: /m.test(block)) return JSON.parse(data) as Seen
  const [, name] = /^event: (.*)$/m.exec(block) ?? []
  if (name !== 'assistant.delta') return undefined
  return { ...(JSON.parse(data) as Omit<Heard, 'type'>), type: 'assistant.delta' }
}
