/**
 * A run with 20 subagents on a server that tests kill: what happens outside of it (the model, the
 * MCP server and the webhook receiver outlive the server and keep ledgers), what a client sees of
 * its commits, and what must hold at its end.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Event } from '../../src/core/run/views/event.ts'
import { startCannedMcp } from './canned-mcp.ts'
import { startCannedServer } from './canned-server.ts'
import { cleanup } from './cleanup.ts'
import { startModelServer } from './model-server.ts'
import { until } from './patience.ts'
import { eventPages, type Server, startServer, untilEnd } from './server.ts'
import { follow } from './sse.ts'

export const CHILDREN = 20
const THINK_MS = 40
const EFFECT_MS = 30
const TERMINAL = /^run\.(completed|failed|cancelled|timed_out)$/

/** Services outside of the server, with ledgers of what happened, whatever the server believes. */
export interface Outside {
  readonly env: Readonly<Record<string, string>>
  readonly request: (name: string) => object
  /** The number of times that the effect of this name was performed. */
  effects(name: string): number
  /** Leaves effects of these names without an answer, until `answerAll`. */
  hold(isHeld: (name: string) => boolean): void
  /** The number of effects that were left without an answer. */
  unanswered(): number
  /** Answers every effect from now on; returns the number of those left without an answer. */
  answerAll(): number
  /** `webhook-id`s by the id of the event that they carried. */
  readonly delivered: ReadonlyMap<string, ReadonlySet<string>>
}

export async function startOutside(): Promise<Outside> {
  let isHeld = (_: string): boolean => false
  let unanswered = 0
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
      if (isHeld(entry)) {
        unanswered += 1
        return true
      }
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
    hold(names) {
      isHeld = names
    },
    unanswered: () => unanswered,
    answerAll() {
      isHeld = () => false
      return unanswered
    },
    delivered,
  }
}

/** The commits of a run and all its children, as a client can see them. */
interface Watched {
  commits(): number
  /** Children spawned and not yet ended. */
  live(): number
  readonly ended: Promise<void>
}

/** Follows a run and its children; `onEvent` gets each event and the number of commits so far. */
export function watchTree(
  server: Server,
  run: string,
  onEvent: (event: Event, commits: number) => void,
): Watched {
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
    commits.add(`${event.run_id} ${event.created_at}`)
    onEvent(event, commits.size)
  }
  const ended = follow(server, run, hear)
  return { commits: () => commits.size, live: () => live.size, ended }
}

/** Checks everything that must hold at the end of a run; returns the number of unknown effects. */
export async function proveWhole(
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
  await until('all webhooks', () => owed.every((event) => world.delivered.has(event.id)))
  const ids = owed.flatMap((event) => [...(world.delivered.get(event.id) ?? [])])
  expect(new Set(ids).size, 'one webhook-id an event, however often it came').toBe(owed.length)
  expect(ids).toHaveLength(owed.length)
  return outcomes.filter(Boolean).length
}

/** Starts a server whose layer has the ledger as an MCP server. */
export async function startLedgerServer(world: Outside): Promise<Server> {
  const server = await startServer({ env: world.env })
  const toml = `[mcp_servers.ledger]\nurl = "${world.env.MCP_URL}"\n`
  await server.ask('/v1/files/base/.agents/config.toml', { method: 'PUT', body: toml })
  return server
}
