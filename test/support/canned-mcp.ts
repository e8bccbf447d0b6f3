/** An MCP server over Streamable HTTP whose every answer the test decides. */

import type { ServerResponse } from 'node:http'
import { type CannedServer, type Received, startCannedServer } from './canned-server.ts'

export interface McpMessage {
  readonly id?: number | string
  readonly method: string
  readonly params?: Record<string, unknown>
}
export interface CannedMcp extends CannedServer {
  readonly url: string
  /** Those of this method that were received, in order. */
  messages(method: string): readonly ReceivedMessage[]
}
export interface ReceivedMessage {
  readonly message: McpMessage
  readonly headers: Received['headers']
}
export interface CannedMcpOptions {
  readonly tools?: readonly Record<string, unknown>[]
  /** So many tools in one answer to `tools/list`; all of them when absent. */
  readonly page?: number
  /** Stands beside the tools in each answer to `tools/list`. */
  readonly list?: Record<string, unknown>
  readonly capabilities?: Record<string, unknown>
  /** Answers `tools/call`; may do anything to the response. Returns true when it has answered. */
  readonly onCall?: (message: McpMessage, response: ServerResponse, nth: number) => boolean
  /** Answers whatever comes first, before the protocol. */
  readonly onRequest?: (request: Received, response: ServerResponse) => boolean
}

export const TOOL = { name: 'act', description: 'Acts.', inputSchema: { type: 'object' } }

/** The messages of this method among what a server was sent. */
export const messagesOf = (
  { received }: Pick<CannedServer, 'received'>,
  method: string,
): ReceivedMessage[] =>
  received
    .filter((request) => request.method === 'POST')
    .map((request) => ({ message: JSON.parse(request.body), headers: request.headers }))
    .filter((one) => one.message.method === method)

function pageOf({ tools = [TOOL], page = tools.length, list }: CannedMcpOptions, from: number) {
  const next = from + page
  const more = next < tools.length ? { nextCursor: String(next) } : {}
  return { tools: tools.slice(from, next), ...more, ...list }
}

export async function startCannedMcp(options: CannedMcpOptions = {}): Promise<CannedMcp> {
  let calls = 0
  const answer = (message: McpMessage): unknown => {
    switch (message.method) {
      case 'initialize':
        return {
          protocolVersion: '2025-06-18',
          capabilities: options.capabilities ?? { tools: { listChanged: true } },
          serverInfo: { name: 'canned', version: '1' },
        }
      case 'tools/list':
        return pageOf(options, Number(message.params?.cursor ?? 0))
      case 'tools/call':
        return { content: [{ type: 'text', text: 'done' }] }
      default:
        return undefined
    }
  }
  const server = await startCannedServer((request, response) => {
    if (options.onRequest?.(request, response)) return
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const message = JSON.parse(request.body) as McpMessage
    if (message.method === 'tools/call' && options.onCall?.(message, response, calls++)) return
    if (message.id === undefined) return void response.writeHead(202).end()
    const result = answer(message)
    const error = { code: -32601, message: 'Method not found' }
    const body = { jsonrpc: '2.0', id: message.id, ...(result ? { result } : { error }) }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  const url = `${server.origin}/mcp`
  return { ...server, url, messages: (method) => messagesOf(server, method) }
}
