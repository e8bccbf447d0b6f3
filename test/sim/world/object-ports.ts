/**
 * Store and queue of the home of objects, as a worker that answers requests and as an object see
 * them: the code that is deployed, over calls between simulated objects. What lies in the object
 * itself is at hand: it answers in the turn, never torn and never ambiguous.
 */

import { holderOf, listerOf } from '../../../src/hosts/cloudflare/bindings/address.ts'
import {
  partitionStore,
  type Rows,
  remoteRows,
} from '../../../src/hosts/cloudflare/ports/partitions.ts'
import { objectQueue } from '../../../src/hosts/cloudflare/ports/queue.ts'
import type { Queue, Settings, Store } from '../../../src/ports/world.ts'
import { I18_roundsAreCounted, I18_wornWakesRest, WORN } from '../laws/hops.ts'
import { actingOn, I19_ownTenantOnly } from '../laws/tenancy.ts'
import { type Home, isCopied } from './home.ts'
import type { ObjectLife } from './life.ts'
import { nameOf, short } from './names.ts'
import { remote, storePort } from './ports.ts'
import type { Process } from './process.ts'
import type { Sim } from './sim.ts'

export interface HomePorts {
  readonly store: Store
  readonly queue: Queue
  readonly settings: Partial<Settings>
}

const SHARED = { wakesWithCommit: true, placesByKin: true } as const

/** Who answers requests: it holds nothing and makes no passes. */
export function frontPorts(sim: Sim, home: Home, process: Process): HomePorts {
  const stub = (name: string) => home.stub(process, name)
  const at = (name: string): Rows => remoteRows({ getByName: stub }, name)
  return {
    store: storeOf(sim, process, at),
    queue: judged(sim, process, objectQueue({ objects: { getByName: stub } })),
    settings: { ...SHARED, sliceMs: 0 },
  }
}

/** An object: the only worker of what it holds. */
export function objectPorts(
  sim: Sim,
  home: Home,
  { process, life }: { readonly process: Process; readonly life: ObjectLife },
): HomePorts {
  const name = process.object!
  const objects = { getByName: (of: string) => home.stub(process, of) }
  const rows = ownRows(sim, process, life)
  const known = new Map<string, Rows>()
  const at = (of: string): Rows => {
    if (of === name) return rows
    const there = known.get(of) ?? remoteRows(objects, of, life.budget)
    known.set(of, there)
    return there
  }
  const queue = objectQueue({
    objects,
    spending: life.budget,
    own(to, wakes, delayMs) {
      if (to === name) life.wake(wakes, delayMs)
      return to === name
    },
  })
  const { sliceMs } = sim.settings
  const store = storeOf(sim, process, at)
  return {
    store: { ...store, due: (now, cursor) => here(sim, process, () => life.due(now, cursor)) },
    queue: judged(sim, process, queue),
    settings: {
      ...SHARED,
      soleWorker: true,
      lifeMs: 840_000,
      get sliceMs() {
        return life.budget.isSpent() ? 0 : sliceMs
      },
    },
  }
}

/** In the turn, but for the moment in which the object may die. */
const here = <T>(sim: Sim, process: Process, apply: () => T, label = 'own rows'): Promise<T> =>
  remote(sim, process, { label, ms: [0, 1], apply })

function ownRows(sim: Sim, process: Process, life: ObjectLife): Rows {
  const { store } = sim
  return {
    read: (partition, after) =>
      here(
        sim,
        process,
        () => {
          process.lookedAt.set(partition, sim.schedule.now)
          return store.read(partition, after)
        },
        `read own ${short(partition)}`,
      ),
    heads: (partitions) => here(sim, process, () => partitions.map((one) => store.head(one))),
    commit: (partition, writes, head) =>
      here(
        sim,
        process,
        () => life.write(process, partition, writes, head),
        `commit own ${short(partition)}`,
      ),
    drop: (partition) => here(sim, process, () => life.remove(partition)),
    list: (under, before, limit) => here(sim, process, () => store.list(under, before, limit)),
    find: (under, wanted) => here(sim, process, () => store.find(under, wanted)),
  }
}

/** What is deployed, with the laws that hear of each access. */
function storeOf(sim: Sim, process: Process, at: (object: string) => Rows): Store {
  const { law } = sim
  const index = storePort(sim, process)
  // Lists of children lag as all do: of those in other objects they show copies.
  const exact = (under: string) => (isCopied(under) ? undefined : listerOf(under))
  const store = partitionStore({ index, holderOf, listerOf: exact, at })
  const mine = (where: string): void => {
    I19_ownTenantOnly(sim, where)
    I18_wornWakesRest(sim, actingOn(), where)
  }
  return {
    ...store,
    async read(partition, after) {
      // The database tells of itself.
      if (holderOf(partition) === undefined) return store.read(partition, after)
      mine(partition)
      const round = actingOn()
      if (round) law.alarms.touched(process, partition)
      law.awake.read(round, partition)
      law.company.read(process, round, partition)
      const looked = law.deliveries.look(process, partition)
      const rows = await store.read(partition, after)
      law.awake.read(round, partition, process.lookedAt.get(partition))
      if (rows.length > 0 && partition.split('/')[1] === 'snapshot') sim.rare('snapshot read')
      looked()
      return rows
    },
    heads(partitions) {
      partitions.forEach(mine)
      return store.heads(partitions)
    },
    commit(partition, writes, head) {
      if (holderOf(partition) === undefined) return store.commit(partition, writes, head)
      mine(partition)
      law.alarms.touched(process, partition)
      return store.commit(partition, writes, head)
    },
    drop(partition) {
      mine(partition)
      return store.drop(partition)
    },
  }
}

function judged(sim: Sim, process: Process, queue: Queue): Queue {
  const { law, faults } = sim
  return {
    send(wakes, delayMs = 0) {
      for (const wake of wakes) law.promptness.I18_wakesSayWhatHasStarted(process, wake)
      if (delayMs <= 0) I18_roundsAreCounted(sim, actingOn(), wakes)
      const sent = wakes.map((wake) => {
        const isLog = /\/(?:run|fanout)\//.test(wake.partition)
        if (!isLog || !faults.strikes('queue worn wake', nameOf(wake.partition))) return wake
        sim.rare('a wake is worn')
        return { ...wake, staleCount: WORN }
      })
      return queue.send(sent, delayMs)
    },
  }
}
