/**
 * Streams JSON Lines as fast as the client reads them. A failure aborts the response, so that a
 * client does not take it for complete.
 */

/** Length at which lines are sent, in UTF-16 code units. */
const PORTION = 64 * 1_024
const HEADERS = { 'content-type': 'application/jsonl', 'cache-control': 'private, no-store' }

export const jsonLines = (lines: AsyncGenerator<object>): Response =>
  new Response(streamOf(lines), { headers: HEADERS })

function streamOf(lines: AsyncGenerator<object>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let text = ''
      while (text.length < PORTION) {
        const next = await lines.next()
        if (next.done) {
          if (text !== '') controller.enqueue(encoder.encode(text))
          controller.close()
          return
        }
        text += `${JSON.stringify(next.value)}\n`
      }
      controller.enqueue(encoder.encode(text))
    },
    async cancel() {
      await lines.return(undefined)
    },
  })
}
