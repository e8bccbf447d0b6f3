/**
 * Relays outbound requests for which an object has no connection left. The object calls a separate
 * invocation for each request, because such calls do not count toward the six connections of an
 * event (`connections.ts`). Only this program can call the entry point; the outbound guard has
 * already checked the request.
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

/** Returns the outbound relay; undefined if the program does not export it, as in some tests. */
export function relayOf({ exports }: { readonly exports?: unknown }): Fetch | undefined {
  const { Outbound: relay } = (exports ?? {}) as { readonly Outbound?: Remote<OutboundCalls> }
  if (!relay) return undefined
  return async (url, { signal, ...init } = {}) => {
    signal?.throwIfAborted()
    const answer = relay.send(new Request(url, init))
    // A caller that gives up does not wait for the response; a late response is dropped.
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
