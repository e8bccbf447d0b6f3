/**
 * World in which an object runs passes over its partitions: local rows are read directly, other
 * rows by calls. Created once per object lifetime, because the engine's memory depends on the
 * world's identity.
 */

import { shareMemory } from '../../../engine/partition/process.ts'
import { encryptedStore } from '../../../engine/tenant/encrypted-ports.ts'
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

/** Maximum duration of work in one event, in milliseconds; the platform allows 15 minutes. */
const LIFE_MS = 840_000
/**
 * Maximum time for starting effects, in milliseconds: about a third of the total, so that started
 * effects can end.
 */
const SLICE_MS = 300_000

export interface ObjectParts {
  /** Name of the Durable Object. */
  readonly object: string
  readonly rows: Rows & Pick<Store, 'due'>
  readonly budget: Budget
  readonly feed: Feed
  /** Relay for outbound requests beyond the connection limit of an event. */
  readonly relay: Fetch | undefined
  /** Queues wakes for partitions of the same object. */
  readonly wake: (wakes: readonly Wake[], delayMs: number) => void
}

/** Creates the object's world; the time slice of an event ends by time, or after too many calls. */
export function objectWorld(env: WorkerEnv, parts: ObjectParts): World {
  const { object, rows, budget, feed, relay } = parts
  const { world, cipherOf } = composeWorker(env, {
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
  const store = ownFirst(object, encryptedStore(rows, cipherOf), world.store)
  shareMemory(store, env.DB)
  return { ...world, store, settings }
}

/** Local rows need no time-out, because each call completes synchronously. */
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
    readIndexed: (partition) => of(partition).readIndexed!(partition),
    writeIndexed: (partition, all) => of(partition).writeIndexed!(partition, all),
  }
}

/** Maximum delay of the alarm of an active or suspect run, in milliseconds. */
const SOON_MS = 1_200_000

/** Continues the work of a crashed predecessor of the object. */
export async function goOn(
  { store, times }: ObjectRows,
  worldFor: (partition: string) => World,
): Promise<void> {
  const { alarm } = times()
  if (alarm === undefined || alarm > Date.now() + SOON_MS) return
  const { entries } = await store.due(alarm)
  if (entries[0]) await recover(worldFor(entries[0].partition))
}
