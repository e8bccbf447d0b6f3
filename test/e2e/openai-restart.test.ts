/** A response that streams while the server is killed: the rest is read from the next one. */

import { expect, it } from 'vitest'
import { cleanup } from '../support/cleanup.ts'
import { startModelServer } from '../support/model-server.ts'
import { type Server, startServer } from '../support/server.ts'
import { blocks } from '../support/sse.ts'

interface Sent {
  readonly type: string
  readonly sequence_number: number
  readonly delta?: string
  readonly response?: { readonly id: string; readonly status: string }
}

const TEXT = 'a long answer that comes in pieces '.repeat(20).trim()
const TOOLS = '@call file_write {"path":"a.md","content":"a"}\n@then\n'

/** Reads until the stream ends, is cut off, or `isEnough`. */
async function read(
  response: Response,
  isEnough: (sent: Sent) => boolean = () => false,
): Promise<Sent[]> {
  const found: Sent[] = []
  try {
    for await (const { data } of blocks(response)) {
      found.push(JSON.parse(data) as Sent)
      if (isEnough(found.at(-1)!)) break
    }
  } catch {
    // The server was killed.
  }
  return found
}

const deltas = (events: readonly Sent[]): string =>
  events.map(({ type, delta = '' }) => (type.endsWith('output_text.delta') ? delta : '')).join('')

it('a stream resumes after the last event that was read, with the same numbers and no text twice', async () => {
  const model = await startModelServer({ thinkMs: 40 })
  cleanup.push(model.close)
  const env = { OPENAI_BASE_URL: model.url }
  let server = await startServer({ env })
  const json = { input: `${TOOLS}@slow 1500\n@say ${TEXT}`, stream: true }
  const first = await server.ask('/v1/responses', { method: 'POST', json })
  const before = await read(first, ({ type }) => type === 'response.output_text.delta')
  const { id } = before[0]!.response!
  const got = deltas(before)
  expect(got.length).toBeGreaterThan(0)
  expect(got.length).toBeLessThan(TEXT.length)
  await server.process.stop('SIGKILL')
  server = await startServer({ before: server, env })

  const resume = (one: Server, after: number) =>
    one.ask(`/v1/responses/${id}?stream=true&starting_after=${after}`)
  const rest = await read(await resume(server, before.at(-1)!.sequence_number))
  expect(got + deltas(rest)).toBe(TEXT)
  expect(rest.at(-1)).toMatchObject({
    type: 'response.completed',
    response: { id, status: 'completed' },
  })
  const numbers = [...before, ...rest].map(({ sequence_number }) => sequence_number)
  expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other))
  // Who reads all of it afterwards reads the same.
  const whole = await read(await resume(server, 0))
  expect(deltas(whole)).toBe(TEXT)
  expect(whole.at(-1)).toEqual(rest.at(-1))
})
