/** Answers of an OpenAI-compatible model as bytes, for peers that speak raw TCP. */

import type { Socket } from 'node:net'
import { answer, type WireRequest } from '../../../src/testing/model-script.ts'
import type { Asked, Behaviour } from '../../support/hostile/index.ts'

export interface Said {
  readonly text?: string
  readonly calls?: readonly Call[]
  readonly usage?: unknown
  readonly finish?: string
}
export interface Call {
  readonly name: string
  readonly arguments: string
  readonly id?: string
  readonly index?: number
}

const line = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`

/** The events of one answer. */
export function events({ text, calls = [], usage, finish }: Said): string {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    line({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason }],
    })
  const tool_calls = calls.map((call, nth) => ({
    index: call.index ?? nth,
    id: call.id ?? `call_${Math.random().toString(36).slice(2)}`,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }))
  return [
    chunk({ role: 'assistant', ...(text === undefined ? {} : { content: text }) }),
    ...(tool_calls.length > 0 ? [chunk({ tool_calls })] : []),
    chunk({}, finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')),
    ...(usage === undefined
      ? []
      : [
          line({
            id: 'c',
            object: 'chat.completion.chunk',
            created: 1,
            model: 'm',
            choices: [],
            usage,
          }),
        ]),
    'data: [DONE]\n\n',
  ].join('')
}

export function respond(
  socket: Socket,
  status: number,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(body)
  const fields = { 'content-type': 'application/json', 'content-length': bytes.length, ...headers }
  const head = Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  socket.write(`HTTP/1.1 ${status} X\r\n${head}\r\n`)
  socket.write(bytes)
}

export const stream = (socket: Socket, text: string): void =>
  respond(socket, 200, text, { 'content-type': 'text/event-stream' })

/** A behaviour of one function of the request. */
export const does = (what: string, act: Behaviour['act']): Behaviour => ({ what, act })

/** A model that says this, whatever it is asked; or something else each time. */
export const says = (what: string, said: Said | ((asked: Asked) => Said)): Behaviour =>
  does(what, (socket, asked) =>
    stream(socket, events(typeof said === 'function' ? said(asked) : said)),
  )

/** A model that refuses. */
export const refuses = (
  what: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  body = '{"error":{"message":"no"}}',
): Behaviour => does(what, (socket) => respond(socket, status, body, headers))

/** The scripts of the conversation itself (`model-script.ts`). */
export const scripted: Behaviour = says('as scripted', ({ body }) => {
  const { text, calls, finish } = answer(JSON.parse(body) as WireRequest)
  return { text, calls, finish }
})
