/**
 * Streams that are open while their credential is revoked: each checks again every few seconds and
 * ends. What verifies a credential may remember it for as long, so this bounds both together.
 */

import { KEY_CACHE_MS } from '../../engine/tenant/api-keys.ts'
import { encode } from '../../lib/bytes.ts'
import type { Clock } from '../../ports/world.ts'

/** A comment, like that of a stream that breaks off; connecting again is answered with 401. */
const OVER = ': unauthorized: the API key was revoked or has expired\n\n'

/**
 * Headers first: a response of the Node adapter becomes a real one, at a tenth of a millisecond,
 * as soon as its body is touched.
 */
const isEventStream = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/event-stream') === true &&
  response.body !== null

/**
 * The same answer; one that is a stream of events ends when `isValid` says so. It may reject: a
 * store in trouble ends no stream.
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
