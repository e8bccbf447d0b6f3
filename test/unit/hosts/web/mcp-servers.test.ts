/** The tools port against the reference MCP server, over every transport, and local servers. */

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServerEntry } from '../../../../src/core/config/types.ts'
import { openStdio } from '../../../../src/hosts/node/stdio.ts'
import { cleanup } from '../../../support/cleanup.ts'
import {
  type Everything,
  everythingByStdio,
  serverEntry,
  startEverything,
} from '../../../support/everything.ts'
import { canned, mcp } from '../../../support/mcp-port.ts'
import { until } from '../../../support/patience.ts'

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('the MCP reference server', () => {
  const running: Everything[] = []
  beforeAll(async () => {
    running.push(await startEverything('streamableHttp'), await startEverything('sse'))
  })
  afterAll(async () => {
    for (const one of running) await one.close()
  })
  const entries = {
    stdio: () => everythingByStdio(),
    http: () => serverEntry({ transport: 'http', url: running[0]?.url ?? '' }),
    sse: () => serverEntry({ transport: 'sse', url: running[1]?.url ?? '' }),
  }
  it.each(['stdio', 'http', 'sse'] as const)('lists and runs its tools over %s', async (kind) => {
    const tools = mcp()
    const entry = entries[kind]()
    const listed = await tools.list('default', entry)
    const names = listed.ok ? listed.value.map((tool) => tool.name) : []
    expect(names).toContain('echo')
    expect(await tools.run(entry, 'echo', { message: 'hi' })).toEqual({
      ok: true,
      value: { text: 'Echo: hi', is_error: false },
    })
    const image = await tools.run(entry, 'get-tiny-image')
    expect(image.ok && image.value.text).toMatch(/\n\[image, image\/png, \d+ bytes\]\n/)
    expect(await tools.run(entry, 'get-sum', { a: 'x' })).toMatchObject({
      ok: true,
      value: { is_error: true },
    })
  })
  it('calls are repeatable only as its annotations declare', async () => {
    const listed = await mcp().list('default', entries.http())
    const byName = new Map((listed.ok ? listed.value : []).map((tool) => [tool.name, tool]))
    expect(byName.get('echo')?.repeatable).toBe(true)
    expect(byName.get('simulate-research-query')?.repeatable).toBe(false)
  })
  it('is offered neither sampling nor elicitation [A17]', async () => {
    const listed = await mcp().list('default', entries.http())
    const names = listed.ok ? listed.value.map((tool) => tool.name).join(' ') : ''
    expect(names).not.toMatch(/sampling|elicitation|roots/)
  })
  it('a local server sees its own variables and none of the deployment', async () => {
    process.env.OPENAI_API_KEY_TEST = 'deployment-secret'
    const env = { MINE: 'yes', NODE_OPTIONS: '--no-warnings', LD_PRELOAD: '/x.so' }
    const seen = await mcp().run(everythingByStdio({ env }), 'get-env')
    delete process.env.OPENAI_API_KEY_TEST
    const text = seen.ok ? seen.value.text : ''
    expect(text).toContain('"MINE": "yes"')
    expect(text).not.toMatch(/deployment-secret|NODE_OPTIONS|LD_PRELOAD/)
  })
  it('two servers that differ only in their env are two processes [SDK-11]', async () => {
    const tools = mcp()
    const [one, two] = await Promise.all(
      ['1', '2'].map((n) => tools.run(everythingByStdio({ env: { N: n } }), 'get-env')),
    )
    expect(one?.ok && one.value.text).toContain('"N": "1"')
    expect(two?.ok && two.value.text).toContain('"N": "2"')
  })
  it('a call that takes too long times out, and the next one works', async () => {
    const tools = mcp()
    const entry = serverEntry({ ...entries.http(), tool_timeout_sec: 2 })
    const slow = { duration: 20, steps: 1 }
    const late = await tools.run(entry, 'trigger-long-running-operation', slow)
    expect(late).toMatchObject({ ok: false, error: { code: 'timeout' } })
    expect(await tools.run(entry, 'echo', { message: 'x' })).toMatchObject({ ok: true })
  })
})

describe('a local server [SDK-10]', () => {
  it('receives its arguments unchanged, including blanks', async () => {
    const script =
      'require("fs").writeFileSync(process.argv[1], JSON.stringify(process.argv.slice(2)));' +
      'process.exit()'
    const dir = await mkdtemp(join(tmpdir(), 'strata-test-'))
    cleanup.push(() => rm(dir, { recursive: true }))
    const args = ['-e', script, `${dir}/seen`, '--path', '/a b', '$HOME', '"']
    await mcp().list('default', everythingByStdio({ args, startup_timeout_sec: 20 }))
    expect(JSON.parse(await readFile(`${dir}/seen`, 'utf8'))).toEqual(args.slice(3))
  })
  it('that does not exist, exits, or is not allowed is reported in a sentence', async () => {
    const gone = serverEntry({ command: '/no/such/command' })
    expect(await mcp().list('default', gone)).toEqual({
      ok: false,
      error: 'command not found',
    })
    const exits = serverEntry({ command: process.execPath, args: ['-e', 'process.exit(3)'] })
    expect(await mcp().list('default', exits)).toEqual({
      ok: false,
      error: 'the server exited with code 3',
    })
    const throws = serverEntry({ command: process.execPath, args: ['-e', 'throw Error("no x")'] })
    expect(await mcp().list('default', throws)).toEqual({
      ok: false,
      error: 'the server exited with code 1: "Error: no x"',
    })
    const kills = 'console.error("bye"); process.kill(process.pid, "SIGKILL")'
    const killed = serverEntry({ command: process.execPath, args: ['-e', kills] })
    expect(await mcp().list('default', killed)).toEqual({
      ok: false,
      error: 'the server was ended by SIGKILL: "bye"',
    })
    expect(await mcp({ stdio: undefined }).list('default', gone)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/not allowed here/),
    })
  })
  it('that exits before its first message is sent is reported by its exit code', async () => {
    const exits = serverEntry({ command: '/bin/sh', args: ['-c', 'exit 3'] })
    const lists = await Promise.all(Array.from({ length: 20 }, () => mcp().list('default', exits)))
    const exited = { ok: false, error: 'the server exited with code 3' }
    expect(lists).toEqual(lists.map(() => exited))
  })
  it('that closes its input and then ends is reported by its end, not by the broken pipe', async () => {
    // It closes its input before it speaks, so that a message to it fails while it still runs.
    const script =
      'require("fs").closeSync(0); console.log(\'{"jsonrpc":"2.0","method":"x"}\');' +
      'setTimeout(() => { console.error("bye"); process.kill(process.pid, "SIGKILL") }, 50)'
    const transport = await openStdio(
      serverEntry({ command: process.execPath, args: ['-e', script] }),
    )
    const errors: string[] = []
    transport.onerror = ({ message }) => errors.push(message)
    const spoken = new Promise<void>((resolve) => {
      transport.onmessage = () => resolve()
    })
    const closed = new Promise<void>((resolve) => {
      transport.onclose = () => resolve()
    })
    await transport.start()
    await spoken
    const message = {
      jsonrpc: '2.0',
      method: 'y',
      params: { text: 'x'.repeat(1_000_000) },
    } as const
    await expect(transport.send(message)).rejects.toThrow('was ended by SIGKILL: "bye"')
    await closed
    expect(errors).toEqual(['the server was ended by SIGKILL: "bye"'])
  })
  it('forgotten twice during a call completes the call and is then closed once [GC-68 GC-69]', async () => {
    let opened = 0
    let closed = 0
    let ended = 0
    const stdio = async (server: Parameters<typeof openStdio>[0]) => {
      const transport = await openStdio(server)
      const close = transport.close.bind(transport)
      opened += 1
      transport.close = () => {
        closed += 1
        return close().finally(() => {
          ended += 1
        })
      }
      return transport
    }
    const tools = mcp({ stdio })
    const entry = everythingByStdio()
    const long = { duration: 3, steps: 1 }
    await tools.list('default', entry)
    const under = tools.run(entry, 'trigger-long-running-operation', long)
    await sleep(100)
    tools.forget('default')
    tools.forget('default')
    await sleep(100)
    expect([opened, closed]).toEqual([1, 0])
    expect(await under).toMatchObject({ ok: true })
    await until('the end of the server', () => ended > 0)
    expect([opened, closed, ended]).toEqual([1, 1, 1])
    expect(await tools.run(entry, 'echo', { message: 'new' })).toMatchObject({ ok: true })
    expect([opened, closed]).toEqual([2, 1])
  })
  it('and all its child processes end when a call is aborted [X-19]', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'strata-test-'))
    cleanup.push(() => rm(dir, { recursive: true }))
    // Works on for ever in a process of its own, and does not mind being asked to stop.
    const deaf = `
      process.on('SIGTERM', () => {})
      require('fs').writeFileSync(process.argv[1], String(process.pid))
      setInterval(() => {}, 1000)`
    const server = `
      const { spawn } = require('child_process')
      const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
      const info = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
      require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line)
        if (method === 'initialize') say(id, info)
        if (method === 'tools/list') say(id, { tools: [{ name: 'act', inputSchema: { type: 'object' } }] })
        if (method === 'tools/call') spawn(process.execPath, ['-e', process.argv[2], process.argv[1]], { stdio: 'ignore' })
      })
      process.on('SIGTERM', () => {})`
    const args = ['-e', server, `${dir}/pid`, deaf]
    const entry = serverEntry({ command: process.execPath, args })
    const pid = async () => Number(await readFile(`${dir}/pid`, 'utf8').catch(() => '0'))
    const controller = new AbortController()
    const call = { tool: 'act', arguments: {}, key: 'k', signal: controller.signal }
    const called = mcp().call('default', entry, call)
    const below = await until('the process below', async () => (await pid()) || undefined)
    expect(lives(below)).toBe(true)
    controller.abort('the run was cancelled')
    expect(await called).toMatchObject({ ok: false, error: { code: 'unknown' } })
    await until('the end of the process below', () => !lives(below))
  })
  it('with a malformed answer is read like one over HTTP', async () => {
    const script = `
      const say = (text) => process.stdout.write(text)
      say('starting up ...\\n')
      require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line)
        const of = (result) => say(JSON.stringify({ id, result, error: null }) + '\\r\\n')
        if (method === 'initialize') of({ protocolVersion: '2025-06-18', capabilities: null })
        if (method === 'tools/list') of([{ name: 'act' }, { name: 'odd', inputSchema: 1 }])
        if (method === 'tools/call') of('acted')
      })`
    const tools = mcp()
    const entry = serverEntry({ command: process.execPath, args: ['-e', script] })
    expect(await tools.list('default', entry)).toMatchObject({
      ok: true,
      value: [{ name: 'act', input_schema: { type: 'object' } }],
      findings: [
        { tool: 'odd', left_out: true },
        { tool: 'act', left_out: false },
      ],
    })
    expect(await tools.run(entry, 'act')).toEqual({
      ok: true,
      value: { text: 'acted', is_error: false },
    })
  })
  it('that hangs at startup uses up only its own time-out [MCP-10]', async () => {
    const tools = mcp()
    const hangs = serverEntry({
      command: process.execPath,
      args: ['-e', 'setInterval(() => {}, 1000)'],
      startup_timeout_sec: 4,
    })
    const { entry } = await canned()
    const order: string[] = []
    const listing = (name: string, server: ServerEntry) =>
      tools.list('default', server).finally(() => order.push(name))
    const [late, well] = await Promise.all([listing('hangs', hangs), listing('well', entry)])
    expect(late).toMatchObject({ ok: false, error: expect.stringMatching(/4 seconds/) })
    expect(well.ok).toBe(true)
    expect(order).toEqual(['well', 'hangs'])
  })
})
