/**
 * The MCP conformance suite: every scenario is either run and must pass, or named with the reason
 * why it does not apply. `/mcp` offers tools, resources and prompts of its own,
 * without sessions; the client offers the servers nothing (no sampling, no elicitation) and does no
 * OAuth.
 */

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cleanup } from '../support/cleanup.ts'
import { installed } from '../support/install.ts'
import { startNodeApi } from '../support/node-api.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const HOME = join(ROOT, 'test/support/conformance')
const SUITE = join(installed(HOME), '@modelcontextprotocol/conformance/dist/index.js')
const CLIENT = join(HOME, 'client.ts')

const OWN_TOOL = 'calls a tool that the suite’s own server has'
const OWN_RESOURCE = 'reads a resource that the suite’s own server has'
const OWN_PROMPT = 'names a prompt with underscores: a skill’s name has none'
const NO_SUBSCRIPTION = 'no session, so no subscription'
const NO_ELICITATION = 'elicitation is refused by design'
const NO_OAUTH = 'tokens are secrets of the tenant: no OAuth'
const NO_STREAM = 'no session, so no stream to poll'
const SERVER: Readonly<Record<string, string | true>> = {
  'server-initialize': true,
  ping: true,
  'tools-list': true,
  'dns-rebinding-protection': true,
  'logging-set-level': 'no logging is offered',
  'completion-complete': 'no completion is offered',
  'tools-call-simple-text': OWN_TOOL,
  'tools-call-image': OWN_TOOL,
  'tools-call-audio': OWN_TOOL,
  'tools-call-embedded-resource': OWN_TOOL,
  'tools-call-mixed-content': OWN_TOOL,
  'tools-call-with-logging': OWN_TOOL,
  'tools-call-error': OWN_TOOL,
  'tools-call-with-progress': OWN_TOOL,
  'tools-call-sampling': OWN_TOOL,
  'tools-call-elicitation': OWN_TOOL,
  'json-schema-2020-12': OWN_TOOL,
  'elicitation-sep1034-defaults': OWN_TOOL,
  'elicitation-sep1330-enums': OWN_TOOL,
  'server-sse-polling': NO_STREAM,
  'server-sse-multiple-streams': NO_STREAM,
  'resources-list': true,
  'resources-read-text': OWN_RESOURCE,
  'resources-read-binary': OWN_RESOURCE,
  'resources-templates-read': OWN_RESOURCE,
  'resources-subscribe': NO_SUBSCRIPTION,
  'resources-unsubscribe': NO_SUBSCRIPTION,
  'prompts-list': true,
  'prompts-get-simple': OWN_PROMPT,
  'prompts-get-with-args': OWN_PROMPT,
  'prompts-get-embedded-resource': OWN_PROMPT,
  'prompts-get-with-image': OWN_PROMPT,
}
/** Measures when the client comes back, to half a second: a machine that is busy just then may be late. */
const TIMED: ReadonlySet<string> = new Set(['sse-retry'])
const TRIES = 3
const CLIENTS: Readonly<Record<string, string | true>> = {
  initialize: true,
  tools_call: true,
  'sse-retry': true,
  'elicitation-sep1034-client-defaults': NO_ELICITATION,
}

/** What the suite said; its results go to a folder that is removed. */
async function suite(
  args: readonly string[],
  saves = true,
): Promise<{ code: number | null; out: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'strata-test-'))
  const child = spawn(process.execPath, [SUITE, ...args, ...(saves ? ['-o', folder] : [])], {
    env: { PATH: process.env.PATH ?? '', NO_COLOR: '1' },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      out += chunk.toString()
    })
  }
  const code = await new Promise<number | null>((done) => child.once('close', done))
  rmSync(folder, { recursive: true, force: true })
  return { code, out }
}

/** The names that the suite prints under a heading. */
function listed(out: string, heading: string): string[] {
  const part = out.slice(out.indexOf(heading)).split('\n\n')[0] ?? ''
  return [...part.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name!)
}

/** The suite sends no key: a door before ours that adds it and nothing else. */
async function withKey(target: string, key: string): Promise<string> {
  const { hostname, port } = new URL(target)
  const server = createServer((asked, answer) => {
    const { method, url: path, headers } = asked
    const authorization = `Bearer ${key}`
    const onward = request({ hostname, port, method, path, headers: { ...headers, authorization } })
    onward.on('response', (got) => {
      answer.writeHead(got.statusCode ?? 500, got.headers)
      got.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    asked.pipe(onward)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  cleanup.push(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  return `http://localhost:${(server.address() as AddressInfo).port}/mcp`
}

describe('MCP conformance', () => {
  it('names every scenario of the suite, as passing or with a reason', async () => {
    const { out } = await suite(['list'], false)
    const [servers, clients] = [
      listed(out, 'Server scenarios'),
      listed(out, 'Client scenarios').filter((name) => !name.startsWith('auth/')),
    ]
    expect(servers.length).toBeGreaterThan(20)
    expect(Object.keys(SERVER).sort()).toEqual(servers.sort())
    expect(Object.keys(CLIENTS).sort()).toEqual(clients.sort())
    const all: Readonly<Record<string, string | true>> = {
      ...SERVER,
      ...CLIENTS,
      'auth/*': NO_OAUTH,
    }
    for (const [name, result] of Object.entries(all)) {
      console.log(`${name}: ${result === true ? 'run' : `does not apply (${result})`}`)
    }
  })

  it('/mcp passes every server scenario that applies', async () => {
    const api = await startNodeApi()
    const url = await withKey(api.url, api.key)
    const failed: string[] = []
    for (const [name, applies] of Object.entries(SERVER)) {
      if (applies !== true) continue
      const { code, out } = await suite(['server', '--url', url, '--scenario', name])
      console.log(`${name}: ${code === 0 ? 'passed' : 'failed'}`)
      if (code !== 0) failed.push(out)
    }
    expect(failed).toEqual([])
  })

  it('our client passes every client scenario that applies', async () => {
    const failed: string[] = []
    for (const [name, applies] of Object.entries(CLIENTS)) {
      if (applies !== true) continue
      const command = `${process.execPath} ${CLIENT}`
      const ask = () => suite(['client', '--command', command, '--scenario', name])
      let { code, out } = await ask()
      for (let tries = 1; code !== 0 && TIMED.has(name) && tries < TRIES; tries += 1) {
        console.log(`${name}: once more after\n${out}`)
        ;({ code, out } = await ask())
      }
      console.log(`${name}: ${code === 0 ? 'passed' : 'failed'}`)
      if (code !== 0) failed.push(out)
    }
    expect(failed).toEqual([])
  })
})
