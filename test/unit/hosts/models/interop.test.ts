/** The readers of providers' answers, over what providers really send. */

import { describe, expect, it } from 'vitest'
import { createModel } from '../../../../src/hosts/models/model.ts'
import type { ProviderKind } from '../../../../src/hosts/models/providers.ts'
import {
  type Dialect,
  type InteropCase,
  interopFiles,
  readingOf,
} from '../../../support/interop.ts'
import { ask, request } from '../../../support/model-port.ts'

const KINDS: Readonly<Record<Dialect, ProviderKind>> = {
  chat: 'openai-compatible',
  responses: 'openai',
  messages: 'anthropic',
}
const TIMES = { totalMs: 60_000, idleMs: 60_000, trailerMs: 5 }

/** The body in small pieces, which end in the middle of lines and characters. */
function bodyOf({ body, end }: InteropCase, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(body)
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.slice(at, (at += size)))
      else if (end === 'reset') controller.error(new TypeError('terminated'))
      else if (end === undefined) controller.close()
    },
  })
}

async function read(dialect: Dialect, one: InteropCase, size: number) {
  const provider = { kind: KINDS[dialect], base_url: 'http://p/v1', key: 'wire-key-0123456789' }
  const config = { providers: { p: provider }, aliases: {}, builtin: {}, models: {} }
  const { status = 200, headers = { 'content-type': 'text/event-stream' } } = one
  const connect = async () => new Response(bodyOf(one, size), { status, headers })
  const { answer } = await ask(createModel(config, connect, TIMES), request('hi', { model: 'p/m' }))
  return readingOf(answer, one.expect)
}

describe.each(interopFiles())('$file: $kind', ({ dialect, cases }) => {
  it.each(cases)('$name', async (one) => {
    expect(await read(dialect, one, 100_000)).toEqual(one.expect)
    expect(await read(dialect, one, 7)).toEqual(one.expect)
  })
})
