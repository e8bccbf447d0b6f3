/**
 * Connects to HTTP servers that may support only the older SSE transport (revision 2025-06-18,
 * transports, backwards compatibility). Such servers reject a message at their URL, answer with the
 * name of their endpoint, or open a stream without messages.
 */

import type { Client } from '@modelcontextprotocol/client'
import type { ListFinding } from '../../ports/world.ts'
import { markSilent, refusesMessages } from './failure.ts'

/** Tracks the response to the first message, sent before the server's transport is known. */
export class FirstAnswer {
  readonly #silence = Promise.withResolvers<true>()
  #hasBegun = false

  /** Records that a successful response has started; its body may never end. */
  begin(): void {
    this.#hasBegun = true
  }

  /** Ends the wait for the response to the first message. */
  giveUp(): void {
    if (this.#hasBegun) this.#silence.resolve(true)
  }

  get silent(): Promise<true> {
    return this.#silence.promise
  }
}

/** Opens a connection with one transport; if the signal aborts, nothing stays open. */
type Connect = (
  transport: 'http' | 'sse',
  signal: AbortSignal,
  first?: FirstAnswer,
) => Promise<Client>

/**
 * Returns the first connection that succeeds; the newer transport is preferred if the server
 * supports it.
 */
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

/** Time to wait for the greeting of a server that rejects the first message, in milliseconds. */
const GREETING_MS = 500

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Connects with both transports at the same time, because a slow greeting is indistinguishable from
 * a missing greeting.
 */
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

const ONLY_SSE = 'it supports only the older transport, SSE; set type = "sse"'

/** Returns findings about the connection itself, such as an outdated transport. */
export const connectionFindings = (client: Client): readonly ListFinding[] =>
  olderClients.has(client) ? [{ tool: null, left_out: false, message: ONLY_SSE }] : []
