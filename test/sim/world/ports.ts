/**
 * The world as one process sees it. Every call is a request that travels, is applied somewhere
 * else, and whose answer travels back; each part of the way can go wrong. A request in flight may
 * outlive its sender.
 */

import { tenantSecrets } from '../../../src/engine/tenant/secrets.ts'
import { withTimeouts } from '../../../src/engine/worker/port-timeouts.ts'
import { memoryFeed } from '../../../src/hosts/memory/feed.ts'
import { memorySecrets } from '../../../src/hosts/memory/secrets.ts'
import type {
  Clock,
  Expect,
  Objects,
  Settings,
  Store,
  World,
  Write,
} from '../../../src/ports/world.ts'
import { HEAD } from '../../../src/ports/world.ts'
import type { FaultKind } from '../faults/faults.ts'
import { I18_wornWakesRest } from '../laws/hops.ts'
import { I8_memoryOnlyGrows } from '../laws/memory.ts'
import { actingOn, I19_ownTenantOnly } from '../laws/tenancy.ts'
import { CANARY } from './canary.ts'
import { short } from './names.ts'
import type { HomePorts } from './object-ports.ts'
import { hearing, outsidePorts } from './outside.ts'
import type { Process } from './process.ts'
import { EPOCH } from './process.ts'
import type { Injected, Sim } from './sim.ts'

class Throttled extends Error {
  override readonly name = 'Throttled'
}

export interface Call<T> {
  readonly label: string
  /** Milliseconds of either way. */
  readonly ms: readonly [number, number]
  readonly apply: () => T
  /** What the caller is told when this kind of fault was injected here. */
  readonly injected?: (kind: Injected, apply: () => T) => T
  readonly slow?: FaultKind
  readonly throttle?: FaultKind
}

export function remote<T>(sim: Sim, process: Process, call: Call<T>): Promise<T> {
  const number = sim.operations++
  const injected = sim.inject?.find(({ at }) => at === number)?.kind
  const { schedule, faults, chance } = sim
  const who = `${process.name} ${call.label}`
  if (injected) schedule.note(`${process.name} INJECTED ${injected}: ${call.label}`)
  if (injected === 'crash before') sim.kill(process)
  return new Promise<T>((resolve, reject) => {
    if (!process.alive) return
    const outlives = injected !== undefined || chance.flip(0.5)
    const slow =
      injected === 'slow' || (call.slow && faults.strikes(call.slow, who))
        ? chance.between(1_000, 95_000)
        : 0
    const slowBefore = slow > 0 && chance.flip(0.5) ? slow : 0
    const throttled = call.throttle !== undefined && faults.strikes(call.throttle, who)
    if (slow > 0 || throttled || injected) process.trouble(schedule.now + slow)
    const way = () => chance.between(call.ms[0], call.ms[1])
    schedule.after(way() + slowBefore, null, `${process.name} ${call.label}`, () => {
      if (!process.alive && !outlives) return
      let answer: () => void
      if (throttled) answer = () => reject(new Throttled(call.label))
      else {
        try {
          const value =
            injected && call.injected ? call.injected(injected, call.apply) : call.apply()
          answer = () => resolve(value)
        } catch (error) {
          answer = () => reject(error)
        }
      }
      if (injected === 'crash after') sim.kill(process)
      schedule.after(way() + slow - slowBefore, process, '', answer)
    })
  })
}

/** `home`: what lies elsewhere than in one store and one queue. */
export function makePorts(sim: Sim, process: Process, home?: HomePorts): World {
  const ports: World = {
    store: home?.store ?? storePort(sim, process),
    objects: objectsPort(sim, process),
    queue: home?.queue ?? {
      send: (wakes, delayMs = 0) => sim.broker.send(process, wakes, delayMs),
    },
    clock: clockPort(sim, process),
    secrets: memorySecrets(DEPLOYED),
    feed: memoryFeed(),
    settings: settingsOf(sim, process, home),
    ...outsidePorts(sim, process),
  }
  // In young and exact plans storage that is slow is waited for, as it was when they were found.
  const world = sim.wobbles ? withTimeouts(ports) : ports
  return hearing(sim, process, sim.twins ? withStoredSecrets(world) : world)
}

const DEPLOYED = { red: { TOKEN: `${CANARY}-token` }, blue: {} }

/** Where both tenants have a secret of the same name, it lies in the store, as it is deployed. */
const withStoredSecrets = (world: World): World => ({
  ...world,
  secrets: tenantSecrets(world.secrets, world),
})

/** A home may change its mind about some while it runs. */
function settingsOf(sim: Sim, process: Process, home: HomePorts | undefined): Settings {
  const settings = {
    worker: process.name,
    singleProcess: sim.profile === 'node',
    ...fixed,
    ...sim.settings,
  }
  if (!home) return settings
  return Object.defineProperties(settings, Object.getOwnPropertyDescriptors(home.settings))
}

const fixed = {
  allowStdioMcp: false,
  allowLoopback: false,
  lacks: {
    web_fetch: 'nobody is on the web here',
    web_search: 'nobody is on the web here',
    shell_execute: 'nobody runs commands here',
    shell_start: 'nobody runs commands here',
    shell_read: 'nobody runs commands here',
    shell_write: 'nobody runs commands here',
    shell_kill: 'nobody runs commands here',
  },
}

const STORE = { ms: [1, 8], slow: 'store slow', throttle: 'store throttle' } as const

const headsOf = (partitions: readonly string[]): string =>
  partitions.length > 3 ? String(partitions.length) : partitions.map(short).join(' ')

/** Storage that refuses, or does not answer: done or not, the caller is told the same. */
const unanswered =
  (label: string) =>
  <T>(kind: Injected, apply: () => T): T => {
    if (kind === 'refused' || kind === 'lost write') throw new Throttled(label)
    if (kind === 'twice') apply()
    const value = apply()
    if (kind === 'hidden write') throw new Throttled(label)
    return value
  }

/** The one store of the clouds; the database of the home of objects. */
export function storePort(sim: Sim, process: Process): Store {
  const { store, faults, law } = sim
  const ask = <T>(label: string, apply: () => T): Promise<T> =>
    remote(sim, process, { ...STORE, label, apply, injected: unanswered(label) })
  const mine = (where: string): void => {
    I19_ownTenantOnly(sim, where)
    I18_wornWakesRest(sim, actingOn(), where)
  }
  return {
    async read(partition, after) {
      mine(partition)
      // Who follows a run polls it each second; a wake's pass has no reason to.
      if (actingOn()) law.alarms.touched(process, partition)
      const round = actingOn()
      law.awake.read(round, partition)
      law.company.read(process, actingOn(), partition)
      const looked = law.deliveries.look(process, partition)
      let at = sim.schedule.now
      const first = await ask(`read ${short(partition)}`, () => {
        at = sim.schedule.now
        return store.read(partition, after)
      })
      // What was written while the request was on its way is in the answer.
      law.awake.read(round, partition, at)
      if (first.length > 0 && isSnapshot(partition)) sim.rare('snapshot read')
      if (!faults.strikes('store torn read', `${process.name} ${short(partition)}`)) {
        looked()
        return first
      }
      // Pages of one read may lie far apart.
      const ms = [1, sim.chance.pick([8, 60, 400])] as const
      const label = `read on ${short(partition)}`
      const second = await remote(sim, process, {
        label,
        ms,
        apply: () => store.read(partition, after),
      })
      looked()
      return torn(sim, first, second)
    },
    heads: (partitions) => {
      partitions.forEach(mine)
      // Tenants without an operator have no rows, and all other worlds stay as they were.
      const isState = !sim.halts && partitions.every((one) => one.startsWith('_/tenant/'))
      if (isState) return Promise.resolve(partitions.map((one) => store.head(one)))
      return ask(`heads ${headsOf(partitions)}`, () => partitions.map((one) => store.head(one)))
    },
    async commit(partition, writes, head) {
      mine(partition)
      law.alarms.touched(process, partition)
      const apply = (): 'ok' | 'conflict' =>
        law.holders.by(process, () => store.commit(partition, writes, head))
      const fate = commitFate(sim, process, partition)
      const label = `commit ${short(partition)}${fate ? ` (${fate})` : ''}`
      const call: Call<'ok' | 'conflict' | 'ambiguous'> = {
        ...STORE,
        label,
        injected: (kind, act) => injectedCommit(kind, act),
        apply: () => committed(sim, process, { partition, writes, head, fate }, apply),
      }
      try {
        return await remote(sim, process, call)
      } finally {
        if (fate) process.fated -= 1
      }
    },
    due: (now, cursor) => {
      if (cursor !== undefined) sim.rare('more is due than a page')
      return ask('due', () => store.due(now, cursor))
    },
    list: (under, before, limit) => {
      mine(under)
      return ask(`list ${short(under)}`, () => store.list(under, before, limit))
    },
    find: (under, wanted) => {
      mine(under)
      return ask(`find ${short(under)}`, () => store.find(under, wanted))
    },
    drop: (partition) => {
      mine(partition)
      return ask(`drop ${short(partition)}`, () => {
        law.retention.dropping(partition)
        store.drop(partition)
      })
    },
  }
}

const isSnapshot = (partition: string): boolean => partition.split('/')[1] === 'snapshot'

type Result = 'ok' | 'conflict' | 'ambiguous'

function injectedCommit(kind: Injected, apply: () => Result): Result {
  if (kind === 'lost write') return 'ambiguous'
  if (kind === 'refused') return 'conflict'
  const result = apply()
  return kind === 'hidden write' ? 'ambiguous' : kind === 'twice' ? apply() : result
}

type Fate = 'store conflict' | 'store lost write' | 'store hidden write' | undefined

function commitFate({ faults }: Sim, process: Process, partition: string): Fate {
  for (const kind of ['store conflict', 'store lost write', 'store hidden write'] as const) {
    if (faults.strikes(kind, `${process.name} ${short(partition)}`)) {
      process.fated += 1
      return kind
    }
  }
  return undefined
}

function committed(
  sim: Sim,
  process: Process,
  of: { partition: string; writes: readonly Write[]; head: unknown; fate: Fate },
  apply: () => 'ok' | 'conflict',
): Result {
  if (of.fate) process.trouble(sim.schedule.now)
  if (of.fate === 'store conflict') return 'conflict'
  if (of.fate === 'store lost write') return 'ambiguous'
  const result = apply()
  sim.schedule.note(`    → ${result}`)
  if (result === 'conflict') {
    process.trouble(sim.schedule.now)
    sim.law.holders.refused(process, of.partition)
    const mail = !of.head && of.writes.some(({ key }) => key.startsWith('mail/'))
    if (mail) sim.rare('duplicate announce refused')
  }
  if (of.fate === undefined) return result
  // A time-out, or a client library that tried again by itself and met its own first try.
  return sim.chance.flip(0.7) ? 'ambiguous' : 'conflict'
}

/** Rows of one read that saw some rows before a commit and others after it. */
function torn(sim: Sim, first: Row[], second: Row[]): Row[] {
  const keys = [...new Set([...first, ...second].map(({ key }) => key))].sort()
  const from = (rows: Row[], key: string) => rows.find((row) => row.key === key)
  const changed =
    first.length !== second.length || first.some((row, i) => row.version !== second[i]?.version)
  if (changed) sim.rare('torn read')
  const headFirst = sim.chance.flip(0.5)
  const mixed = keys.flatMap((key) => {
    const old = headFirst ? key === HEAD : key !== HEAD
    const row = from(old ? first : second, key)
    return row ? [row] : []
  })
  return mixed
}
type Row = Awaited<ReturnType<Store['read']>>[number]

/** What lies there before is judged with what comes after. */
function judgedPut(sim: Sim, key: string, body: Uint8Array, expect: Expect) {
  const { objects } = sim
  const there = objects.get(key)?.etag
  const isMet = expect === 'any' || (expect === 'absent' ? !there : there === expect.etag)
  if (isMet) I8_memoryOnlyGrows(sim, key, body)
  return objects.put(key, body, expect)
}

function objectsPort(sim: Sim, process: Process): Objects {
  const { objects, faults, law } = sim
  const ask = <T>(label: string, key: string, apply: () => T): Promise<T> => {
    I19_ownTenantOnly(sim, key)
    const how = { ms: [1, 12], throttle: 'object throttle' } as const
    return remote(sim, process, { ...how, label, apply, injected: unanswered(label) })
  }
  return {
    get: (key) => ask('get object', key, () => objects.get(key)),
    async put(key, body, expect) {
      law.wrote(key, body)
      const result = await ask('put object', key, () => {
        const put = judgedPut(sim, key, body, expect)
        if (put !== 'conflict') law.effects.I8_editsAreOnce(key, body)
        return put
      })
      return expect === 'absent' && faults.strikes('object repeated') ? 'conflict' : result
    },
    delete: (key, expect) =>
      ask('delete object', key, () => {
        law.bodies.deleting(key)
        return objects.delete(key, expect)
      }),
    list: (prefix, cursor) => ask('list objects', prefix, () => objects.list(prefix, cursor)),
  }
}

function clockPort(sim: Sim, process: Process): Clock {
  const { schedule } = sim
  // Each reading of a clock takes time, and so does what lies between two of them.
  const wobble = sim.chance.fork(`clock of ${process.name}`)
  let last = 0
  const reading = (): number => {
    last = Math.max(last, schedule.now + (sim.wobbles ? wobble.next() : 0))
    return last
  }
  return {
    now: () => Math.floor(EPOCH + reading() + process.skew),
    monotonic: () => reading() - process.born,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const state = { over: false }
        const owner = {
          get alive() {
            return process.alive && !state.over
          },
          get pausedUntil() {
            return process.pausedUntil
          },
        }
        const end = (): void => {
          state.over = true
          signal?.removeEventListener('abort', end)
          resolve()
        }
        signal?.addEventListener('abort', end, { once: true })
        schedule.after(ms, owner, '', end)
      }),
    random: (bytes) => sim.chance.bytes(bytes),
  }
}
