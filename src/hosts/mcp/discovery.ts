/**
 * Handles the first request to a server, which queries the supported protocol revisions
 * (`server/discover`). Servers of older revisions respond to the unknown method in many ways: 500,
 * 401, 202, a page, a broken connection, or no response. Each of these is reported to the client's
 * library as an unknown method, so that it continues with `initialize`, whose response counts.
 */

import { type FetchLike, METHOD_NOT_FOUND } from '@modelcontextprotocol/client'
import { createParser } from 'eventsource-parser'
import { isMap } from '../../core/tools/schema-values.ts'
import { refusedIn } from '../outbound/fetch.ts'

const METHOD = 'server/discover'

type Id = string | number

/** Returns the ID of a request that queries the supported revisions, otherwise undefined. */
function discoveryIn(body: RequestInit['body']): Id | undefined {
  if (typeof body !== 'string' || !body.includes(METHOD)) return undefined
  const { method, id } = JSON.parse(body)
  return method === METHOD ? id : undefined
}

export const isDiscovery = (body: RequestInit['body']): boolean => discoveryIn(body) !== undefined

/**
 * Responds on behalf of a server that does not support discovery. Rejections by the outbound guard
 * pass unchanged, because further requests would also be rejected. `onFailure` is called if there
 * was no response, or an incomplete one.
 */
export function discovering(fetch: FetchLike, onFailure?: () => void): FetchLike {
  return async (url, init) => {
    const id = discoveryIn(init?.body)
    if (id === undefined) return fetch(url, init)
    try {
      const answer = await fetch(url, init)
      // The library reads a required revision from such a response, or continues with `initialize`.
      if (!answer.ok && !VOID.has(answer.status) && answer.status < 500) return answer
      const message = answer.ok ? await messageIn(answer, id) : undefined
      if (message) return Response.json(message)
      await answer.body?.cancel().catch(() => {})
    } catch (error) {
      if (refusedIn(error) || init?.signal?.aborted) throw error
      onFailure?.()
    }
    const error = { code: METHOD_NOT_FOUND, message: 'Method not found' }
    return Response.json({ jsonrpc: '2.0', id, error })
  }
}

/**
 * HTTP statuses treated as an unknown method, because servers that expect a session send them. A
 * server that rejects the credentials repeats the status later.
 */
const VOID: ReadonlySet<number> = new Set([401, 403])

/** Returns the message with this ID from a response; reads a stream only up to this message. */
async function messageIn(answer: Response, id: Id): Promise<unknown> {
  const type = answer.headers.get('content-type') ?? ''
  if (!/^\s*text\/event-stream\b/i.test(type)) return answerTo(id, await answer.text())
  let message: unknown
  const onEvent = ({ data }: { readonly data: string }) => {
    message ??= answerTo(id, data)
  }
  const parser = createParser({ onEvent })
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    parser.feed(chunk)
    if (message !== undefined) return message
  }
  return message
}

function answerTo(id: Id, text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    const messages = Array.isArray(value) ? value : [value]
    return messages.find(
      (message) =>
        isMap(message) && message.id === id && ('result' in message || 'error' in message),
    )
  } catch {
    return undefined
  }
}
