/**
 * A model's provider that says too much, in the words of an OpenAI-compatible server: text,
 * reasoning and arguments without end, one line without end, an answer that is no stream, ten
 * thousand calls. Each is a behaviour like those of `index.ts`.
 */

import type { Socket } from 'node:net'
import { type Behaviour, forever } from './peer.ts'

const chunk = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  return Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ])
}
const head = (type: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`

/** One event of a chat completion. */
const event = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })}\n\n`

const BIG = 'lorem ipsum '.repeat(1_000)

/** The pieces are made once: a hundred peers share the processor with what they flood. */
const streaming = (what: string, first: string, next: string): Behaviour => {
  const piece = chunk(next)
  return {
    what,
    act(socket: Socket) {
      socket.write(head('text/event-stream'))
      socket.write(chunk(first))
      forever(socket, () => piece)
    },
  }
}
const BIG_CHUNK = chunk(BIG)

const call = (index: number, id: string, args: string): object => ({
  tool_calls: [{ index, id, type: 'function', function: { name: 'file_read', arguments: args } }],
})

const CALLS = 10_000

export const FLOODS = {
  'text-without-end': streaming(
    'text deltas for ever',
    event({ role: 'assistant' }),
    event({ content: BIG }),
  ),
  'reasoning-without-end': streaming(
    'reasoning for ever',
    event({ role: 'assistant' }),
    event({ reasoning_content: BIG }),
  ),
  'arguments-without-end': streaming(
    'arguments of one call for ever',
    event(call(0, 'call_1', '{"path":"')),
    event({ tool_calls: [{ index: 0, function: { arguments: BIG } }] }),
  ),
  'nothing-without-end': streaming(
    'empty deltas for ever',
    event({ role: 'assistant' }),
    event({ content: '' }).repeat(100),
  ),
  'one-line-without-end': streaming('one line for ever', 'data: {"choices":[{"delta":"', BIG),
  'one-event-without-end': streaming('one event of many lines', 'data: {\n', `data: "${BIG}"\n`),
  'json-without-end': {
    what: 'an answer that is no stream, for ever',
    act(socket: Socket) {
      socket.write(head('application/json'))
      socket.write(chunk('{"choices":[{"message":{"content":"'))
      forever(socket, () => BIG_CHUNK)
    },
  },
  'error-without-end': {
    what: 'an error whose text does not end',
    act(socket: Socket) {
      socket.write(head('application/json').replace('200 OK', '500 No'))
      forever(socket, () => BIG_CHUNK)
    },
  },
  'ten-thousand-calls': {
    what: 'ten thousand calls in one answer, each time',
    act(socket: Socket) {
      const calls = Array.from({ length: CALLS }, (_, nth) =>
        event(call(nth, `call_${nth}`, `{"path":"${nth}.txt"}`)),
      )
      const text = [...calls, event({}, 'tool_calls'), 'data: [DONE]\n\n'].join('')
      socket.write(`${head('text/event-stream')}`)
      socket.write(chunk(text))
      socket.write('0\r\n\r\n')
    },
  },
} as const satisfies Readonly<Record<string, Behaviour>>

export type FloodName = keyof typeof FLOODS
export const FLOOD_NAMES = Object.keys(FLOODS) as FloodName[]

/** The behaviours in turn, one for each request. */
export function inTurn(behaviours: readonly Behaviour[]): Behaviour {
  let nth = 0
  return {
    what: 'one after the other',
    act(socket, asked) {
      behaviours[nth++ % behaviours.length]!.act(socket, asked)
    },
  }
}
