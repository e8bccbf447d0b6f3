/** Server-sent events as a client reads them: blocks with their id, type and data. */

import type { Event } from '../../src/core/run/views/event.ts'
import { type Client, eventsPath } from './launch.ts'
import type { Server } from './server.ts'

export interface Block {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: string
}

/** Yields blocks until the stream ends; leaving the loop closes the connection. */
export async function* blocks(response: Response): AsyncGenerator<Block> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    const whole = text.split('\n\n')
    text = whole.pop() ?? ''
    for (const block of whole) yield parse(block)
  }
}

function parse(block: string): Block {
  const lines = block.split('\n')
  const field = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2))
  return { id: field('id')[0], event: field('event')[0], data: field('data').join('\n') }
}

/** The answer to a request for the events of a run or a fan-out after `last`. */
export const stream = (
  server: Pick<Client, 'ask'>,
  run: string,
  last = 0,
  signal?: AbortSignal,
): Promise<Response> =>
  server.ask(eventsPath(run), {
    ...(signal ? { signal } : {}),
    headers: { accept: 'text/event-stream', 'last-event-id': String(last) },
  })

/** Hands over each event of the run from its first to its terminal one; ends when cut off. */
export async function follow(
  server: Server,
  run: string,
  hear: (event: Event) => void,
): Promise<void> {
  try {
    const response = await stream(server, run)
    for await (const block of blocks(response)) {
      if (block.id !== undefined) hear(JSON.parse(block.data) as Event)
    }
  } catch {
    // The server was killed: that is what the test is about.
  }
}
