/** Answers of MCP servers as event streams that lie: other ids, the same id twice, no end. */

import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { McpMessage } from '../../../support/canned-mcp.ts'
import { canned, mcp } from '../../../support/mcp-port.ts'
import { measured } from '../../../support/measured.ts'

const answerTo = (id: unknown, text: string): string => {
  const result = { content: [{ type: 'text', text }] }
  return `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`
}
const begin = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
}

describe('the stream of a tool call', () => {
  it('that answers other requests and never ends reaches the deadline [A18]', async () => {
    const held: ServerResponse[] = []
    const { entry } = await canned(
      {
        onCall(_: McpMessage, response) {
          begin(response)
          response.write(answerTo(987_654, 'for somebody else'))
          response.write(answerTo(0, 'for a request that was answered long ago'))
          response.write(answerTo(0, 'and once more'))
          held.push(response)
          return true
        },
      },
      { tool_timeout_sec: 1 },
    )
    const call = () => mcp().run(entry, 'act')
    const called = await measured('a call of a second', call, { wallMs: 15_000 })
    expect(called).toMatchObject({ ok: false, error: { code: 'timeout' } })
    for (const response of held) response.end()
  })

  it('ignores responses that match no request and uses only the first response to ours [A18]', async () => {
    const { entry } = await canned({
      onCall(message: McpMessage, response, nth) {
        begin(response)
        response.write(answerTo(987_654, 'for somebody else'))
        response.write(answerTo(message.id, `first ${nth}`))
        response.end(answerTo(message.id, `second ${nth}`))
        return true
      },
    })
    const tools = mcp()
    for (const nth of [0, 1]) {
      const called = await tools.run(entry, 'act')
      expect(called).toMatchObject({ ok: true, value: { text: `first ${nth}` } })
    }
  })
})
