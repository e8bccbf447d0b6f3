/** The tools port before MCP servers: one of the test's own, and the reference server. */

import { afterAll, beforeAll } from 'vitest'
import { toolsContract } from '../../../contract/tools.ts'
import { type CannedMcp, TOOL } from '../../../support/canned-mcp.ts'
import { type Everything, serverEntry, startEverything } from '../../../support/everything.ts'
import { canned, mcp } from '../../../support/mcp-port.ts'
import { recordMcp } from '../../../support/mcp-recorder.ts'

const NOTHING = { arguments: {} }

/** What the server has seen of its clients. */
const seen = ({ messages }: Pick<CannedMcp, 'messages'>) => ({
  metas: () => messages('tools/call').map(({ message }) => message.params?._meta),
  connected: () => messages('initialize').length,
})

toolsContract('a server of our own', async () => {
  const tools = ['says', 'errs', 'slow', 'silent'].map((name) => ({ ...TOOL, name }))
  const { server, entry } = await canned({
    tools,
    onCall({ id, params }, response) {
      const answer = (text: string, isError = false): void => {
        const result = { content: [{ type: 'text', text }], isError }
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      }
      if (params?.name === 'slow') setTimeout(() => answer('late'), 200)
      else if (params?.name !== 'silent') answer('said', params?.name === 'errs')
      return true
    },
  })
  return {
    tools: mcp(),
    entry,
    ...seen(server),
    says: { tool: 'says', ...NOTHING, text: 'said' },
    errs: { tool: 'errs', ...NOTHING },
    slow: { tool: 'slow', ...NOTHING },
    silent: { tool: 'silent', ...NOTHING },
  }
})

let everything: Everything | undefined
beforeAll(async () => {
  everything = await startEverything('streamableHttp')
})
afterAll(() => everything?.close())

toolsContract('the reference server', async () => {
  const lasts = (duration: number) => ({
    tool: 'trigger-long-running-operation',
    arguments: { duration, steps: 1 },
  })
  const recorded = await recordMcp(everything!.url)
  return {
    tools: mcp(),
    entry: serverEntry({ transport: 'http', url: recorded.url }),
    ...seen(recorded),
    says: { tool: 'echo', arguments: { message: 'hi' }, text: 'Echo: hi' },
    errs: { tool: 'get-sum', arguments: { a: 'x' } },
    slow: lasts(0.2),
    silent: lasts(30),
  }
})
