/**
 * Large bodies (I11, I15): as long as a log or a session names one it is there, and nothing is left
 * of what was deleted, not even what no log has ever named: that is the sweep's.
 */

import type { SessionHead } from '../../../src/engine/session/store.ts'
import { decode } from '../../../src/lib/bytes.ts'
import { HEAD } from '../../../src/ports/world.ts'
import type { ShadowFanout } from '../shadow/fanout-shadow.ts'
import type { Shadow } from '../shadow/shadow.ts'
import { TERMINAL } from '../shadow/shadow.ts'
import { EPOCH } from '../world/process.ts'
import type { Sim } from '../world/sim.ts'

type Log = Shadow | ShadowFanout
const HOME = /^([^/]+\/bodies\/([^/]+)\/)(.+)$/
/** The sweep's grace of three days, a round, and what a round may be late. */
const SWEPT_MS = (3 + 1) * 86_400_000 + 3 * 3_600_000

export class Bodies {
  readonly #sim: Sim

  constructor(sim: Sim) {
    this.#sim = sim
  }

  /** An object is about to go. */
  deleting(key: string): void {
    const [, home = '', owner = ''] = HOME.exec(key) ?? []
    if (home === '' || !this.#sim.objects.get(key)) return
    this.#sim.rare(owner.startsWith('ses_') ? 'a body of a session goes' : 'a body goes')
    const session = this.#session(home, owner)
    if (session && !session.deleted) this.#breach('I11_bodiesAreKept', `${key} of a session goes`)
    for (const log of this.#logs()) {
      if (homeOf(log) !== home || TERMINAL.has(log.status)) continue
      this.#breach('I11_bodiesAreKept', `${key} goes, and ${log.partition} is ${log.status}`)
    }
  }

  /** When everything has come to rest. */
  atRest(): void {
    const alive = new Set<string>()
    for (const log of this.#logs()) {
      if (!this.#isStored(log.partition)) continue
      const home = homeOf(log)
      if (home === undefined) continue
      alive.add(home)
      for (const digest of named(log.facts)) this.#isThere(log.partition, home + digest)
    }
    for (const partition of this.#sim.store.partitions.keys()) {
      const [tenant, kind, id] = partition.split('/')
      if (kind !== 'session' || !this.#isStored(partition)) continue
      const home = `${tenant}/bodies/${id}/`
      alive.add(home)
      const { segments = [], deleted = true } = this.#session(home, id!) ?? {}
      if (!deleted) this.#rememberedIsThere(partition, home, segments)
    }
    this.#I15_nothingIsLeft(alive)
  }

  #rememberedIsThere(partition: string, home: string, segments: readonly string[]): void {
    for (const segment of segments) {
      this.#isThere(partition, home + segment)
      const object = this.#sim.objects.get(home + segment)
      const said = object ? (JSON.parse(decode(object.body)) as unknown) : []
      for (const digest of named(said)) this.#isThere(partition, home + digest)
    }
  }

  #isThere(partition: string, key: string): void {
    if (!this.#sim.objects.get(key)) this.#breach('I11_bodiesAreKept', `${partition} lacks ${key}`)
  }

  #I15_nothingIsLeft(alive: ReadonlySet<string>): void {
    const { objects, schedule } = this.#sim
    const now = EPOCH + schedule.now
    for (const { key, modified } of objects.all()) {
      const [, home = '', owner = ''] = HOME.exec(key) ?? []
      if (home === '' || alive.has(home)) continue
      const asRun = home.replace('/ses_', '/run_')
      if (owner.startsWith('ses_') && alive.has(asRun)) continue
      if (now - modified > SWEPT_MS) this.#breach('I15_nothingIsLeft', `${key} is left`)
    }
  }

  #session(home: string, id: string): SessionHead['session'] | undefined {
    if (!id.startsWith('ses_')) return undefined
    const row = this.#sim.store.head(`${home.split('/')[0]}/session/${id}`)
    return row ? (JSON.parse(row.body) as SessionHead).session : undefined
  }

  #isStored = (partition: string): boolean =>
    this.#sim.store.partitions.get(partition)?.has(HEAD) === true

  #logs(): Log[] {
    const { runs, fanouts } = this.#sim.law
    return [...runs.values(), ...fanouts.byPartition.values()]
  }

  #breach(id: string, message: string): void {
    this.#sim.law.breach(id, message)
  }
}

/** Of the root: the fan-out that stands above all, or the run. */
function homeOf({ partition, spec }: Log): string | undefined {
  if (!spec) return undefined
  const owner =
    'root_run_id' in spec ? (spec.home ?? spec.root_run_id) : (spec.parent?.run_id ?? spec.id)
  return `${partition.split('/')[0]}/bodies/${owner}/`
}

/** Digests of bodies, wherever they stand in a value. */
function named(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(named)
  if (typeof value !== 'object' || value === null) return []
  const { digest, preview } = value as { digest?: unknown; preview?: unknown }
  const own = typeof digest === 'string' && typeof preview === 'string' ? [digest] : []
  return [...own, ...Object.values(value).flatMap(named)]
}
