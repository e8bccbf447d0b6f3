/** Tool lists that processes share: over one store, each with connections of its own. */

import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { ServerEntry } from '../../../../src/core/config/types.ts'
import { LIMITS } from '../../../../src/core/limits.ts'
import { sharedLists } from '../../../../src/hosts/mcp/shared-lists.ts'
import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import { environmentSecrets } from '../../../../src/hosts/shared/secrets.ts'
import type { Store } from '../../../../src/ports/world.ts'
import { TOOL } from '../../../support/canned-mcp.ts'
import { startCannedServer } from '../../../support/canned-server.ts'
import { cleanup } from '../../../support/cleanup.ts'
import { serverEntry } from '../../../support/everything.ts'
import { canned, mcp } from '../../../support/mcp-port.ts'
import { startNodeApi } from '../../../support/node-api.ts'
import { ask, putFile, runToEnd } from '../../../support/node-client.ts'
import { eventually, until } from '../../../support/patience.ts'
import { BASE_CONFIG } from '../../../support/resolved.ts'
import { temporaryFolder } from '../../../support/server.ts'

const SECRET = 'a-token-of-some-length'

/** A process beside others: all that they have in common is the store and the key that seals. */
function deployment() {
  let now = 1_000_000
  const clock = { now: () => now }
  const store = memoryStore()
  const secrets = environmentSecrets({
    env: { STRATA_SECRETS: 'T', T: SECRET },
    tenant: 'default',
    key: new Uint8Array(32).fill(7),
  })
  const errors: unknown[] = []
  const process = (on: Store = store) => {
    const onError = (error: unknown) => errors.push(error)
    return mcp({ secrets, shared: sharedLists({ store: on, secrets, clock, onError }) })
  }
  const pass = (ms: number) => {
    now += ms
  }
  return { process, store, errors, pass }
}

const tool = (name: string) => ({ ...TOOL, name })
const names = async (port: ReturnType<typeof mcp>, entry: ServerEntry, tenant = 'default') => {
  const listed = await port.list(tenant, entry)
  return listed.ok ? listed.value.map((one) => one.name) : listed.error
}

describe('a tool list stored by another process', () => {
  it('is reused: the second process sends the server no request', async () => {
    const { process } = deployment()
    const { server, entry } = await canned({ tools: [tool('one'), tool('two')] })
    expect(await names(process(), entry)).toEqual(['one', 'two'])
    const second = process()
    expect(await names(second, entry)).toEqual(['one', 'two'])
    expect(await names(second, { ...entry, disabled_tools: ['one'] })).toEqual(['two'])
    expect(server.messages('initialize')).toHaveLength(1)
    expect(server.messages('tools/list')).toHaveLength(1)
  })

  it('belongs to one tenant and one configuration, and is stored sealed', async () => {
    const { process, store } = deployment()
    const config = { bearer_token_env_var: 'T', http_headers: { 'x-typed': 'typed-in-secret' } }
    const { server, entry } = await canned(
      { tools: [tool('one'), { ...tool('echo'), description: `Says ${SECRET}.` }] },
      config,
    )
    await names(process(), entry)
    await names(process(), entry, 'other')
    await names(process(), { ...entry, http_headers: {} })
    await names(process(), { ...entry, bearer_token_env_var: null })
    expect(server.messages('tools/list')).toHaveLength(4)
    const all = (await store.list('default/mcp-lists')).map(
      ({ partition, body }) => partition + body,
    )
    expect(all).toHaveLength(3)
    expect(all.join()).not.toMatch(/echo|typed-in|a-token|Says/)
    const again = await process().list('default', entry)
    expect(JSON.stringify(again)).toContain('Says [redacted].')
  })

  it('stays valid as long as the server declares, up to an hour, and for some minutes otherwise', async () => {
    const { process, pass } = deployment()
    const lists: [ttlMs: number | undefined, holds: number][] = [
      [undefined, LIMITS.tool_list_seconds * 1_000],
      [60_000, 60_000],
      [10 * 3_600_000, LIMITS.tool_list_seconds_max * 1_000],
    ]
    for (const [ttlMs, holds] of lists) {
      const { server, entry } = await canned({ tools: [tool('one')], list: { ttlMs } })
      await names(process(), entry)
      pass(holds - 1)
      await names(process(), entry)
      expect(server.messages('tools/list')).toHaveLength(1)
      pass(1)
      await names(process(), entry)
      expect(server.messages('tools/list')).toHaveLength(2)
    }
    const { server, entry } = await canned({ tools: [tool('one')], list: { ttlMs: 0 } })
    await names(process(), entry)
    await names(process(), entry)
    expect(server.messages('tools/list')).toHaveLength(2)
  })

  it('is dropped when the server reports a change', async () => {
    const { process } = deployment()
    let stream: ServerResponse | undefined
    const tools = [tool('one')]
    const { entry } = await canned({
      tools,
      onRequest: (request, response) => {
        if (request.method !== 'GET') return false
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n')
        stream = response
        return true
      },
    })
    await names(process(), entry)
    tools.push(tool('two'))
    expect(await names(process(), entry)).toEqual(['one'])
    await until('the stream', () => stream !== undefined)
    const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
    // Said without end it costs one deletion.
    for (let times = 0; times < 20; times += 1)
      stream?.write(`data: ${JSON.stringify(changed)}\n\n`)
    await eventually(async () => expect(await names(process(), entry)).toEqual(['one', 'two']))
    stream?.end()
  })

  it.each([
    ['an error', { error: { code: -32602, message: 'Tool one not found' } }],
    [
      'a result',
      { result: { content: [{ type: 'text', text: 'Unknown tool: one' }], isError: true } },
    ],
  ])('is dropped when the server does not recognize one of its tools, by %s', async (_, said) => {
    const { process } = deployment()
    const tools = [tool('one')]
    const { entry } = await canned({
      tools,
      onCall({ id }, response) {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ jsonrpc: '2.0', id, ...said }))
        return true
      },
    })
    const port = process()
    await names(port, entry)
    tools.splice(0, 1, tool('two'))
    expect(await names(process(), entry)).toEqual(['one'])
    expect(await port.run(entry, 'one')).toMatchObject({ ok: true, value: { is_error: true } })
    expect(await names(process(), entry)).toEqual(['two'])
    expect(await names(port, entry)).toEqual(['two'])
  })

  it('is dropped by a reload', async () => {
    const { process } = deployment()
    const tools = [tool('one')]
    const { entry } = await canned({ tools })
    await names(process(), entry)
    tools.push(tool('two'))
    await process().forget('other')
    expect(await names(process(), entry)).toEqual(['one'])
    await process().forget('default')
    expect(await names(process(), entry)).toEqual(['one', 'two'])
  })

  it('of many rows is complete, even beside an older longer one; one above the limit is not shared', async () => {
    const { process } = deployment()
    const wide = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        ...tool(`t${at}`),
        description: 'x'.repeat(4_000),
      }))
    const tools = wide(200)
    const { server, entry } = await canned({ tools, list: { ttlMs: 60_000 } })
    await names(process(), entry)
    expect(await names(process(), entry)).toHaveLength(200)
    tools.splice(30)
    await process().forget('default')
    await names(process(), entry)
    expect(await names(process(), entry)).toHaveLength(30)
    expect(server.messages('tools/list')).toHaveLength(2)
    tools.push(...wide(400))
    await process().forget('default')
    for (const port of [process(), process()]) await names(port, entry)
    expect(server.messages('tools/list')).toHaveLength(4)
  })

  it('that is unreadable or tampered with is requested again, and that is reported', async () => {
    const { process, store, errors } = deployment()
    const { server, entry } = await canned({ tools: [tool('one')] })
    await names(process(), entry)
    const [row] = await store.list('default/mcp-lists')
    const { partition, key, body } = row!
    const put = (text: string) =>
      store.commit(partition, [{ op: 'put', key, body: text, expect: 'any' }])
    for (const text of ['', '9 x', `${body.slice(0, -3)}AAA`, 'no number']) {
      await put(text)
      expect(await names(process(), entry)).toEqual(['one'])
    }
    expect(server.messages('tools/list')).toHaveLength(5)
    expect(errors).toEqual([])
    const down: Store = { ...store, read: () => Promise.reject(new Error('down')) }
    expect(await names(process(down), entry)).toEqual(['one'])
    expect(errors).toHaveLength(1)
  })

  it('is not created for a server that failed', async () => {
    const { process } = deployment()
    const { origin, close } = await startCannedServer((_, response) => {
      response.writeHead(500).end()
    })
    cleanup.push(close)
    const entry = serverEntry({ name: 'x', transport: 'http', url: `${origin}/mcp` })
    expect(await names(process(), entry)).toBe('the server responded with status 500')
    expect(await names(process(), entry)).toBe('the server responded with status 500')
  })
})

it('survives a restart: a Node server queries no MCP server whose list is valid, and a reload does', async () => {
  const folder = await temporaryFolder()
  const { server } = await canned({ tools: [tool('one')] })
  const first = await startNodeApi({ DATA_DIR: folder })
  await putFile(first, BASE_CONFIG, `[mcp_servers.x]\nurl = "${server.url}"\n`)
  await runToEnd(first, { input: '@say x' })
  await first.host.close()
  const next = { ...(await startNodeApi({ DATA_DIR: folder })), key: first.key }
  expect(await runToEnd(next, { input: '@call mcp__x__one {}\n@say {last}' })).toMatchObject({
    output: { text: 'done' },
  })
  expect(server.messages('tools/list')).toHaveLength(1)
  await ask(next, 'POST', '/v1/runtime/reload', {})
  await runToEnd(next, { input: '@say x' })
  expect(server.messages('tools/list')).toHaveLength(2)
})
