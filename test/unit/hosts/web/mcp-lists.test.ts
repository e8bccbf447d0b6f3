/** Lists of tools over time: shared by runs, refreshed when the server or the configuration says so. */

import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { testApi } from '../../../support/api.ts'
import { TOOL } from '../../../support/canned-mcp.ts'
import { settle } from '../../../support/drive.ts'
import { canned, mcp } from '../../../support/mcp-port.ts'
import { eventually, until } from '../../../support/patience.ts'
import type { ScriptModel } from '../../../support/script.ts'

const tool = (name: string) => ({ ...TOOL, name })

describe('lists of tools', () => {
  it('a server that reports a changed list is queried again under the same rules [MCP-11 SDK-14]', async () => {
    const tools = [tool('one'), tool('hidden')]
    let stream: ServerResponse | undefined
    const { server, entry } = await canned(
      {
        tools,
        onRequest: (request, response) => {
          if (request.method !== 'GET') return false
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.write(': open\n\n')
          stream = response
          return true
        },
      },
      { disabled_tools: ['hidden'] },
    )
    const port = mcp()
    const names = async () => {
      const listed = await port.list('default', entry)
      return listed.ok ? listed.value.map(({ name }) => name) : listed.error
    }
    expect(await names()).toEqual(['one'])
    tools.push(tool('two'))
    expect(await names()).toEqual(['one'])
    await until('the stream', () => stream !== undefined)
    const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
    stream?.write(`data: ${JSON.stringify(changed)}\n\n`)
    await eventually(async () => expect(await names()).toEqual(['one', 'two']))
    expect(server.messages('initialize')).toHaveLength(1)
    stream?.end()
  })

  it('a list of several pages is read completely', async () => {
    const tools = Array.from({ length: 7 }, (_, index) => tool(`t${index}`))
    const { entry } = await canned({ tools, page: 3 })
    const listed = await mcp().list('default', entry)
    expect(listed.ok && listed.value.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
    const tried = await mcp().probe('default', entry)
    expect(tried.ok && tried.value.tools).toHaveLength(7)
  })

  it('a second child does not start the servers again [CX-16]', async () => {
    const { server, entry } = await canned()
    const port = mcp()
    await Promise.all([port.list('default', entry), port.list('default', entry)])
    await Promise.all([port.run(entry, 'act'), port.run(entry, 'act'), port.list('default', entry)])
    expect(server.messages('initialize')).toHaveLength(1)
    expect(server.messages('tools/list')).toHaveLength(1)
  })

  it('a disabled server is missing from the next run, and its process is released [MCP-01 MCP-07]', async () => {
    const { server } = await canned({ tools: [tool('one')] })
    const api = await testApi({ tools: mcp(), settings: { allowLoopback: true } })
    const run = async () => {
      await api.call('POST /v1/runs', { input: '@say x' })
      await settle(api.world)
      const { requests } = api.world.model as ScriptModel
      return requests.at(-1)?.tools.some(({ name }) => name === 'mcp__canned__one')
    }
    await api.call('PUT /v1/mcp-servers/canned', { url: server.url, enabled: false })
    expect(await run()).toBe(false)
    expect(server.messages('initialize')).toHaveLength(0)
    await api.call('PATCH /v1/mcp-servers/canned', { enabled: true })
    expect(await run()).toBe(true)
    await api.call('PATCH /v1/mcp-servers/canned', { enabled: false })
    expect(await run()).toBe(false)
    await api.call('DELETE /v1/mcp-servers/canned')
    expect(await run()).toBe(false)
    expect(server.messages('initialize')).toHaveLength(1)
  })
})
