/**
 * `npm run bench -- lists [folder] [--runs N] [--json]`: lists of a tenant with 100,000 runs. The
 * runs are written to the store as the engine writes them when they have ended; lists are asked
 * for over HTTP, from the real server on that folder. Milliseconds of a request: the median and
 * the slowest of 20, and how many runs the first page held. Also what the tags cost: the same
 * commits without them.
 */

import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { wantedTags } from '../../../src/core/run/views/tags.ts'
import { runPartition, runsList } from '../../../src/engine/partition/keys.ts'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'
import { random } from '../../../src/lib/id.ts'
import { taggedAs } from '../../../src/lib/tags.ts'
import { iso } from '../../../src/lib/time.ts'
import type { Store } from '../../../src/ports/world.ts'
import { startBenchModel, startBenchServer } from './processes.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '100000' },
    json: { type: 'boolean', default: false },
  },
})
const RUNS = Number(values.runs)
const TENANT = 'default'
const BATCH = 500
const BEGAN = Date.parse('2026-01-01T00:00:00Z')
const STEP_MS = 20_000

const pick = <T>(of: readonly T[], index: number): T => of[index % of.length]!
const AGENTS = ['general', 'explore', 'plan', 'reviewer', 'writer']
const MARKS = { completed: 'c', failed: 'f', cancelled: 'x', timed_out: 't' } as const

/** A run that has ended, as its head shows it. */
function ended(index: number) {
  const id = random('run', crypto.getRandomValues(new Uint8Array(17)))
  const created = BEGAN + index * STEP_MS
  const status = index % 50 === 0 ? 'failed' : index % 97 === 0 ? 'cancelled' : 'completed'
  const session_id = `ses_${id.slice('run_'.length)}`
  const metadata = { customer: `c${index % 1_000}`, order: `o${index}` }
  const named = { kind: 'main', agent: pick(AGENTS, index), session_id, metadata }
  const label = index % 10 === 0 ? 'nightly' : null
  const words = wantedTags({ ...named, label: label ?? undefined, own_session: true }).words
  const view = {
    id,
    object: 'run',
    ...named,
    status,
    waiting_on: null,
    stop_reason: 'end_turn',
    model: 'openai/gpt-test',
    input: `Task ${index}: ${'look at what the customer has sent us. '.repeat(4)}`,
    label,
    role: null,
    repo_dir: null,
    parent_run_id: null,
    root_run_id: id,
    requester_session_id: null,
    depth: 0,
    lane: 'main',
    config_digest: '0'.repeat(64),
    created_at: iso(created),
    started_at: iso(created + 5),
    ended_at: iso(created + 1_500),
    output: { text: 'done '.repeat(40), structured: null, attachments: [] },
    error: null,
    steps: 1,
    usage: { input_tokens: 900, output_tokens: 80, model_calls: 1 },
    cost: null,
    children: { total: 0, live: 0, completed: 0, failed: 0, cancelled: 0, timed_out: 0 },
  }
  const at = `${iso(created)} ${id}`
  const listed = { under: runsList(TENANT), at, tags: taggedAs(MARKS[status], words) }
  const head = { format: 1, seq: 4, at: created, commit: id, epoch: 0, lease: null }
  const outbox = { parent: false, session: false, webhook: [], cancel: [] }
  const body = { ...head, outbox, wake_at: null, redeliveries: 0, listed, view }
  return { id, listed, body: JSON.stringify(body) }
}

/** Milliseconds for each run. */
async function fill(store: Store, tagged: boolean, first: number, end: number): Promise<number> {
  const began = performance.now()
  for (let from = first; from < end; from += BATCH) {
    await Promise.all(
      Array.from({ length: Math.min(BATCH, end - from) }, (_, offset) => {
        const { id, listed, body } = ended(from + offset)
        const { tags: _tags, ...bare } = listed
        const head = { expect: null, body, listed: tagged ? listed : bare }
        return store.commit(runPartition(TENANT, id), [], head)
      }),
    )
  }
  return (performance.now() - began) / (end - first)
}

const at = (share: number): string => iso(BEGAN + Math.floor(RUNS * share) * STEP_MS)

/** What is asked for, and how many of the runs fit. */
const LISTS: Readonly<Record<string, string>> = {
  'all, newest first': '/v1/runs?',
  'all, oldest first': '/v1/runs?order=asc',
  'status=completed (97 %)': '/v1/runs?status=completed',
  'status=failed (2 %)': '/v1/runs?status=failed',
  'status=running (none)': '/v1/runs?status=running',
  'agent=plan (20 %)': '/v1/runs?agent=plan',
  'label=nightly, failed (2 %)': '/v1/runs?label=nightly&status=failed',
  'metadata.customer (100)': '/v1/runs?metadata.customer=c77',
  'metadata.order (1, the oldest)': '/v1/runs?metadata.order=o0',
  'metadata.order (none)': '/v1/runs?metadata.order=none',
  'a day in the middle': `/v1/runs?created[gte]=${at(0.5)}&created[lt]=${at(0.55)}&status=failed`,
  'sessions, newest first': '/v1/sessions?',
}

async function main(): Promise<void> {
  const dir = await mkdtemp(join(positionals[0] ?? '.', '.bench-'))
  const model = await startBenchModel(0)
  try {
    const bare = await openSqlite(join(dir, 'bare.db'))
    const sample = Math.min(RUNS, 20_000)
    const without = await fill(bare, false, 0, sample)
    await bare.close()
    const data = resolve(dir, 'data')
    await mkdir(data)
    // The server finds a store that is not new, so its key has to lie there too.
    await writeFile(join(data, 'master.key'), randomBytes(32).toString('hex'), { mode: 0o600 })
    const store = await openSqlite(join(data, 'strata.db'))
    const first = await fill(store, true, 0, sample)
    await fill(store, true, sample, RUNS)
    await store.close()
    const server = await startBenchServer(data, model.url)
    const figures: Record<string, object> = {}
    for (const [name, path] of Object.entries(LISTS)) figures[name] = await asked(server, path)
    server.stop()
    report({ written_us: { without: without * 1_000, with_tags: first * 1_000 }, ...figures })
  } finally {
    model.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

async function asked(server: Awaited<ReturnType<typeof startBenchServer>>, path: string) {
  const times: number[] = []
  let found = { data: [] as unknown[], has_more: false }
  for (let round = 0; round < 20; round += 1) {
    const began = performance.now()
    found = (await (await server.api.call('GET', `${path}&limit=20`)).json()) as typeof found
    times.push(performance.now() - began)
  }
  times.sort((left, right) => left - right)
  const [median, slowest] = [times[10]!, times.at(-1)!]
  return { median, slowest, found: found.data.length, has_more: found.has_more }
}

const round = (value: number): number => Math.round(value * 100) / 100

function report(figures: Readonly<Record<string, object>>): void {
  const text = (_: string, value: unknown) => (typeof value === 'number' ? round(value) : value)
  if (values.json) return void process.stdout.write(`${JSON.stringify(figures, text)}\n`)
  for (const [name, figure] of Object.entries(figures)) {
    process.stdout.write(`${name.padEnd(34)} ${JSON.stringify(figure, text)}\n`)
  }
}

await main()
