/** A client that follows a run over SSE and goes on after its last event whenever it is cut off. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '../../../src/core/run/views/event.ts'
import { blocks, stream } from '../../support/sse.ts'
import type { Reading } from './acknowledged.ts'
import type { Host } from './host.ts'

const TERMINAL = /^run\.(completed|failed|cancelled|timed_out)$/
const RECONNECT_MS = 50
/** No connection lasts longer: one to a host that was killed may stay open in silence. */
const CONNECTION_MS = 30_000

/** Reads to the terminal event, or until `stopped`. It leaves by itself too, now and then. */
export async function read(
  host: Host,
  run: string,
  random: () => number,
  stopped: () => boolean,
): Promise<Reading> {
  const events: Event[] = []
  let connections = 0
  while (!stopped() && !TERMINAL.test(events.at(-1)?.type ?? '')) {
    connections += 1
    try {
      const over = AbortSignal.timeout(CONNECTION_MS)
      const response = await stream(host.server(), run, events.at(-1)?.seq ?? 0, over)
      for await (const block of blocks(response)) {
        if (block.id !== undefined) events.push(JSON.parse(block.data) as Event)
        if (random() < 0.1) break
      }
    } catch {
      // The server was killed: what was shown so far stays, the rest comes from its successor.
    }
    await sleep(RECONNECT_MS)
  }
  return { run, events, connections }
}
