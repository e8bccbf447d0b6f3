/** JSON Lines of an answer, one after another as they come. */

export async function* linesOf<T>({ body }: Response): AsyncGenerator<T> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    while (reader) {
      const { done, value } = await reader.read()
      if (done) break
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield JSON.parse(line) as T
    }
  } finally {
    await reader?.cancel()
  }
  if (rest !== '') yield JSON.parse(rest) as T
}
