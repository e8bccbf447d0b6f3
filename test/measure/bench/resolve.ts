/**
 * `npm run bench -- resolve`: what a resolve costs over an object store with 20 ms a call and pages of
 * 1,000 keys. Each size runs in a process of its own that has resolved a small layer before, as a
 * worker has that serves. Own time is what is left when the trips are taken away. Bounds: cold ≤ 1 + p trips, warm ≤ p, after one edit
 * ≤ p + 2; at 2,500 skills own time ≤ 60 ms cold, ≤ 20 ms warm, and ≤ 60 MB above idle.
 *
 *   --json   one JSON object     --size N   one size alone, measured in this process
 */

import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { dropCaches, resolveLayers } from '../../../src/engine/layers/resolve.ts'
import { memoryWorld } from '../../../src/hosts/memory/world.ts'
import { systemClock } from '../../../src/hosts/shared/clock.ts'
import { encode } from '../../../src/lib/bytes.ts'
import { sha256 } from '../../../src/lib/digest.ts'
import type { ListedObject, Objects, StoredObject } from '../../../src/ports/world.ts'

const SIZES = [10, 100, 1_000, 2_500]
const CALL_MS = 20
const PAGE = 1_000
const TENANT = 'bench'
const WARM_UP = 200
const RUNS = 5
const CASES = ['cold', 'warm', 'edit', 'cold_indexed', 'warm_again'] as const

interface Figure {
  readonly trips: number
  readonly bound: number
  readonly ms: number
  readonly own_ms: number
}
type Figures = Readonly<Record<(typeof CASES)[number], Figure>> & {
  readonly skills: number
  readonly memory_mb: number
}

/** A bucket that keeps its keys in order, so that the store's own work is next to nothing. */
function slowObjects() {
  const stored = new Map<string, StoredObject>()
  let keys: string[] = []
  let trips = 0
  let open: Promise<void> | undefined
  /** Calls that are made in one turn of the loop travel together. */
  const trip = (): Promise<void> => {
    open ??= new Promise((resolve) => {
      trips += 1
      setImmediate(() => {
        open = undefined
      })
      setTimeout(resolve, CALL_MS)
    })
    return open
  }
  const write = (key: string, body: Uint8Array): { etag: string } => {
    if (!stored.has(key)) {
      const at = keys.findIndex((one) => one > key)
      if (at < 0) keys.push(key)
      else keys = [...keys.slice(0, at), key, ...keys.slice(at)]
    }
    const etag = sha256(body).slice(0, 32)
    stored.set(key, { body, etag })
    return { etag }
  }
  const objects: Objects = {
    async get(key) {
      await trip()
      return stored.get(key) ?? null
    },
    async put(key, body, expect) {
      await sleep(CALL_MS)
      if (expect === 'absent' && stored.has(key)) return 'conflict'
      return write(key, body)
    },
    async delete(key) {
      await sleep(CALL_MS)
      stored.delete(key)
      keys = keys.filter((one) => one !== key)
      return 'ok'
    },
    async list(prefix, cursor) {
      await trip()
      const from = keys.findIndex((key) => key >= prefix && (cursor === undefined || key > cursor))
      const found: ListedObject[] = []
      let at = from < 0 ? keys.length : from
      for (; at < keys.length && keys[at]!.startsWith(prefix); at += 1) {
        if (found.length === PAGE) return { objects: found, cursor: found.at(-1)!.key }
        const { etag, body } = stored.get(keys[at]!)!
        found.push({ key: keys[at]!, etag, size: body.byteLength, modified: 0 })
      }
      return { objects: found }
    },
  }
  return { objects, write, trips: () => trips }
}

/** Nine heads of ten are plain lines, as in real packs; the others have a list and a map. */
function skillText(index: number, word: string): string {
  const rich = index % 10 === 0
  const more = rich
    ? 'allowed-tools: [Read, Grep]\nmetadata:\n  version: "1.2"\n  tags: [a, b]\n'
    : ''
  const head = `name: skill-${index}\ndescription: Use this when the ${word} of part ${index} has to be looked at, explained or mended.\n${more}`
  return `---\n${head}---\n# Skill ${index}\n\n${`Step by step, ${word} ${index}. `.repeat(60)}\n`
}

async function measureSize(skills: number): Promise<Figures> {
  const { objects, write, trips } = slowObjects()
  const file = (index: number, word: string, tenant = TENANT) => {
    const number = String(index).padStart(5, '0')
    write(`${tenant}/files/base/.agents/skills/s${number}/SKILL.md`, encode(skillText(index, word)))
  }
  for (let i = 0; i < WARM_UP; i += 1) file(i, 'warm', 'earlier')
  write(`${TENANT}/files/base/.agents/config.toml`, encode('[mcp_servers.x]\nurl = "https://x"\n'))
  for (let i = 0; i < skills; i += 1) file(i, 'build')
  const web = { check: () => undefined, send: async () => ({ ok: false, error: '' }) as const }
  const clock = { ...memoryWorld().clock, sleep: systemClock.sleep }
  const world = memoryWorld({ objects, web, clock })
  const pages = Math.ceil((skills + 1) / PAGE)
  const resolve = async (bound: number): Promise<Figure> => {
    const before = trips()
    const began = performance.now()
    const resolved = await resolveLayers(world, TENANT, {})
    const ms = performance.now() - began
    if (!resolved.ok || resolved.value.skills.length !== skills) throw new Error('not resolved')
    const made = trips() - before
    const round = (value: number) => Math.round(value * 10) / 10
    return { trips: made, bound, ms: round(ms), own_ms: round(Math.max(0, ms - made * CALL_MS)) }
  }
  await resolveLayers(world, 'earlier', {})
  dropCaches(objects, 'earlier')
  await resolveLayers(world, 'earlier', {})
  await sleep(1_500)
  globalThis.gc?.()
  const idle = process.memoryUsage().rss
  const cold = await resolve(1 + pages)
  // The index is made later, and its trips are nobody's who waits.
  await sleep(1_500)
  const warm = await resolve(pages)
  file(skills >> 1, 'edited')
  const edit = await resolve(pages + 2)
  await sleep(1_500)
  globalThis.gc?.()
  const memory_mb = Math.round((process.memoryUsage().rss - idle) / 1_048_576)
  dropCaches(objects, TENANT)
  // The index knows all files but the edited one.
  const cold_indexed = await resolve(2 + pages)
  const warm_again = await resolve(pages)
  return { skills, cold, warm, edit, cold_indexed, warm_again, memory_mb }
}

/** The quietest of some runs: on a machine that others use, the rest is their time. */
function measured(size: number): Figures {
  const runs = Array.from({ length: RUNS }, () => inChild(size))
  const least = (name: (typeof CASES)[number]) =>
    runs.map((run) => run[name]).sort((left, right) => left.own_ms - right.own_ms)[0]!
  const cases = Object.fromEntries(CASES.map((name) => [name, least(name)]))
  return { ...runs[0]!, ...cases, memory_mb: Math.min(...runs.map(({ memory_mb }) => memory_mb)) }
}

function inChild(size: number): Figures {
  const args = ['--expose-gc', import.meta.filename, '--size', String(size), '--json']
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Figures
}

function print(figures: Figures): void {
  console.log(`${figures.skills} skills, ${figures.memory_mb} MB above idle`)
  for (const name of CASES) {
    const { trips, bound, ms, own_ms } = figures[name]
    const travel = `${trips} trips (bound ${bound})`
    console.log(
      `  ${name.padEnd(13)} ${travel.padEnd(20)} ${ms.toFixed(1).padStart(7)} ms, own ${own_ms}`,
    )
  }
}

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, size: { type: 'string' } },
})
const all =
  values.size === undefined ? SIZES.map(measured) : [await measureSize(Number(values.size))]
if (values.json) console.log(JSON.stringify(values.size === undefined ? all : all[0]))
else all.forEach(print)
