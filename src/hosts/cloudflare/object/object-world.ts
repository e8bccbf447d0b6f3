/**
 * The world in which an object passes over its partition: its own rows are here, those of others
 * are calls. It is made once in the object's life, because what the engine remembers hangs on it.
 */

import { shareMemory } from '../../../engine/partition/process.ts'
import { recover } from '../../../engine/worker/tick.ts'
import type { Feed, Store, Wake, World } from '../../../ports/world.ts'
import type { Fetch } from '../../outbound/fetch.ts'
import { holderOf } from '../bindings/address.ts'
import type { Budget } from '../bindings/budget.ts'
import { composeWorker, storeOf, type WorkerEnv } from '../compose.ts'
import type { Rows } from '../ports/partitions.ts'
import { objectQueue } from '../ports/queue.ts'
import { atMost, OUTBOUND } from './connections.ts'
import type { ObjectRows } from './object-rows.ts'

/** A quarter of an hour is what the platform gives to one call; ours end before it does. */
const LIFE_MS = 840_000
/** A third of that: effects that have begun by then need time to end. */
const SLICE_MS = 300_000

export interface ObjectParts {
  /** Its name. */
  readonly object: string
  readonly rows: Rows & Pick<Store, 'due'>
  readonly budget: Budget
  readonly feed: Feed
  /** For requests to the world outside beyond those that an event may have open. */
  readonly relay: Fetch | undefined
  /** Notes wakes for itself. */
  readonly wake: (wakes: readonly Wake[], delayMs: number) => void
}

/** The slice of an event ends with its time, or after too many calls. */
export function objectWorld(env: WorkerEnv, parts: ObjectParts): World {
  const { object, rows, budget, feed, relay } = parts
  const { world } = composeWorker(env, {
    store: { ...storeOf(env, { budget, own: { object, rows } }), due: rows.due },
    queue: objectQueue({
      objects: env.PARTITIONS,
      spending: budget,
      own(to, wakes, delayMs) {
        if (to === object) parts.wake(wakes, delayMs)
        return to === object
      },
    }),
    feed,
    settings: {
      sliceMs: SLICE_MS,
      lifeMs: LIFE_MS,
      soleWorker: true,
      wakesWithCommit: true,
      placesByKin: true,
    },
    connect: atMost(OUTBOUND, (url, init) => fetch(url, init), { relay }),
  })
  const settings = {
    ...world.settings,
    get sliceMs() {
      return budget.isSpent() ? 0 : SLICE_MS
    },
  }
  const store = ownFirst(object, rows, world.store)
  shareMemory(store, env.DB)
  return { ...world, store, settings }
}

/** Local rows need no time-out: each call completes synchronously. */
function ownFirst(object: string, rows: Rows, store: Store): Store {
  const of = (partition: string): Rows => (holderOf(partition) === object ? rows : store)
  return {
    ...store,
    read: (partition, after) => of(partition).read(partition, after),
    heads: (partitions) =>
      partitions.every((partition) => holderOf(partition) === object)
        ? rows.heads(partitions)
        : store.heads(partitions),
    commit: (partition, writes, head) => of(partition).commit(partition, writes, head),
    drop: (partition) => of(partition).drop(partition),
  }
}

/** The alarm of a run that is being worked on comes within this, that of a suspect included. */
const SOON_MS = 1_200_000

/** Goes on with the work of the object that died before this one. */
export async function goOn(
  { store, times }: ObjectRows,
  worldFor: (partition: string) => World,
): Promise<void> {
  const { alarm } = times()
  if (alarm === undefined || alarm > Date.now() + SOON_MS) return
  const { entries } = await store.due(alarm)
  if (entries[0]) await recover(worldFor(entries[0].partition))
}
