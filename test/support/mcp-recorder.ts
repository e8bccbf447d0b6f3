/** Stands before an MCP server, hands everything on as it comes, and keeps what was asked. */

import { request } from 'node:http'
import { pipeline } from 'node:stream'
import { type CannedMcp, messagesOf } from './canned-mcp.ts'
import { startCannedServer } from './canned-server.ts'
import { cleanup } from './cleanup.ts'

/** `target` is the URL of a server over HTTP; `url` of the result is the same path, recorded. */
export async function recordMcp(target: string): Promise<Pick<CannedMcp, 'url' | 'messages'>> {
  const { host, pathname } = new URL(target)
  const server = await startCannedServer(({ method, url, headers, body }, response) => {
    const options = { method, headers: { ...headers, host } }
    const ahead = request(new URL(url, target), options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders()
      pipeline(answer, response, () => {})
    })
    ahead.on('error', () => response.destroy())
    // Whoever hangs up here hangs up there.
    response.once('close', () => ahead.destroy())
    ahead.end(body)
  })
  cleanup.push(server.close)
  const url = `${server.origin}${pathname}`
  return { url, messages: (method) => messagesOf(server, method) }
}
