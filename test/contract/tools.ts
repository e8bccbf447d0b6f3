/**
 * What every port to MCP servers promises, as tests; the words are those of `Tools` in
 * src/ports/world.ts. Whoever runs them has a server and says which of its tools do what.
 */

import { describe, expect, it, onTestFinished } from 'vitest'
import type { ServerEntry } from '../../src/core/config/types.ts'
import type { Tools } from '../../src/ports/world.ts'
import { startCannedServer } from '../support/canned-server.ts'
import { serverEntry } from '../support/everything.ts'
import { measured } from '../support/measured.ts'
import { minutes } from '../support/patience.ts'

interface Act {
  readonly tool: string
  readonly arguments: Record<string, unknown>
}
interface ToolsUnderTest {
  readonly tools: Tools
  /** A server that can be reached. */
  readonly entry: ServerEntry
  /** Answers with this text. */
  readonly says: Act & { readonly text: string }
  /** Answers with an error of its own. */
  readonly errs: Act
  /** Answers after some 200 ms. */
  readonly slow: Act
  /** Does not answer within seconds. */
  readonly silent: Act
  /** The `_meta` of the calls that the server has got. */
  readonly metas: () => readonly unknown[]
  /** How often somebody has connected. */
  readonly connected: () => number
}
export type MakeTools = () => ToolsUnderTest | Promise<ToolsUnderTest>

const TENANT = 'default'
/** What ends at once. */
const SOON = { wallMs: 5_000 }
/** Longer than any test: only what ends at once ends before. */
const LONG_SECONDS = minutes(10) / 1_000
const LONG = { startup_timeout_sec: LONG_SECONDS, tool_timeout_sec: LONG_SECONDS }
const SENTENCE = /^[A-Za-z].{5,300}$/
const sentence = () => ({ ok: false, error: expect.stringMatching(SENTENCE) })
const failure = (code: unknown) => ({
  ok: false,
  error: { code, message: expect.stringMatching(SENTENCE) },
})
const aborted = (): AbortSignal => AbortSignal.abort(new Error('never the reason of a rejection'))

const run = (tools: Tools, server: ServerEntry, act: Act, signal = new AbortController().signal) =>
  tools.call(TENANT, server, { tool: act.tool, arguments: act.arguments, key: 'key-1', signal })

const away = (): ServerEntry =>
  serverEntry({ name: 'away', transport: 'http', url: 'http://127.0.0.1:1/mcp', ...LONG })

/** Servers that cannot be used, whoever asks. */
const useless: readonly [string, () => ServerEntry][] = [
  ['is unreachable', away],
  ['is switched off', () => ({ ...away(), enabled: false })],
  ['has no URL', () => ({ ...away(), url: null })],
  ['has a URL that is refused', () => ({ ...away(), url: 'https://10.0.0.1/' })],
  ['needs a secret that there is not', () => ({ ...away(), http_headers: { a: `$\{NOT_THERE}` } })],
  ['has no command', () => serverEntry({ transport: 'stdio', command: null })],
]

export function toolsContract(name: string, make: MakeTools): void {
  describe(`tools: ${name}`, () => {
    describe('list', () => listPromises(make))
    describe('call', () => callPromises(make))
    describe('probe', () => probePromises(make))
    describe('forget', () => forgetPromises(make))
    describe('without a server', () => noServerPromises(async () => (await make()).tools))
  })
}

/** What also a world promises that has no servers. */
export function noServerPromises(make: () => Tools | Promise<Tools>): void {
  it.each(useless)(
    'an entry that %s returns a sentence, and its call is unsent',
    async (_, entry) => {
      const tools = await make()
      expect(await tools.list(TENANT, entry())).toEqual(sentence())
      expect(await tools.probe(TENANT, entry())).toEqual(sentence())
      expect(await run(tools, entry(), { tool: 'act', arguments: {} })).toEqual(failure('unsent'))
    },
  )

  it('an abort in advance is still answered, and the call is unsent', async () => {
    const tools = await make()
    expect(await tools.list(TENANT, away(), aborted())).toEqual(sentence())
    expect(await tools.probe(TENANT, away(), aborted())).toEqual(sentence())
    const called = await run(tools, away(), { tool: 'act', arguments: {} }, aborted())
    expect(called).toEqual(failure('unsent'))
  })

  it('an unknown tenant can be forgotten', async () => {
    expect(await (await make()).forget('nobody')).toBeUndefined()
  })
}

/** A server that takes connections and never answers; the parts of a second are its time. */
async function mute(startup_timeout_sec: number): Promise<ServerEntry> {
  const server = await startCannedServer(() => {})
  onTestFinished(server.close)
  const url = `${server.origin}/mcp`
  return serverEntry({ name: 'mute', transport: 'http', url, startup_timeout_sec })
}

const soon = <T>(act: () => Promise<T>): Promise<T> => measured('a call', act, SOON)

function listPromises(make: MakeTools): void {
  it('returns each tool as its server describes it', async () => {
    const { tools, entry, says } = await make()
    const listed = await tools.list(TENANT, entry)
    const found = listed.ok ? listed.value.find(({ name }) => name === says.tool) : listed
    expect(found).toEqual({
      name: says.tool,
      description: expect.stringMatching(/./),
      input_schema: expect.objectContaining({ type: 'object' }),
      repeatable: expect.any(Boolean),
    })
  })

  it('is filtered by the lists of the entry, where deny wins', async () => {
    const { tools, entry, says, errs } = await make()
    const both = [says.tool, errs.tool]
    const namesOf = async (more: Partial<ServerEntry>) => {
      const listed = await tools.list(TENANT, { ...entry, ...more })
      return listed.ok ? listed.value.map(({ name }) => name).sort() : listed.error
    }
    expect(await namesOf({ enabled_tools: both })).toEqual([...both].sort())
    const disabled_tools = [errs.tool]
    expect(await namesOf({ enabled_tools: both, disabled_tools })).toEqual([says.tool])
    expect(await namesOf({ disabled_tools })).not.toContain(errs.tool)
    expect(await namesOf({ disabled_tools })).toContain(says.tool)
    expect(await namesOf({ enabled_tools: ['nothing'] })).toMatch(SENTENCE)
  })

  it('ends within the start-up time-out', async () => {
    const { tools } = await make()
    const entry = await mute(0.2)
    expect(await soon(() => tools.list(TENANT, entry))).toEqual(sentence())
  })

  it('returns at once when a caller aborts, and other waiting callers still get the list', async () => {
    const { tools, entry } = await make()
    const silent = await mute(LONG_SECONDS)
    const stop = AbortSignal.timeout(30)
    expect(await soon(() => tools.list(TENANT, silent, stop))).toEqual(sentence())
    const [gone, stays] = [tools.list(TENANT, entry, aborted()), tools.list(TENANT, entry)]
    expect(await gone).toEqual(sentence())
    expect(await stays).toMatchObject({ ok: true })
  })
}

function callPromises(make: MakeTools): void {
  it('returns the text of the answer, including the text of an error', async () => {
    const { tools, entry, says, errs } = await make()
    const value = { text: says.text, is_error: false }
    expect(await run(tools, entry, says)).toEqual({ ok: true, value })
    expect(await run(tools, entry, errs)).toEqual({
      ok: true,
      value: { text: expect.stringMatching(/./), is_error: true },
    })
  })

  it('sends its key in `_meta`', async () => {
    const { tools, entry, says, metas } = await make()
    await run(tools, entry, says)
    expect(metas()).toMatchObject([{ 'strata/idempotency-key': 'key-1' }])
  })

  it('of a tool that the lists exclude is unsent', async () => {
    const { tools, entry, says } = await make()
    for (const lists of [{ disabled_tools: [says.tool] }, { enabled_tools: ['nothing'] }])
      expect(await run(tools, { ...entry, ...lists }, says)).toEqual(failure('unsent'))
  })

  it('ends within the tool time-out, and may have been executed', async () => {
    const { tools, entry, silent, says } = await make()
    const called = await soon(() => run(tools, { ...entry, tool_timeout_sec: 0.2 }, silent))
    expect(called).toEqual(failure('timeout'))
    expect(await run(tools, entry, says)).toMatchObject({ ok: true })
  })

  it('to a server that never answers ends within the start-up time-out', async () => {
    const { tools, says } = await make()
    const entry = await mute(0.2)
    expect(await soon(() => run(tools, entry, says))).toEqual(failure('unsent'))
  })

  it('aborted in flight returns at once and may have been executed', async () => {
    const { tools, entry, silent, says } = await make()
    // Connected before, so that the abort strikes the call.
    await run(tools, entry, says)
    const stop = AbortSignal.timeout(60)
    expect(await soon(() => run(tools, entry, silent, stop))).toEqual(failure('unknown'))
  })

  it('aborted before sending or while connecting returns at once as unsent', async () => {
    const { tools, entry, says, metas } = await make()
    expect(await run(tools, entry, says, aborted())).toEqual(failure('unsent'))
    const unanswered = await mute(LONG_SECONDS)
    const stop = AbortSignal.timeout(30)
    expect(await soon(() => run(tools, unanswered, says, stop))).toEqual(failure('unsent'))
    expect(metas()).toEqual([])
  })
}

function probePromises(make: MakeTools): void {
  it('reports the protocol and the tools, on a new connection each time', async () => {
    const { tools, entry, says, connected } = await make()
    await run(tools, entry, says)
    const before = connected()
    for (let nth = 1; nth <= 2; nth += 1) {
      const probed = await tools.probe(TENANT, entry)
      expect(probed).toMatchObject({
        ok: true,
        value: { protocol_version: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
      })
      expect(probed.ok && probed.value.tools.map(({ name }) => name)).toContain(says.tool)
      expect(connected()).toBe(before + nth)
    }
  })

  it('ends within the start-up time-out, and at once on abort', async () => {
    const { tools } = await make()
    const [short, long] = [await mute(0.2), await mute(LONG_SECONDS)]
    expect(await soon(() => tools.probe(TENANT, short))).toEqual(sentence())
    const stop = AbortSignal.timeout(30)
    expect(await soon(() => tools.probe(TENANT, long, stop))).toEqual(sentence())
  })
}

function forgetPromises(make: MakeTools): void {
  it('lets calls continue, and the server is queried again', async () => {
    const { tools, entry, says, slow, connected } = await make()
    await run(tools, entry, says)
    await tools.list(TENANT, entry)
    const before = connected()
    const called = run(tools, entry, slow)
    await new Promise((resolve) => setTimeout(resolve, 50))
    tools.forget(TENANT)
    expect(await called).toMatchObject({ ok: true, value: { is_error: false } })
    expect(await tools.list(TENANT, entry)).toMatchObject({ ok: true })
    expect(connected()).toBe(before + 1)
  })

  it('affects that tenant alone', async () => {
    const { tools, entry, says, connected } = await make()
    await run(tools, entry, says)
    const before = connected()
    tools.forget('another')
    expect(await run(tools, entry, says)).toMatchObject({ ok: true })
    expect(connected()).toBe(before)
  })
}
