/**
 * The Worker of `npm run bench -- cost`: the deployed one, between bindings that count what the platform
 * bills, as the platform itself says it: `rowsRead` and `rowsWritten` of an object's SQLite, `meta`
 * of D1. Its clock can be put forward, so that a retention of 30 days ends at once. Below
 * `/cost/` it answers for itself; those requests are not counted.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import type {
  D1,
  D1Statement,
  Namespace,
  ObjectState,
  R2,
} from '../../../../src/hosts/cloudflare/bindings/bindings.ts'
import type { WorkerEnv } from '../../../../src/hosts/cloudflare/compose.ts'
import worker, {
  LaneObject as RealLane,
  PartitionObject as RealPartition,
} from '../../../../src/hosts/worker.ts'
import type { Wake } from '../../../../src/ports/world.ts'
import type { Counted, Place } from './bill.ts'

// ── What is counted ──

let places: Record<string, Place> = {}
const count = (place: string, what: string, by = 1): void => {
  places[place] ??= {}
  places[place][what] = (places[place][what] ?? 0) + by
}

/** What is known of an object: its name, and since when it is at work, or idle. */
interface Known {
  readonly place: string
  /** Calls and promises that it works on. */
  active: number
  since: number
  /** Its timers, and when they ring. */
  readonly timers: Map<unknown, number>
  /** By the Worker's clock; null: none is set. */
  alarm: number | null
  bytes: number
  /** Of these, bytes that only the emulator needs. */
  emulators: number
}
const objects = new Map<string, Known>()
const names = new Map<string, string>()
const current = new AsyncLocalStorage<Known>()
const r2Sizes = new Map<string, number>()

// ── Time ──

const realNow = Date.now.bind(Date)
let skipped = 0
Date.now = () => realNow() + skipped

/** Something that the object works on, until the function that it returns is called. */
function begin(known: Known): () => void {
  if (known.active === 0) {
    count(known.place, 'held ms', heldMs(known))
    known.since = realNow()
  }
  known.active += 1
  let over = false
  return () => {
    if (over) return
    over = true
    known.active -= 1
    if (known.active > 0) return
    count(known.place, 'ms', realNow() - known.since)
    known.since = realNow()
  }
}

/**
 * An object that waits for a timer cannot hibernate and, from compatibility date 2026-10-01 on, is
 * not evicted either: it is billed until the timer has rung
 * (developers.cloudflare.com/changelog/post/2026-10-01-pending-io-keep-alive). No event is longer
 * than a quarter of an hour.
 */
const HELD_MS = 900_000

/** How long an idle object has been, or will be, held by its timers. */
function heldMs({ timers, active, since }: Known, until = realNow()): number {
  const last = Math.max(0, ...timers.values())
  return active > 0 ? 0 : Math.min(HELD_MS, Math.max(0, Math.min(last, until) - since))
}

const { setTimeout: realSet, clearTimeout: realClear } = globalThis
const owners = new Map<unknown, Known>()
const forget = (timer: unknown): void => {
  owners.get(timer)?.timers.delete(timer)
  owners.delete(timer)
}
Object.assign(globalThis, {
  setTimeout: (act: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const known = current.getStore()
    const timer = realSet(() => {
      forget(timer)
      act(...args)
    }, ms)
    if (known) owners.set(timer, known)
    known?.timers.set(timer, realNow() + ms)
    return timer
  },
  clearTimeout: (timer: Parameters<typeof realClear>[0]) => {
    forget(timer)
    realClear(timer)
  },
})

// ── Bindings ──

interface Meta {
  readonly meta?: Readonly<Record<'rows_read' | 'rows_written' | 'duration', number>>
}

/** A statement, and the place that its rows are counted for. */
interface Query {
  readonly place: string
  readonly sql: string
}

/** Rows of API keys, which each process reads again when its cached copy expires. */
const API_KEYS = /^\["_\/key\/[^"]*"\]$/

/** Returns the place of a query: reads of API keys depend on time, not on what runs do. */
const placeOf = (values: readonly unknown[]): string =>
  API_KEYS.test(String(values[0])) ? 'd1 api keys' : 'd1'

function countedD1(db: D1): D1 {
  const bill = ({ place, sql }: Query, { meta }: Meta): void => {
    count(place, 'queries')
    count(place, sql)
    count(place, 'rows read', meta?.rows_read ?? 0)
    count(place, 'rows written', meta?.rows_written ?? 0)
    count(place, 'ms', meta?.duration ?? 0)
  }
  const originals = new WeakMap<D1Statement, readonly [D1Statement, Query]>()
  const counted = (statement: D1Statement, query: Query): D1Statement => {
    const made: D1Statement = {
      bind: (...values) => counted(statement.bind(...values), { ...query, place: placeOf(values) }),
      async all() {
        const answer = await statement.all()
        count(query.place, 'trips')
        bill(query, answer as Meta)
        return answer
      },
    }
    originals.set(made, [statement, query])
    return made
  }
  return {
    prepare(sql) {
      const name = `sql ${sql.replace(/\s+/g, ' ').slice(0, 48)}`
      return counted(db.prepare(sql), { place: 'd1', sql: name })
    },
    async batch(statements) {
      const all = statements.map((one) => originals.get(one)!)
      const answers = (await db.batch(all.map(([statement]) => statement))) as Meta[]
      const isOfKeys = all.every(([, { place }]) => place !== 'd1')
      count(isOfKeys ? 'd1 api keys' : 'd1', 'trips')
      for (const [i, answer] of answers.entries()) bill(all[i]![1], answer)
      return answers
    },
  }
}

/** The first two parts of a key: what many runs have in common. */
const folder = (key: string): string => `r2 ${key.split('/').slice(0, 2).join('/')}`

const countedR2 = (bucket: R2): R2 => ({
  get(key) {
    count(folder(key), 'class B')
    return bucket.get(key)
  },
  head(key) {
    count(folder(key), 'class B')
    return bucket.head(key)
  },
  async put(key, body, options) {
    count(folder(key), 'class A')
    const stored = await bucket.put(key, body, options)
    if (stored) r2Sizes.set(key, body.byteLength)
    return stored
  },
  delete(key) {
    count(folder(key), 'free')
    r2Sizes.delete(key)
    return bucket.delete(key)
  },
  list(options) {
    count(folder(options.prefix), 'class A')
    return bucket.list(options)
  },
})

interface Ids {
  idFromName(name: string): { toString(): string }
}

const noted = <T>(kind: string, objects: Namespace<T>): Namespace<T> => ({
  getByName(name) {
    names.set(String((objects as unknown as Ids).idFromName(name)), `${kind} ${name}`)
    return objects.getByName(name)
  },
})

const counted = (env: WorkerEnv): WorkerEnv => ({
  ...env,
  DB: countedD1(env.DB),
  BUCKET: countedR2(env.BUCKET),
  PARTITIONS: noted('object', env.PARTITIONS),
  LANES: noted('lane', env.LANES),
})

// ── Objects ──

interface Cursor {
  toArray(): readonly Readonly<Record<string, unknown>>[]
  readonly rowsRead: number
  readonly rowsWritten: number
}
interface RealStorage {
  readonly sql: { exec(sql: string, ...params: unknown[]): Cursor; readonly databaseSize: number }
  setAlarm(at: number): Promise<void>
  getAlarm(): Promise<number | null>
}

/** The emulator keeps an object's name in a table of its own, which is one page. */
const EMULATORS = '__miniflare'
const PAGE = 4_096

/** Puts counting storage in place of the object's own, before the object is made. */
function watched(ctx: ObjectState): ObjectState {
  const id = String((ctx as unknown as { id: unknown }).id)
  const real = ctx.storage as unknown as RealStorage & ObjectState['storage']
  const place = names.get(id) ?? 'object unknown'
  const known: Known = objects.get(id) ?? {
    place,
    active: 0,
    since: realNow(),
    timers: new Map(),
    alarm: null,
    bytes: 0,
    emulators: 0,
  }
  objects.set(id, known)
  const ran = (cursor: Cursor, sql: string): void => {
    if (sql.includes(EMULATORS)) {
      known.emulators = PAGE
      return
    }
    count(place, 'rows read', cursor.rowsRead)
    count(place, 'rows written', cursor.rowsWritten)
    if (sql.startsWith('CREATE')) count(place, 'rows written for tables', cursor.rowsWritten)
    known.bytes = Math.max(0, real.sql.databaseSize - known.emulators)
  }
  const storage: ObjectState['storage'] = {
    sql: {
      exec(sql, ...params) {
        const cursor = real.sql.exec(sql, ...params)
        const rows = cursor.toArray()
        ran(cursor, sql)
        return { toArray: () => rows }
      },
    },
    transactionSync: (act) => real.transactionSync(act),
    setAlarm(at) {
      count(place, 'alarms set')
      known.alarm = at
      return real.setAlarm(Math.max(at - skipped, realNow()))
    },
    getAlarm: () => real.getAlarm(),
    deleteAlarm() {
      count(place, 'alarms deleted')
      known.alarm = null
      return real.deleteAlarm()
    },
    async deleteAll() {
      count(place, 'emptied')
      known.alarm = null
      await real.deleteAll()
      known.bytes = 0
    },
  }
  const until = ctx.waitUntil.bind(ctx)
  rousing.set(ctx, () => real.setAlarm(realNow()))
  Object.defineProperty(ctx, 'storage', { value: storage })
  Object.defineProperty(ctx, 'waitUntil', {
    value(promise: Promise<unknown>) {
      const end = begin(known)
      until(promise.finally(end))
    },
  })
  return ctx
}

const knownOf = (ctx: ObjectState): Known =>
  objects.get(String((ctx as unknown as { id: unknown }).id))!

/** One event of an object: a request that is billed. */
async function event<T>(ctx: ObjectState, what: string, act: () => Promise<T>): Promise<T> {
  const known = knownOf(ctx)
  count(known.place, 'requests')
  count(known.place, `call ${what}`)
  const end = begin(known)
  try {
    return await current.run(known, act)
  } finally {
    end()
  }
}

type Method = (...args: unknown[]) => Promise<unknown>

/** Since when a pass has asked for its place. */
const entered = new Map<string, number>()

function left(lane: string, partition: string): void {
  const since = entered.get(partition)
  if (since === undefined) return
  entered.delete(partition)
  count(lane, 'place ms', realNow() - since)
}

/** The same class whose calls are events; `alarm` as the platform makes it. */
function watchCalls(made: { prototype: object }, calls: readonly string[]): void {
  for (const name of calls) {
    const method = Reflect.get(made.prototype, name) as Method
    Object.defineProperty(made.prototype, name, {
      value(this: { ctx: ObjectState }, ...args: unknown[]) {
        if (name === 'alarm') knownOf(this.ctx).alarm = null
        if (name === 'leave')
          for (const one of args[0] as string[]) left(knownOf(this.ctx).place, one)
        if (name === 'enter')
          for (const { partition } of args[0] as Wake[]) entered.set(partition, realNow())
        return event(this.ctx, name, () => method.apply(this, args))
      },
    })
  }
}

/** Called when the clock was put forward: the alarm that is due by then comes. */
const rouse = (ctx: ObjectState): Promise<void> => rousing.get(ctx)!()
const rousing = new WeakMap<ObjectState, () => Promise<void>>()

export { Outbound } from '../../../../src/hosts/worker.ts'

export class PartitionObject extends RealPartition {
  constructor(ctx: ObjectState, env: WorkerEnv) {
    super(watched(ctx), counted(env))
  }
  rouse(): Promise<void> {
    return rouse(this.ctx)
  }
}
watchCalls(PartitionObject, [
  'read',
  'heads',
  'commit',
  'drop',
  'list',
  'wake',
  'follow',
  'adopt',
  'find',
  'copied',
  'alarm',
])

export class LaneObject extends RealLane {
  constructor(ctx: ObjectState, env: WorkerEnv) {
    super(watched(ctx), counted(env))
  }
  rouse(): Promise<void> {
    return rouse(this.ctx)
  }
}
watchCalls(LaneObject, ['enter', 'leave', 'alarm'])

// ── The door ──

function withHeld(held: readonly Known[]): Record<string, Place> {
  const all = { ...places }
  for (const known of held) {
    const ms = (all[known.place]?.['held ms'] ?? 0) + heldMs(known, Number.MAX_SAFE_INTEGER)
    all[known.place] = { ...all[known.place], 'held ms': ms }
  }
  return all
}

/**
 * Bytes of D1's rows and of their entries in its indexes, each with what SQLite puts beside it; what
 * its pages leave empty comes on top.
 */
const D1_BYTES = `SELECT sum(2 * (length(p) + length(k)) + length(CAST(body AS BLOB)) + 24 + 8
  + coalesce(2 * (length(listed_under) + length(listed_at) + length(listed_tags)) + 8, 0)) AS bytes
  , sum(expires_at IS NOT NULL) AS expiring FROM entry`

async function total(env: WorkerEnv): Promise<Counted> {
  const { results } = await env.DB.prepare(D1_BYTES).all()
  const all = [...objects.values()]
  // Nothing will call them: their timers hold them as long as they can.
  const held = all.filter((known) => heldMs(known, Number.MAX_SAFE_INTEGER) > 0)
  const alarms = all.flatMap(({ alarm }) => (alarm === null ? [] : [alarm]))
  return {
    places: withHeld(held),
    active: all.filter(({ active }) => active > 0).length,
    alarm: alarms.length === 0 ? null : Math.min(...alarms) - skipped,
    bytes: {
      objects: all.reduce((sum, { bytes }) => sum + bytes, 0),
      d1: (results[0]?.bytes as number | null) ?? 0,
      r2: [...r2Sizes.values()].reduce((sum, size) => sum + size, 0),
    },
    expiring: (results[0]?.expiring as number | null) ?? 0,
    databases: all.filter(({ bytes }) => bytes > 0).length,
  }
}

/** Puts the clock forward; alarms that are due by then come at once. */
async function skip(ms: number, env: WorkerEnv): Promise<void> {
  skipped += ms
  for (const { place, alarm } of objects.values()) {
    if (alarm === null || alarm > Date.now()) continue
    const [kind, name = ''] = place.split(' ')
    const objects = (kind === 'lane' ? env.LANES : env.PARTITIONS) as unknown as Namespace<{
      rouse(): Promise<void>
    }>
    await objects.getByName(name).rouse()
  }
}

async function own(url: URL, env: WorkerEnv): Promise<Response> {
  if (url.pathname === '/cost/reset') {
    places = {}
    // What they are held for by now was counted.
    for (const { timers } of objects.values()) timers.clear()
  }
  if (url.pathname === '/cost/skip') await skip(Number(url.searchParams.get('ms')), env)
  return Response.json(await total(env))
}

export default {
  async fetch(request: Request, env: WorkerEnv): Promise<Response> {
    const url = new URL(request.url)
    if (url.pathname.startsWith('/cost/')) return own(url, env)
    count('worker', 'requests')
    return worker.fetch(request, counted(env))
  },
  scheduled: (event: unknown, env: WorkerEnv): Promise<void> =>
    worker.scheduled(event, counted(env)),
}
