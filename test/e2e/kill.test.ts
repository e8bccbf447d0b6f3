/**
 * SIGKILL of the real server in the middle of a run with 20 subagents, again and again, each time
 * after another commit: the first ones, the last ones and all between. The model, the MCP server
 * and the webhook receiver outlive it and keep ledgers of what really happened.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Event } from '../../src/core/run/event.ts'
import { startCannedMcp } from '../support/canned-mcp.ts'
import { startCannedServer } from '../support/canned-server.ts'
import { chance } from '../support/chance.ts'
import { cleanup } from '../support/cleanup.ts'
import { startModelServer } from '../support/model-server.ts'
import type { Server } from '../support/server.ts'
import { createRun, eventPages, startServer, untilEnd } from '../support/server.ts'
import { follow } from '../support/sse.ts'

const KILLS = 20
/** So many of them must come while several children live; where chance denies it, more are tried. */
const HITS = 15
const MOST_KILLS = 60
const CHILDREN = 20
const THINK_MS = 40
const EFFECT_MS = 30
const TERMINAL = /^run\.(completed|failed|cancelled|timed_out)$/

/** What the world outside saw, whatever the server believes. */
interface Outside {
  readonly env: Readonly<Record<string, string>>
  readonly request: (name: string) => object
  /** How often the effect of this name was performed. */
  effects(name: string): number
  /** `webhook-id`s by the id of the event that they carried. */
  readonly delivered: ReadonlyMap<string, ReadonlySet<string>>
}

async function outside(): Promise<Outside> {
  const transaction = new Map<string, number>()
  const delivered = new Map<string, Set<string>>()
  const model = await startModelServer({ thinkMs: THINK_MS })
  cleanup.push(model.close)
  const append = {
    name: 'append',
    description: 'Appends an entry; twice is twice.',
    inputSchema: { type: 'object', properties: { entry: { type: 'string' } } },
    annotations: { readOnlyHint: false, idempotentHint: false },
  }
  const mcp = await startCannedMcp({
    tools: [append],
    onCall(message, response) {
      const { entry } = (message.params as { arguments: { entry: string } }).arguments
      transaction.set(entry, (transaction.get(entry) ?? 0) + 1)
      const result = { content: [{ type: 'text', text: `appended ${entry}` }] }
      void sleep(EFFECT_MS).then(() => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
      })
      return true
    },
  })
  cleanup.push(mcp.close)
  const receiver = await startCannedServer((request, response) => {
    const event = (JSON.parse(request.body) as { data: Event }).data
    const ids = delivered.get(event.id) ?? new Set()
    delivered.set(event.id, ids.add(String(request.headers['webhook-id'])))
    response.writeHead(204).end()
  })
  cleanup.push(receiver.close)
  const request = (name: string) => {
    const task = `@call mcp__ledger__append {"entry":"${name}.{i}"}\n@say part {i}`
    return {
      input: `@spawn ${CHILDREN} ${JSON.stringify({ task, label: 'part {i}' })}\n@await\n@say saw {results}`,
      webhook: { url: `${receiver.origin}/hook`, events: ['subagent.announced', 'run.completed'] },
    }
  }
  return {
    env: { OPENAI_BASE_URL: model.url, MCP_URL: mcp.url },
    request,
    effects: (name) => transaction.get(name) ?? 0,
    delivered,
  }
}

/** Counts the commits of a run and all its children as a client can see them. */
interface Watched {
  commits(): number
  /** Children spawned and not yet ended. */
  live(): number
  readonly ended: Promise<void>
}

function watchTree(server: Server, run: string, onCommit: (count: number) => void): Watched {
  const commits = new Set<string>()
  const live = new Set<string>()
  const hear = (event: Event): void => {
    if (event.type === 'subagent.spawned') {
      const child = String(event.data.run_id)
      live.add(child)
      void follow(server, child, hear)
    }
    if (event.run_id !== run && TERMINAL.test(event.type)) live.delete(event.run_id)
    // All facts of one commit bear one time.
    const before = commits.size
    commits.add(`${event.run_id} ${event.created_at}`)
    if (commits.size > before) onCommit(commits.size)
  }
  const ended = follow(server, run, hear)
  return { commits: () => commits.size, live: () => live.size, ended }
}

/** Checks everything that must hold of a run at its end; how many of its effects are `unknown`. */
async function proveWhole(
  server: Server,
  id: string,
  name: string,
  world: Outside,
): Promise<number> {
  const run = await untilEnd(server, id)
  expect(run).toMatchObject({ status: 'completed', output: { text: `saw ${CHILDREN}` } })
  expect(run.children).toMatchObject({ total: CHILDREN, completed: CHILDREN })

  const log = await eventPages(server, id)
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1))
  const spawned = log.filter(({ type }) => type === 'subagent.spawned')
  const children = spawned.map(({ data }) => String(data.run_id)).sort()
  expect(new Set(children).size).toBe(CHILDREN)
  const announced = log.filter(({ type }) => type === 'subagent.announced')
  const names = announced.map(({ data }) => (data.announce as { run_id: string }).run_id).sort()
  expect(names).toEqual(children)

  const transcript = await server.get<{ data: { role: string; text?: string }[] }>(
    `/v1/runs/${id}/transcript`,
  )
  const told = transcript.data
    .filter(({ role }) => role === 'user')
    .flatMap(({ text = '' }) => [...text.matchAll(/"run_id":"(run_\w+)"/g)].map(([, one]) => one))
  expect(told.sort()).toEqual(children)

  const outcomes = await Promise.all(
    spawned.map(async ({ data }) => {
      const entry = `${name}.${String(data.label).slice('part '.length)}`
      const events = await eventPages(server, String(data.run_id))
      const results = events.filter(({ type }) => type === 'tool.result')
      expect(results, `results of ${entry}`).toHaveLength(1)
      const unknown = results[0]?.data.status === 'unknown'
      // What is known to have happened has happened once; the rest was not tried again.
      const least = unknown ? 0 : 1
      expect(world.effects(entry), `effect ${entry}`).toBeGreaterThanOrEqual(least)
      expect(world.effects(entry), `effect ${entry}`).toBeLessThanOrEqual(1)
      return unknown
    }),
  )

  const owed = [...announced, ...log.filter(({ type }) => type === 'run.completed')]
  const missing = () => owed.filter((event) => !world.delivered.has(event.id)).length
  for (let waited = 0; missing() > 0 && waited < 90_000; waited += 50) await sleep(50)
  expect(missing(), 'webhooks that never came').toBe(0)
  const ids = owed.flatMap((event) => [...(world.delivered.get(event.id) ?? [])])
  expect(new Set(ids).size, 'one webhook-id an event, however often it came').toBe(owed.length)
  expect(ids).toHaveLength(owed.length)
  return outcomes.filter(Boolean).length
}

const CONFIG = 'base/.agents/config.toml'

describe('a server that is killed', () => {
  it('X-01, X-02 finishes every run after its restart: each child told once, no effect twice', async () => {
    const seed = Number(process.env.KILL_SEED ?? Math.floor(Math.random() * 2 ** 31))
    const random = chance(seed)
    const world = await outside()
    let server = await startServer({ env: world.env })
    const toml = `[mcp_servers.ledger]\nurl = "${world.env.MCP_URL}"\n`
    await server.ask(`/v1/files/${CONFIG}`, { method: 'PUT', body: toml })

    const calm = await createRun(server, world.request('calm'))
    const whole = watchTree(server, calm.id, () => undefined)
    expect(await proveWhole(server, calm.id, 'calm', world)).toBe(0)
    await whole.ended
    const commits = whole.commits()

    let unknown = 0
    const kills: { k: number; live: number }[] = []
    const hits = () => kills.filter(({ live }) => live >= 3).length
    const enough = () => hits() >= HITS && unknown > 0
    for (let kill = 0; kill < KILLS || (!enough() && kill < MOST_KILLS); kill += 1) {
      // First over the whole run, then anywhere: what a kill hits is the machine's to say.
      const place = kill < KILLS ? (kill + random()) / KILLS : random()
      const k = 1 + Math.floor(place * (commits - 1))
      const name = `kill-${kill}`
      const { id } = await createRun(server, world.request(name))
      const dying = server
      const reached = Promise.withResolvers<void>()
      const subscribed = watchTree(dying, id, (count) => {
        if (count >= k) reached.resolve()
      })
      await Promise.race([reached.promise, subscribed.ended])
      kills.push({ k, live: subscribed.live() })
      await dying.process.stop('SIGKILL')
      server = await startServer({ before: dying, env: world.env })
      // Every fourth time the successor dies too, while it is picking up the pieces.
      if (kill % 4 === 3) {
        await sleep(300 * random())
        await server.process.stop('SIGKILL')
        server = await startServer({ before: dying, env: world.env })
      }
      unknown += await proveWhole(server, id, name, world)
    }

    const shown = kills.map(({ k, live }) => `${k}:${live}`).join(' ')
    console.log(`seed ${seed}, ${commits} commits; killed after commit:live children ${shown}`)
    console.log(`${unknown} effects have an unknown outcome`)
    expect(unknown, 'no kill came while an effect was under way').toBeGreaterThan(0)
    expect(hits()).toBeGreaterThanOrEqual(HITS)
  }, 900_000)
})
