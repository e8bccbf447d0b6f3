/**
 * A stream ends with the right to it: when the API key was revoked or has expired, or the token
 * or the session of the browser has. Asked from time to time, by the cached read of the key, so
 * that together with that cache (30 s) it is over within a minute wherever the key was revoked. A
 * comment says why: readers of every protocol that is streamed here pass over comments, and a
 * reconnect is refused.
 */

import type { Context } from 'hono'
import type { Principal } from '../../engine/tenant/api-keys.ts'
import { endOf } from '../../engine/tenant/tokens.ts'
import { encode } from '../../lib/bytes.ts'
import type { World } from '../../ports/world.ts'
import type { Env } from '../route.ts'

const CHECK_MS = 20_000

/** Puts the answer of the request under this rule, when it is a stream. */
export function endWithKey(world: World, c: Context<Env>, principal: Principal): void {
  const { res } = c
  // The type comes first: a plain answer's body is made a stream only by looking at it.
  if (isStream(res) && res.body) c.res = new Response(bounded(world, principal, res.body), res)
}

export const isStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true

export function bounded(
  world: World,
  principal: Principal,
  body: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const over = new AbortController()
  type Controller = ReadableStreamDefaultController<Uint8Array>
  const stream = {
    // Not awaited: a stream is not pulled before its start has returned.
    start(controller: Controller) {
      void watch(world, principal, over.signal).then((why) => {
        if (why === undefined) return
        over.abort()
        controller.enqueue(encode(`: closed: ${why}\n\n`))
        controller.close()
        reader.cancel().catch(() => {})
      })
    },
    async pull(controller: Controller) {
      try {
        const { done, value } = await reader.read()
        if (over.signal.aborted) return
        if (!done) return controller.enqueue(value)
        over.abort()
        controller.close()
      } catch (error) {
        over.abort()
        throw error
      }
    },
    cancel(reason: unknown) {
      over.abort()
      return reader.cancel(reason)
    },
  }
  // Nothing is read ahead: the stream below knows how slow its reader is.
  return new ReadableStream(stream, { highWaterMark: 0 })
}

/** Settles with the reason, or with undefined when the stream is over before. */
async function watch(
  world: World,
  principal: Principal,
  over: AbortSignal,
): Promise<string | undefined> {
  const { clock } = world
  while (!over.aborted) {
    const until = principal.token?.until ?? principal.browser?.until ?? principal.until
    const left = (until ?? Number.POSITIVE_INFINITY) - clock.now()
    await clock.sleep(Math.max(0, Math.min(CHECK_MS, left)), over)
    if (over.aborted) return undefined
    // A store in trouble ends no stream: it is asked again.
    const why = await endOf(world, principal).catch(() => undefined)
    if (why !== undefined && !over.aborted) return why
  }
  return undefined
}
