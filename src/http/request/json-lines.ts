/** Reads a request body of JSON Lines as it arrives, with a limit for the length of each line. */

import type { HonoRequest } from 'hono'
import type * as z from 'zod'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { refuse } from './problem.ts'

const JSON_LINES = /^application\/(?:jsonl|x-ndjson)\s*(?:;|$)/i

/** Yields the parsed lines, or a sentence for the first line that is not valid. */
export async function* linesIn<S extends z.ZodType>(
  request: HonoRequest,
  schema: S,
  maxLine: number,
): AsyncGenerator<Outcome<z.output<S>, string>> {
  let number = 0
  for await (const text of textLines(request, maxLine)) {
    if (text === undefined) return yield fail(`line ${number + 1} is longer than ${maxLine} bytes`)
    number += 1
    if (text.trim() === '') continue
    const parsed = schema.safeParse(valueIn(text))
    if (!parsed.success) return yield fail(`line ${number} is not a line of an export`)
    yield ok(parsed.data)
  }
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Yields the lines of the body; undefined for a line that is too long. */
async function* textLines(
  request: HonoRequest,
  maxLine: number,
): AsyncGenerator<string | undefined> {
  if (!JSON_LINES.test(request.header('content-type') ?? ''))
    throw refuse(
      'unsupported_media_type',
      'Send the export with `Content-Type: application/jsonl`.',
    )
  const decoder = new TextDecoder()
  let parts: string[] = []
  let length = 0
  for await (const chunk of request.raw.body ?? []) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n')
    parts.push(first)
    length += first.length
    if (length > maxLine) return yield undefined
    for (const text of more) {
      yield parts.join('')
      parts = [text]
      length = text.length
    }
  }
  const last = parts.join('')
  if (last !== '') yield last
}
