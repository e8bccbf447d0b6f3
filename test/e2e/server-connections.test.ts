/** MCP servers of a tenant's files, as a running server calls them: their key, and their end. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startCannedMcp } from '../support/canned-mcp.ts'
import { cleanup } from '../support/cleanup.ts'
import { startNodeApi } from '../support/node-api.ts'
import { ask, putFile, runToEnd } from '../support/node-client.ts'
import { eventually } from '../support/patience.ts'
import { BASE_CONFIG } from '../support/resolved.ts'
import { temporaryFolder } from '../support/server.ts'

describe('the bearer of a server', () => {
  const called = async (env: Readonly<Record<string, string>>) => {
    const server = await startCannedMcp()
    cleanup.push(server.close)
    const api = await startNodeApi({ STRATA_SECRETS: 'T@127.0.0.1', ...env })
    const config = `[mcp_servers.x]\nurl = "${server.url}"\nbearer_token_env_var = "T"\n`
    await putFile(api, BASE_CONFIG, config)
    const resolved = (await ask(api, 'POST', '/v1/resolve', {})).body
    const run = await runToEnd(api, { input: '@call mcp__x__act {}\n@say {last}' })
    const sent = server.received.map(({ headers }) => headers.authorization)
    return { resolved, run, sent, calls: server.messages('tools/call') }
  }

  it('whose secret is not set causes a warning and no such header, and the server is used [GC-21]', async () => {
    const { resolved, run, sent, calls } = await called({})
    expect(resolved.servers).toMatchObject([{ name: 'x', enabled: true }])
    expect(resolved.unavailable).toEqual([])
    expect(resolved.diagnostics).toMatchObject([
      { code: 'missing_secret', severity: 'warning', message: expect.stringContaining('T') },
    ])
    expect(run).toMatchObject({ status: 'completed', output: { text: 'done' } })
    expect(calls).toHaveLength(1)
    expect(new Set(sent)).toEqual(new Set([undefined]))
  })

  it('whose secret is set is sent with every request, without a warning [GC-22]', async () => {
    const { resolved, run, sent, calls } = await called({ T: 'abc' })
    expect(resolved.diagnostics).toEqual([])
    expect(run).toMatchObject({ status: 'completed', output: { text: 'done' } })
    expect(calls).toHaveLength(1)
    expect(new Set(sent)).toEqual(new Set(['Bearer abc']))
  })
})

/** Writes down when it begins, is called and is closed; a call takes until `go` is there. */
const LOCAL = `
  const { appendFileSync, existsSync } = require('fs')
  const [, folder] = process.argv
  const note = (word) => appendFileSync(folder + '/log', word + '\\n')
  const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
  const info = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
  note('begins')
  require('readline').createInterface({ input: process.stdin })
    .on('line', (line) => {
      const { id, method } = JSON.parse(line)
      if (method === 'initialize') say(id, info)
      if (method === 'tools/list') say(id, { tools: [{ name: 'act', inputSchema: { type: 'object' } }] })
      if (method !== 'tools/call') return
      note('called')
      const timer = setInterval(() => {
        if (!existsSync(folder + '/go')) return
        clearInterval(timer)
        say(id, { content: [{ type: 'text', text: 'acted' }] })
      }, 20)
    })
    .on('close', () => {
      note('closed')
      process.exit()
    })`

it('a server reloaded twice during a run finishes its call, closes once, and starts fresh for the next run [GC-69]', async () => {
  const api = await startNodeApi({ ALLOW_STDIO_MCP: 'true' })
  const folder = await temporaryFolder()
  const log = join(folder, 'log')
  const told = () => (existsSync(log) ? readFileSync(log, 'utf8').trim() : '')
  const untilTold = (words: string) => eventually(() => expect(told()).toBe(words))
  const [command, args] = [process.execPath, ['-e', LOCAL, folder]].map((one) =>
    JSON.stringify(one),
  )
  await putFile(api, BASE_CONFIG, `[mcp_servers.s]\ncommand = ${command}\nargs = ${args}\n`)
  const json = { input: '@call mcp__s__act {}\n@say {last}' }
  const first = runToEnd(api, json)
  await untilTold('begins\ncalled')
  for (let times = 0; times < 2; times += 1) {
    expect((await ask(api, 'POST', '/v1/runtime/reload', {})).status).toBe(200)
  }
  // Long enough for a close that does not wait: its input ends at once.
  await sleep(300)
  expect(told()).toBe('begins\ncalled')
  writeFileSync(join(folder, 'go'), '')
  expect(await first).toMatchObject({ status: 'completed', output: { text: 'acted' } })
  await untilTold('begins\ncalled\nclosed')
  expect(await runToEnd(api, json)).toMatchObject({ output: { text: 'acted' } })
  await untilTold('begins\ncalled\nclosed\nbegins\ncalled')
})
