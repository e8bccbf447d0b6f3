/**
 * `npm run bench -- memory`: search in a memory of 10,000 passages, on the real Node server and in the
 * bundled Worker (workerd), beside SQLite FTS5 on the same passages. Cold: the first search of a
 * process that finds the index in its bucket. Warm: the median of 200 different queries. `engine`
 * is the search without HTTP; over HTTP each has the median of `GET /healthz` beside it. Ends with
 * code 1 when the engine's warm median, by the time of the processor, as others may be at work, or
 * its bytes are above three times those of FTS5.
 *
 *   --passages N   (10000)     --only node|workers|engine     --json   one JSON object
 */

import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startNode } from '../../../examples/demo/process.ts'
import { passagesOf } from '../../../src/core/memory/passages.ts'
import { searchMemory } from '../../../src/engine/memory/search.ts'
import { memoryWorld } from '../../../src/hosts/memory/world.ts'
import { openFiles } from '../../../src/hosts/node/files.ts'
import { encode } from '../../../src/lib/bytes.ts'
import { chance } from '../../support/chance.ts'

const { values } = parseArgs({
  options: {
    passages: { type: 'string', default: '10000' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PASSAGES = Number(values.passages)
const IN_FILE = 40
const WORDS = 80
const QUERIES = 200
const COMPILED = 50
const RATIO = 3

const random = chance(17)
const pick = (of: readonly string[]): string => of[Math.floor(random() ** 3 * of.length)]!
const VOCABULARY = Array.from({ length: 12_000 }, () => {
  const letters = Array.from({ length: 3 + Math.floor(random() * 7) }, () =>
    pick([...'etaoinshrdlucmfwypvbgkqjxz']),
  )
  return letters.join('')
})
const words = (count: number): string =>
  Array.from({ length: count }, () => pick(VOCABULARY)).join(' ')

/** Notes of so many days; each passage is a list item with a blank line behind it. */
const FILES: readonly (readonly [path: string, text: string])[] = Array.from(
  { length: Math.ceil(PASSAGES / IN_FILE) },
  (_, day) => {
    const date = new Date(Date.UTC(2026, 0, 1) + day * 86_400_000).toISOString().slice(0, 10)
    const items = Array.from({ length: IN_FILE }, () => `- ${words(WORDS)}`)
    return [`shared/${date}.md`, `# ${date}\n\n${items.join('\n\n')}\n`] as const
  },
)
const queries = Array.from({ length: QUERIES }, () => words(3))

const at = (sorted: readonly number[], part: number): number =>
  Number((sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(2))

async function timed(act: (query: string) => unknown) {
  const times: number[] = []
  const cpu: number[] = []
  for (const query of queries) {
    const used = process.cpuUsage()
    const began = performance.now()
    await act(query)
    times.push(performance.now() - began)
    const { user, system } = process.cpuUsage(used)
    cpu.push((user + system) / 1_000)
  }
  for (const list of [times, cpu]) list.sort((a, b) => a - b)
  return { p50_ms: at(times, 0.5), p95_ms: at(times, 0.95), cpu_p50_ms: at(cpu, 0.5) }
}

async function once(act: () => unknown): Promise<number> {
  const began = performance.now()
  await act()
  return Number((performance.now() - began).toFixed(1))
}

async function sqlite(folder: string) {
  const path = join(folder, 'fts.db')
  const made = new DatabaseSync(path)
  made.exec('create virtual table notes using fts5(path unindexed, heading, text)')
  const insert = made.prepare('insert into notes values (?, ?, ?)')
  let count = 0
  made.exec('begin')
  for (const [file, text] of FILES) {
    for (const passage of passagesOf(text)) {
      insert.run(file, passage.heading, passage.text)
      count += 1
    }
  }
  made.exec('commit')
  made.exec("insert into notes(notes) values ('optimize')")
  made.close()
  let database: DatabaseSync | undefined
  const cold_ms = await once(() => {
    database = new DatabaseSync(path)
    search(database, queries[0]!)
  })
  const warm = await timed((query) => search(database!, query))
  database!.close()
  return { passages: count, index_bytes: (await stat(path)).size, cold_ms, ...warm }
}

/** Any of the words or their beginnings, the best first: as our own search takes a query. */
const search = (database: DatabaseSync, query: string) =>
  database
    .prepare('select path, text, rank from notes where notes match ? order by rank limit 8')
    .all(
      query
        .split(' ')
        .map((word) => `"${word}"*`)
        .join(' OR '),
    )

async function engine(folder: string) {
  const tenant = 'default'
  const fresh = async () => ({
    world: memoryWorld({ objects: openFiles(join(folder, 'objects')) }),
    tenant,
  })
  const first = await fresh()
  for (const [path, text] of FILES) {
    await first.world.objects.put(`${tenant}/files/memory/${path}`, encode(text), 'any')
  }
  const ask = (space: typeof first, query: string) =>
    searchMemory(space, ['shared/'], { query, limit: 8 })
  let stale = true
  const build_ms = await once(async () => {
    while (stale) ({ stale } = await ask(first, queries[0]!))
  })
  const { objects } = await first.world.objects.list(`${tenant}/index/memory/`)
  const index_bytes = objects.reduce((sum, { size }) => sum + size, 0)
  const space = await fresh()
  const cold_ms = await once(() => ask(space, queries[0]!))
  return { build_ms, index_bytes, cold_ms, ...(await timed((query) => ask(space, query))) }
}

/** A server on a folder: filled, then started anew. */
async function server(args: readonly string[], env: Readonly<Record<string, string>>) {
  const begin = async () => {
    const started = startNode(args, { cwd: ROOT, env })
    const [, url = ''] = await started.line(/listens on (\S+)/)
    return { started, url }
  }
  let { started, url } = await begin()
  const [, key = ''] = await started.line(/shown only once[^:]*: (\S+)/)
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}${path}`, { ...init, headers })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Record<string, unknown>
  }
  const find = (query: string) => ask(`/v1/memory/search?query=${encodeURIComponent(query)}`)
  for (const [path, content] of FILES) {
    await ask(`/v1/memory/${path}`, { method: 'PUT', body: JSON.stringify({ content }) })
  }
  const build_ms = await once(async () => {
    while ((await find(queries[0]!)).stale);
  })
  const status = await ask('/v1/memory/status')
  await started.stop()
  ;({ started, url } = await begin())
  await ask('/healthz')
  const cold_ms = await once(() => find(queries[0]!))
  // Code is compiled; the server's own warm-up, which goes on beside requests, is off.
  for (const query of queries.slice(0, COMPILED)) await find(query)
  const warm = await timed(find)
  const { p50_ms: empty_ms } = await timed(() => ask('/healthz'))
  await started.stop()
  const { passages, index_bytes } = status
  const { p50_ms, p95_ms } = warm
  const times = { build_ms, cold_ms, p50_ms, p95_ms, healthz_p50_ms: empty_ms }
  return { passages, index_bytes, ...times }
}

const folder = await mkdtemp(join(tmpdir(), 'strata-bench-memory-'))
try {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  }
  const found: Record<string, Record<string, unknown>> = {}
  const fts = await sqlite(folder)
  found['SQLite FTS5'] = fts
  const own = await engine(folder)
  found.engine = own
  if (values.only === undefined || values.only === 'node') {
    const node = {
      ...env,
      PORT: '0',
      DATA_DIR: join(folder, 'node'),
      STRATA_MODEL: 'openai/none',
      WARM_UP: 'false',
    }
    found['Node server'] = await server(['src/cli/main.ts', 'serve'], node)
  }
  if (values.only === undefined || values.only === 'workers') {
    const args = ['infra/dev-cloudflare.ts', '--port', '0', '--data', join(folder, 'workers')]
    found.workerd = await server(args, { ...env, STRATA_MODEL: 'openai/none' })
  }
  const bytes = FILES.reduce((sum, [, text]) => sum + text.length, 0)
  const ratios = {
    p50: Number((own.cpu_p50_ms / fts.cpu_p50_ms).toFixed(2)),
    bytes: Number((own.index_bytes / fts.index_bytes).toFixed(2)),
  }
  if (values.json) console.log(JSON.stringify({ files: FILES.length, bytes, ...found, ratios }))
  else {
    console.log(`${FILES.length} files, ${bytes} bytes, ${fts.passages} passages`)
    console.table(found)
    console.log(
      `engine beside FTS5: ${ratios.p50} of its warm median, ${ratios.bytes} of its bytes`,
    )
  }
  if (ratios.p50 > RATIO || ratios.bytes > RATIO) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
