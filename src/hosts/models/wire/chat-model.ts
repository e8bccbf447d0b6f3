/** Calls a model on a server with the chat completions API. */

import type { OpenModel } from '../types.ts'
import { ChatReader } from './chat.ts'
import { type ChatAddressee, chatBody } from './chat-request.ts'
import { readEvents } from './events.ts'
import { post, type Server } from './post.ts'

export const chatModel =
  (server: Server, to: ChatAddressee): OpenModel =>
  async ({ request, exchange, answer }) => {
    const { body, warnings } = chatBody(request, to)
    answer.warn(warnings)
    const stream = await post(server, '/chat/completions', body, { request, exchange })
    const reader = new ChatReader(answer, to.called)
    if (stream) await readEvents(stream, reader, exchange)
    reader.end()
  }
