/**
 * Servers that are written as HTTP and may speak only the older transport, SSE (revision
 * 2025-06-18, transports, backwards compatibility). They refuse a message at their URL, name their
 * endpoint in the answer to it, or answer with a stream on which nothing comes.
 */

import type { Client } from '@modelcontextprotocol/client'
import type { ListFinding } from '../../ports/world.ts'
import { markSilent, refusesMessages } from './failure.ts'

/** How the first message fares, before anything is known of the server. */
export class FirstAnswer {
  readonly #silence = Promise.withResolvers<true>()
  #hasBegun = false

  /** An answer of success began; its body may never end. */
  begin(): void {
    this.#hasBegun = true
  }

  /** The wait for it is over. */
  giveUp(): void {
    if (this.#hasBegun) this.#silence.resolve(true)
  }

  get silent(): Promise<true> {
    return this.#silence.promise
  }
}

/** Connects by one of the transports; aborted by the signal, it leaves nothing open. */
type Connect = (
  transport: 'http' | 'sse',
  signal: AbortSignal,
  first?: FirstAnswer,
) => Promise<Client>

/** The connection that is made first, by the newer transport wherever the server speaks it. */
export async function connectEither(connect: Connect, signal: AbortSignal): Promise<Client> {
  const first = new FirstAnswer()
  const newerAbort = new AbortController()
  const newer = connect('http', AbortSignal.any([signal, newerAbort.signal]), first)
  const isSilent = await Promise.race([first.silent, newer.then(notSilent, notSilent)])
  if (isSilent) return connectBoth(connect, signal, { newer, rest: newerAbort })
  try {
    return await newer
  } catch (error) {
    if (!refusesMessages(error) || signal.aborted) throw error
    const client = await connect('sse', signal).catch(() => {
      throw error
    })
    return marked(client)
  }
}

const notSilent = (): false => false

/** A server that only rejects the first message sends its greeting within this time. */
const GREETING_MS = 500

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A server that is slow with its greeting looks the same: both are waited for. */
async function connectBoth(
  connect: Connect,
  signal: AbortSignal,
  { newer, rest: newerAbort }: { readonly newer: Promise<Client>; readonly rest: AbortController },
): Promise<Client> {
  signal.addEventListener('abort', () => markSilent(signal.reason), { once: true })
  await Promise.race([newer.then(notSilent, notSilent), pause(GREETING_MS)])
  const stop = new AbortController()
  const older = connect('sse', AbortSignal.any([signal, stop.signal])).then(marked)
  try {
    const client = await Promise.any([newer, older])
    const loser = olderClients.has(client) ? newer : older
    ;(loser === newer ? newerAbort : stop).abort('not needed')
    loser.then((late) => late.close()).catch(() => {})
    return client
  } catch {
    return newer.catch((error) => {
      markSilent(error)
      throw error
    })
  }
}

const olderClients = new WeakSet<Client>()

function marked(client: Client): Client {
  olderClients.add(client)
  return client
}

const ONLY_SSE = 'it supports only the older transport, SSE: set type = "sse"'

/** The oddities of a connection itself. */
export const connectionFindings = (client: Client): readonly ListFinding[] =>
  olderClients.has(client) ? [{ tool: null, left_out: false, message: ONLY_SSE }] : []
