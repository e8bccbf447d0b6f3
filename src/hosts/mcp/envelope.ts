/**
 * Repairs messages of MCP servers. The client's library rejects `error: null` next to a result, a
 * missing `jsonrpc`, and a result that is not an object. Such messages are repaired before the
 * library reads them; data that is not a message passes unchanged.
 */

import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { createParser } from 'eventsource-parser'
import { isMap, list } from '../../core/tools/schema-values.ts'
import { oversizedIn } from '../outbound/response-limit.ts'
import { AROUND, looseJson } from './loose-json.ts'
import { isOurCode, OLDER_TEXT, OLDER_TRANSPORT, tooLarge } from './our-errors.ts'

/** Name of the member that contains a result that is not an object. */
export const BARE_RESULT = 'strata/bare_result'
/** Name of the member of a result that describes how its JSON was repaired. */
const MENDS = 'strata/mends'

/** Returns descriptions of the repairs made to the JSON of this result. */
export const mendsOf = (result: object): readonly string[] =>
  list((result as Record<string, unknown>)[MENDS]).filter((mend) => typeof mend === 'string')

/** Returns the result without the member that describes repairs of its JSON. */
export function withoutMends(result: Readonly<Record<string, unknown>>): typeof result {
  const { [MENDS]: _, ...plainResult } = result
  return plainResult
}

type Id = string | number

const isId = (id: unknown): id is Id => typeof id === 'string' || Number.isInteger(id)

/** Repairs a message; `requestId` is the ID of the only request that the message can answer. */
function mendMessage(raw: unknown, requestId?: Id): unknown {
  if (!isMap(raw)) return raw
  const { method, params, error } = raw
  if (typeof method === 'string') {
    const id = isId(raw.id) ? { id: raw.id } : {}
    return { jsonrpc: '2.0', ...id, method, ...(isMap(params) ? { params } : {}) }
  }
  const id = isId(raw.id) ? raw.id : requestId
  if (id === undefined) return raw
  if (isError(error) || (isMap(error) && !('result' in raw))) {
    return { jsonrpc: '2.0', id, error: errorOf(error) }
  }
  if ('result' in raw) return { jsonrpc: '2.0', id, result: resultOf(raw.result) }
  // Some servers send a result without its JSON-RPC envelope.
  const isBare = requestId !== undefined && RESULT_MEMBERS.some((name) => name in raw)
  return isBare ? { jsonrpc: '2.0', id, result: resultOf(raw) } : raw
}

const RESULT_MEMBERS = ['content', 'structuredContent', 'tools', 'protocolVersion']

/**
 * Reports whether the value is an actual error. Serializers in typed languages add an empty error
 * to each result.
 */
const isError = (error: unknown): boolean =>
  isMap(error)
    ? Boolean(error.code) || Boolean(error.message)
    : typeof error === 'string' && error !== ''

/** JSON-RPC code for an unspecified error. */
const INTERNAL_ERROR = -32_603

function errorOf(error: unknown): object {
  if (!isMap(error)) return { code: INTERNAL_ERROR, message: String(error) }
  const { code, message, data } = error
  const words = typeof message === 'string' ? message : toJson(message ?? '')
  const number = Number(typeof code === 'string' ? code : (code ?? Number.NaN))
  return {
    // A server must not use the error codes of this program.
    code: Number.isInteger(number) && !isOurCode(number) ? number : INTERNAL_ERROR,
    message: words === undefined || words === '""' ? '' : words,
    ...(data === undefined ? {} : { data }),
  }
}

/**
 * Returns the result as an object, without the `_meta` members that the library checks but this
 * program does not use.
 */
function resultOf(result: unknown): object {
  if (!isMap(result)) return { [BARE_RESULT]: result }
  const { _meta, ...members } = result
  if (!isMap(_meta)) return members
  const { progressToken: _token, 'io.modelcontextprotocol/related-task': _task, ...meta } = _meta
  return { ...members, _meta: meta }
}

/**
 * Repairs the messages of a response. `body` is the body of the request. `waiting` contains the IDs
 * of requests that a standalone stream may answer.
 */
export async function mendedAnswer(
  response: Response,
  body: RequestInit['body'],
  waiting: () => Iterable<Id>,
): Promise<Response> {
  if (!response.ok || !response.body) return response
  const requestId = requestIn(body)
  const type = response.headers.get('content-type') ?? ''
  if (/^\s*text\/event-stream\b/i.test(type)) {
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(mendedEvents(requestId))
    const ids = requestId === undefined ? waiting : () => [requestId]
    const all = answeredBeyond(events, ids).pipeThrough(new TextEncoderStream())
    return withBody(response, all, type)
  }
  if (requestId === undefined) return response
  const text = await response.text()
  const json = mendedJson(text, requestId)
  if (json !== undefined) return withBody(response, json, 'application/json')
  if (!EVENTS.test(text)) return withBody(response, text, type)
  const events = new Response(text).body!.pipeThrough(new TextDecoderStream())
  const repaired = events.pipeThrough(mendedEvents(requestId)).pipeThrough(new TextEncoderStream())
  return withBody(response, repaired, 'text/event-stream')
}

/** Matches the beginning of an event stream that was sent with another content type. */
const EVENTS = /^\s*(?:data|event|id|retry): ?\S/

type Body = ConstructorParameters<typeof Response>[0]

function withBody({ status, headers }: Response, body: Body, type: string): Response {
  const keptHeaders = new Headers(headers)
  for (const name of ['content-length', 'content-encoding']) keptHeaders.delete(name)
  keptHeaders.delete('content-type')
  if (type !== '') keptHeaders.set('content-type', type)
  return new Response(body, { status, headers: keptHeaders })
}

/** Returns the ID of the request in this body; undefined for a notification. */
function requestIn(body: RequestInit['body']): Id | undefined {
  const sent = typeof body === 'string' ? parsed(body) : undefined
  return isMap(sent) && typeof sent.method === 'string' && isId(sent.id) ? sent.id : undefined
}

function mendedJson(text: string, requestId: Id): string | undefined {
  const { values, mends } = looseJson(text)
  const [value] = values
  if (typeof value !== 'object' || value === null) return undefined
  const messages = messagesIn(values, requestId, mends)
  if (messages.length === 0) return mends.includes(AROUND) ? undefined : toJson(value)
  return toJson(messages.length === 1 ? messages[0] : messages)
}

/** Returns the JSON-RPC messages in parsed data; a list contains several messages. */
function messagesIn(
  values: readonly unknown[],
  requestId: Id | undefined,
  mends: readonly string[],
): readonly JSONRPCMessage[] {
  const all = values.flat()
  const repaired = all.map((value) => mendMessage(value, all.length === 1 ? requestId : undefined))
  const messages = repaired.filter(isMessage)
  const isPart = messages.length > 0 && messages.length < all.length && !mends.includes(AROUND)
  const words = isPart ? [...mends, AROUND] : mends
  if (words.length === 0) return messages
  return messages.map((message) =>
    'result' in message ? { ...message, result: { ...message.result, [MENDS]: words } } : message,
  )
}

/**
 * Repairs the events of a stream. An event whose data is a message counts as a message regardless
 * of the event's name; a list counts as several messages.
 */
function mendedEvents(requestId: Id | undefined): TransformStream<string, string> {
  let parser: ReturnType<typeof createParser> | undefined
  return new TransformStream<string, string>({
    start(controller) {
      parser = createParser({
        // A line of JSON in the stream that is not an event is parsed as a message.
        onError({ line = '' }) {
          const { values, mends } = looseJson(line)
          for (const message of messagesIn(values, requestId, mends)) {
            const json = toJson(message)
            if (json !== undefined) controller.enqueue(`data: ${json}\n\n`)
          }
        },
        onRetry: (ms) => controller.enqueue(`retry: ${ms}\n\n`),
        onEvent({ id, event, data }) {
          const place = id === undefined ? '' : `id: ${id}\n`
          const { values, mends } = looseJson(data)
          const messages = messagesIn(values, requestId, mends).flatMap(
            (message) => toJson(message) ?? [],
          )
          for (const json of messages) controller.enqueue(`${place}data: ${json}\n\n`)
          if (messages.length > 0) return
          if (event === 'endpoint' && requestId !== undefined) {
            const error = { code: OLDER_TRANSPORT, message: OLDER_TEXT }
            const answer = toJson({ jsonrpc: '2.0', id: requestId, error })
            return controller.enqueue(`data: ${answer}\n\n`)
          }
          const name = event === undefined ? '' : `event: ${event}\n`
          const lines = data.split('\n').map((line) => `data: ${line}\n`)
          controller.enqueue(`${name}${place}${lines.join('')}\n`)
        },
      })
    },
    transform: (chunk) => parser?.feed(chunk),
    // The last event of the stream may lack its final blank line.
    flush: () => parser?.feed('\n\n'),
  })
}

/**
 * Ends a stream that exceeds a limit, and answers pending requests with the limit as the reason.
 * Otherwise, the client's library would read the same data again, or report a broken connection.
 */
function answeredBeyond(
  events: ReadableStream<string>,
  waiting: () => Iterable<Id>,
): ReadableStream<string> {
  const reader = events.getReader()
  return new ReadableStream<string>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          const oversized = oversizedIn(error)
          if (!oversized) return controller.error(error)
          for (const id of waiting()) {
            controller.enqueue(`data: ${JSON.stringify(tooLarge(id, oversized.message))}\n\n`)
          }
          controller.close()
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

const isMessage = (value: unknown): value is JSONRPCMessage =>
  isMap(value) && ['method', 'result', 'error'].some((name) => name in value)

/** Parses a line of text as a JSON-RPC message; returns undefined if the line is invalid. */
export function messageIn(line: string): JSONRPCMessage | undefined {
  const { values, mends } = looseJson(line)
  return messagesIn(values, undefined, mends)[0]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Serializes a value as JSON; returns undefined for data nested too deeply to serialize. */
function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
