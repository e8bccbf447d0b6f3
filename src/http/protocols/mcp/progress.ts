/**
 * Reports run events as MCP progress of the waiting request; `progress` is the event's seq. `_meta`
 * contains the event, identified by run and seq as in other APIs.
 */

import type { ServerContext } from '@modelcontextprotocol/server'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { Clock } from '../../../ports/world.ts'
import type { Ask } from './ask.ts'

const EVENT = 'strata/event'

const PAUSE_MS = 1_000

export interface Following {
  readonly ask: Ask
  readonly clock: Clock
  readonly context: ServerContext
}

/** Reports whether the caller requests progress notifications. */
export const wantsProgress = ({ mcpReq }: ServerContext): boolean =>
  mcpReq._meta?.progressToken !== undefined

/**
 * Sends notifications of run events after `after` until the run has ended or `ms` milliseconds have
 * passed.
 */
export async function follow(
  { ask, clock, context }: Following,
  run: string,
  after: number,
  ms: number,
): Promise<void> {
  const { signal } = context.mcpReq
  const over = new AbortController()
  const end = (): void => over.abort()
  signal.addEventListener('abort', end)
  void clock.sleep(ms, over.signal).then(end, end)
  let seq = after
  let came = seq
  try {
    while (!over.signal.aborted) {
      const response = await eventsOf(ask, run, seq, over.signal)
      // Status 204 means that no further event follows; other failures are reported by the next
      // request.
      if (response.status !== 200 || !response.body) return
      for await (const event of eventsIn(response.body, over.signal)) {
        seq = event.seq
        await notify(context, event)
      }
      // A stream without events is followed by a pause, because storage may be unavailable.
      if (seq === came) await clock.sleep(PAUSE_MS, over.signal)
      came = seq
    }
  } catch (error) {
    if (!over.signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}

function eventsOf(ask: Ask, run: string, seq: number, signal: AbortSignal): Promise<Response> {
  const headers = { accept: 'text/event-stream', 'last-event-id': String(seq) }
  const path = `/v1/runs/${encodeURIComponent(run)}/events`
  return ask({ method: 'GET', path, headers, signal })
}

interface SeenEvent {
  readonly seq: number
  readonly type: string
}

async function notify({ mcpReq }: ServerContext, event: SeenEvent): Promise<void> {
  const progressToken = mcpReq._meta!.progressToken!
  const params = { progressToken, progress: event.seq, message: event.type }
  const _meta = { [EVENT]: event }
  await mcpReq.notify({ method: 'notifications/progress', params: { ...params, _meta } })
}

/**
 * Yields run events that have an ID. Text deltas have no ID, and the next message contains their
 * text.
 */
async function* eventsIn(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<SeenEvent> {
  const texts = body.pipeThrough<string>(new TextDecoderStream(), { signal })
  for await (const { id, data } of texts.pipeThrough(new EventSourceParserStream()))
    if (id !== undefined) yield JSON.parse(data) as SeenEvent
}
