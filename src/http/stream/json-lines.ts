/**
 * Streams JSON Lines as fast as the client reads them. A failure before the first line is an error
 * response; a later failure is reported and ends the response early.
 */

/** Length at which lines are sent, in UTF-16 code units. */
const PORTION = 64 * 1_024
const HEADERS = { 'content-type': 'application/jsonl', 'cache-control': 'private, no-store' }

export async function jsonLines(
  lines: AsyncGenerator<object>,
  onError: (error: unknown) => void,
): Promise<Response> {
  const first = await lines.next()
  const encoder = new TextEncoder()
  let text = first.done ? '' : `${JSON.stringify(first.value)}\n`
  let isDone = first.done === true
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        while (!isDone && text.length < PORTION) {
          const next = await lines.next()
          if (next.done) isDone = true
          else text += `${JSON.stringify(next.value)}\n`
        }
      } catch (error) {
        onError(error)
        isDone = true
      }
      if (text !== '') controller.enqueue(encoder.encode(text))
      text = ''
      if (isDone) controller.close()
    },
    async cancel() {
      await lines.return(undefined)
    },
  })
  return new Response(body, { headers: HEADERS })
}
