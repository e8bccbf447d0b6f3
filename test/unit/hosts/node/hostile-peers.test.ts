/**
 * Outbound exchanges of the Node host with hostile peers: the three clients (webhooks, MCP, models)
 * before one peer of each kind, and before all of them with `FULL=1`. No peer ends by itself, so a
 * call that settles has ended by its own timer; it leaves no connection open.
 */

import { describe, it, type onTestFinished } from 'vitest'
import { createMcpTools } from '../../../../src/hosts/mcp/mcp.ts'
import { createModel } from '../../../../src/hosts/models/model.ts'
import { modelFetch } from '../../../../src/hosts/node/model-fetch.ts'
import { pinnedFetch } from '../../../../src/hosts/node/outbound.ts'
import { createWeb, guardedFetch } from '../../../../src/hosts/outbound/fetch.ts'
import type { Outcome } from '../../../../src/lib/outcome.ts'
import { serverEntry } from '../../../support/everything.ts'
import { fullOr } from '../../../support/full.ts'
import {
  HOSTILE,
  HOSTILE_KINDS,
  HOSTILE_NAMES,
  type HostileName,
  startHostilePeer,
} from '../../../support/hostile/index.ts'
import { secretsOf } from '../../../support/mcp-port.ts'
import { measured } from '../../../support/measured.ts'
import { ask, request } from '../../../support/model-port.ts'

/** How long a call may take, and how much later it must have settled where that is measured. */
const TIME_MS = 700
const GRACE_MS = 4_000
const PEERS = fullOr<readonly HostileName[]>(HOSTILE_NAMES, HOSTILE_KINDS)

/** Tests run side by side: each closes what is its own. */
type Finish = typeof onTestFinished

async function hostile(name: HostileName, finished: Finish) {
  const peer = await startHostilePeer(HOSTILE[name])
  finished(peer.close)
  return peer
}

function mcpTools(finished: Finish) {
  const policy = { allowLoopback: true }
  const fetch = guardedFetch(policy, pinnedFetch(policy))
  const tools = createMcpTools({ secrets: secretsOf({}), fetch })
  finished(() => tools.close())
  return tools
}

/** Waits for a call to settle. */
const settled = <T>(call: Promise<T>): Promise<T> =>
  measured('a call before a hostile peer', () => call, { wallMs: TIME_MS + GRACE_MS })

describe.concurrent('webhooks to a hostile peer time out and leave nothing open [U27]', () => {
  it.for(PEERS)('%s', async (name, { expect, onTestFinished }) => {
    const peer = await hostile(name, onTestFinished)
    const policy = { allowLoopback: true }
    const web = createWeb(policy, pinnedFetch(policy))
    await settled(
      web.send({
        method: 'POST',
        url: `${peer.origin}/hook`,
        headers: {},
        body: '{}',
        timeoutMs: TIME_MS,
        maxBytes: 65_536,
      }),
    )
    if (name !== 'answers-first') expect(peer.connections()).toBeGreaterThan(0)
    expect(await quiet(peer, name)).toBe(true)
  })
})

/** Whether all connections are closed, or kept alive by a peer whose answer was whole. */
async function quiet(peer: Awaited<ReturnType<typeof hostile>>, name: HostileName) {
  if (WHOLE.has(name)) return true
  return peer.allClosed()
}
const WHOLE: ReadonlySet<HostileName> = new Set([
  'answers-first',
  'gzip-bomb',
  'gzip-garbage',
  'status-absurd',
])

describe.concurrent('MCP calls to a hostile peer time out and leave nothing open [U27 A18]', () => {
  it.for(PEERS)('%s', async (name, { expect, onTestFinished }) => {
    const peer = await hostile(name, onTestFinished)
    const tools = mcpTools(onTestFinished)
    const seconds = TIME_MS / 1_000
    for (const transport of ['http', 'sse'] as const) {
      const entry = serverEntry({
        name: 'hostile',
        transport,
        url: `${peer.origin}/mcp`,
        startup_timeout_sec: seconds,
        tool_timeout_sec: seconds,
      })
      const { signal } = new AbortController()
      const calls: Promise<Outcome<unknown, unknown>>[] = [
        tools.list('default', entry),
        tools.probe('default', entry),
        tools.call('default', entry, { tool: 'act', arguments: {}, key: 'k', signal }),
      ]
      for (const call of calls) {
        expect(await settled(call)).toMatchObject({ ok: false })
      }
    }
    expect(await quiet(peer, name)).toBe(true)
  })
})

it('an MCP server that never answers in full gets no stream after the call has ended', async ({
  expect,
  onTestFinished,
}) => {
  const peer = await hostile('events-drip', onTestFinished)
  const tools = mcpTools(onTestFinished)
  const url = `${peer.origin}/mcp`
  const seconds = { startup_timeout_sec: TIME_MS / 1_000, tool_timeout_sec: TIME_MS / 1_000 }
  const entry = serverEntry({ name: 'hostile', transport: 'http', url, ...seconds })
  expect(await tools.list('default', entry)).toMatchObject({ ok: false })
  expect(await peer.allClosed()).toBe(true)
})

describe.concurrent('model calls to a hostile peer time out and leave nothing open [U27]', () => {
  const kinds = ['openai-compatible', 'openai', 'anthropic'] as const
  it.for(PEERS)('%s', async (name, { expect, onTestFinished }) => {
    const peer = await hostile(name, onTestFinished)
    for (const kind of kinds) {
      const provider = { kind, base_url: `${peer.origin}/v1`, key: 'sk-very-secret' }
      const config = {
        providers: { p: provider },
        aliases: {},
        builtin: {},
        default: 'p/m',
        models: {},
      }
      const model = createModel(config, modelFetch(), {
        idleMs: 500,
        totalMs: TIME_MS,
        trailerMs: 500,
      })
      const asked = ask(model, request('hello', { model: 'p/m' }))
      const came = await settled(asked)
      expect(came).toMatchObject({ answer: { ok: false } })
    }
    expect(await quiet(peer, name)).toBe(true)
  })

  it('also when only the caller aborts', async ({ expect, onTestFinished }) => {
    const peer = await hostile('body-drips', onTestFinished)
    const provider = { kind: kinds[0], base_url: `${peer.origin}/v1`, key: 'sk-very-secret' }
    const config = {
      providers: { p: provider },
      aliases: {},
      builtin: {},
      default: 'p/m',
      models: {},
    }
    const model = createModel(config, modelFetch())
    const asked = ask(model, request('hello', { model: 'p/m' }), AbortSignal.timeout(100))
    expect(await settled(asked)).toMatchObject({ answer: { error: { code: 'aborted' } } })
    expect(await peer.allClosed()).toBe(true)
  })
})
