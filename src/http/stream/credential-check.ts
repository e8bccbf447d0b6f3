/**
 * Ends open event streams after their credential is revoked; each stream checks its credential
 * every few seconds. Verification may use a cache of the same duration, so this interval covers
 * both together.
 */

import { KEY_CACHE_MS } from '../../engine/tenant/api-keys.ts'
import { encode } from '../../lib/bytes.ts'
import type { Clock } from '../../ports/world.ts'

/**
 * Comment sent when a stream ends because its credential is no longer valid; a reconnect gets
 * status 401.
 */
const OVER = ': unauthorized: the credential was revoked or has expired\n\n'

/**
 * Headers are checked first, because reading the body makes the Node adapter create a real
 * response, which takes 0.1 ms.
 */
const isEventStream = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/event-stream') === true &&
  response.body !== null

/**
 * Returns the response unchanged, except that an event stream ends once `isValid` returns false. If
 * `isValid` rejects, for example after a store failure, the stream continues.
 */
export function whileValid(
  response: Response,
  clock: Clock,
  isValid: () => Promise<boolean>,
): Response {
  if (!isEventStream(response)) return response
  const reader = response.body!.getReader()
  const over = new AbortController()
  const revoked = Promise.withResolvers<'revoked'>()
  const watch = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await clock.sleep(KEY_CACHE_MS, over.signal)
      if (over.signal.aborted) return
      if (!(await isValid().catch(() => true))) return revoked.resolve('revoked')
    }
  }
  void watch()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await Promise.race([reader.read(), revoked.promise])
        if (next === 'revoked') controller.enqueue(encode(OVER))
        else if (!next.done) return controller.enqueue(next.value)
        over.abort()
        controller.close()
        if (next === 'revoked') await reader.cancel()
      },
      async cancel(reason) {
        over.abort()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, response)
}
