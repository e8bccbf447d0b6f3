/**
 * Every outbound exchange ends within its time, whatever the peer does: the three clients of the
 * Node host (webhooks, MCP, models) before each hostile peer. Each call settles by its own timer
 * and leaves no connection open.
 */

import { describe, it, type onTestFinished } from 'vitest'
import { createMcpTools } from '../../../src/hosts/mcp/mcp.ts'
import { createModel } from '../../../src/hosts/models/model.ts'
import { modelFetch } from '../../../src/hosts/node/model-fetch.ts'
import { pinnedFetch } from '../../../src/hosts/node/outbound.ts'
import { createWeb, guardedFetch } from '../../../src/hosts/outbound/fetch.ts'
import type { Outcome } from '../../../src/lib/outcome.ts'
import { serverEntry } from '../../support/everything.ts'
import {
  HOSTILE,
  HOSTILE_NAMES,
  type HostileName,
  startHostilePeer,
} from '../../support/hostile/index.ts'
import { secretsOf } from '../../support/mcp-port.ts'
import { ask, request } from '../../support/model-port.ts'

/**
 * How long a call may take, and how much later it must have settled: all peers are at work at once,
 * and a busy machine fires timers late. No peer ever ends by itself.
 */
const TIME_MS = 700
const GRACE_MS = 4_000
/** How long a busy machine may take to tell; a connection that stays open stays for good. */
const CLOSED_MS = 5_000

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

/** What it came to, or that it came to nothing in time. */
async function settled<T>(call: Promise<T>, ms: number): Promise<T | 'still under way'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'still under way'>((resolve) => {
    timer = setTimeout(() => resolve('still under way'), ms)
  })
  const came = await Promise.race([call, late])
  clearTimeout(timer)
  return came
}

describe.concurrent('U27 a webhook settles in time and leaves nothing open', () => {
  it.for(HOSTILE_NAMES)('%s', async (name, { expect, onTestFinished }) => {
    const peer = await hostile(name, onTestFinished)
    const policy = { allowLoopback: true }
    const web = createWeb(policy, pinnedFetch(policy))
    const sent = await settled(
      web.send({
        method: 'POST',
        url: `${peer.origin}/hook`,
        headers: {},
        body: '{}',
        timeoutMs: TIME_MS,
        maxBytes: 65_536,
      }),
      TIME_MS + GRACE_MS,
    )
    expect(sent).not.toBe('still under way')
    if (name !== 'answers-first') expect(peer.connections()).toBeGreaterThan(0)
    expect(await quiet(peer, name)).toBe(true)
  })
})

/** Closed; or kept alive by a peer whose answer was whole. */
async function quiet(peer: Awaited<ReturnType<typeof hostile>>, name: HostileName) {
  if (WHOLE.has(name)) return true
  return peer.allClosed(CLOSED_MS)
}
const WHOLE: ReadonlySet<HostileName> = new Set([
  'answers-first',
  'gzip-bomb',
  'gzip-garbage',
  'status-absurd',
])

describe.concurrent('U27 A18 an MCP server is given up in time and nothing is left open', () => {
  it.for(HOSTILE_NAMES)('%s', async (name, { expect, onTestFinished }) => {
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
        expect(await settled(call, TIME_MS + GRACE_MS)).toMatchObject({ ok: false })
      }
    }
    expect(await quiet(peer, name)).toBe(true)
  })
})

describe.concurrent('U27 a model call ends in time and leaves nothing open', () => {
  const kinds = ['openai-compatible', 'openai', 'anthropic'] as const
  it.for(HOSTILE_NAMES)('%s', async (name, { expect, onTestFinished }) => {
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
      const model = createModel(config, modelFetch(), { idleMs: 500, totalMs: TIME_MS })
      const asked = ask(model, request('hello', { model: 'p/m' }))
      const came = await settled(asked, TIME_MS + GRACE_MS)
      expect(came).toMatchObject({ answer: { ok: false } })
    }
    expect(await quiet(peer, name)).toBe(true)
  })

  it('when nobody but the caller gives up, too', async ({ expect, onTestFinished }) => {
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
    expect(await settled(asked, 2_000)).toMatchObject({ answer: { error: { code: 'aborted' } } })
    expect(await peer.allClosed(CLOSED_MS)).toBe(true)
  })
})
