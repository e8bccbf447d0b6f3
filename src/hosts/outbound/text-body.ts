/**
 * A body that is decoded without a stream of its own. MCP's client pipes each stream of a server
 * through a `TextDecoderStream`; on Node that is a transform with two queues, whose end makes an
 * error with its stack for each call. The same decoder, fed by a reader, gives the same text for
 * less. The AI SDK wraps a model's body before it pipes it, so answers of models are not spared.
 */

/** The same stream; piped through a `TextDecoderStream` it is decoded by its reader. */
export function textBody(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const pipeThrough = stream.pipeThrough.bind(stream) as ReadableStream['pipeThrough']
  return Object.defineProperty(stream, 'pipeThrough', {
    value: (pair: ReadableWritablePair, options?: Parameters<typeof pipeThrough>[1]) =>
      pair instanceof TextDecoderStream && options === undefined
        ? decoded(stream, pair)
        : pipeThrough(pair, options),
  })
}

function decoded(
  stream: ReadableStream<Uint8Array>,
  { encoding, fatal, ignoreBOM }: TextDecoderStream,
): ReadableStream<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder(encoding, { fatal, ignoreBOM })
  return new ReadableStream<string>(
    {
      async pull(controller) {
        try {
          for (;;) {
            const { done, value } = await reader.read()
            const text = decoder.decode(value, { stream: !done })
            if (text !== '') controller.enqueue(text)
            if (done) return controller.close()
            if (text !== '') return
          }
        } catch (error) {
          controller.error(error)
          // Bytes that are no text end the answer; nobody waits for the far end to agree.
          reader.cancel(error).catch(() => {})
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
