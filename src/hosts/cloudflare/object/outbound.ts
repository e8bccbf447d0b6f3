/**
 * Requests to the world outside for which an object has no connection left: each is made by an
 * invocation of its own, which the object calls, because such calls are none of the six connections
 * that the platform lets one event wait for (`connections.ts`). Only this program can call it; what
 * may be asked for has been judged by the door before.
 */

import { WorkerEntrypoint } from 'cloudflare:workers'
import type { Fetch } from '../../outbound/fetch.ts'
import type { Remote } from '../bindings/bindings.ts'
import type { WorkerEnv } from '../compose.ts'

interface OutboundCalls {
  send(request: Request): Promise<Response>
}

export class Outbound extends WorkerEntrypoint<WorkerEnv> implements OutboundCalls {
  async send(request: Request): Promise<Response> {
    return fetch(request)
  }
}

/** Undefined when the program exports no such class, as in some tests. */
export function relayOf({ exports }: { readonly exports?: unknown }): Fetch | undefined {
  const { Outbound: relay } = (exports ?? {}) as { readonly Outbound?: Remote<OutboundCalls> }
  if (!relay) return undefined
  return async (url, { signal, ...init } = {}) => {
    signal?.throwIfAborted()
    const answer = relay.send(new Request(url, init))
    // A caller that gives up does not wait; a later result is dropped.
    let stop = (): void => {}
    const aborted = new Promise<never>((_, reject) => {
      stop = () => reject(signal?.reason)
      signal?.addEventListener('abort', stop, { once: true })
    })
    try {
      const response = await Promise.race([answer, aborted])
      signal?.addEventListener('abort', () => void response.body?.cancel().catch(() => {}))
      return response
    } catch (error) {
      answer.then(({ body }) => body?.cancel()).catch(() => {})
      throw error
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }
}
