/**
 * How many requests go to one receiver at the same time, in this process: two at first, up to four
 * while it answers, one while it does not. A slow receiver so never takes the places of the others.
 * What finds no place waits here and is woken when one is free; its alarm is the backstop.
 */

import { LRUCache } from 'lru-cache'
import { BREAKER_FAILURES } from '../core/endpoint.ts'
import type { Store } from '../ports/world.ts'

interface Place {
  limit: number
  /** Partitions that are at it now. */
  readonly running: Set<string>
  /** Partitions that wait for a place, in order. */
  readonly waiting: Set<string>
  failures: number
}

const START = 2
const MOST = 4

/** Receivers that are remembered; whoever was not heard of for longest is forgotten. */
const RECEIVERS = 10_000
const places = new WeakMap<Store, LRUCache<string, Place>>()

function placesOf(store: Store): LRUCache<string, Place> {
  const found = places.get(store) ?? new LRUCache<string, Place>({ max: RECEIVERS })
  places.set(store, found)
  return found
}

/**
 * True when this partition may send now; else it is woken later, by `leave` of another. One that is
 * at it already is not let in a second time: wakes repeat.
 */
export function enter(store: Store, receiver: string, partition: string): boolean {
  const all = placesOf(store)
  const fresh = { limit: START, running: new Set<string>(), waiting: new Set<string>() }
  const place = all.get(receiver) ?? { ...fresh, failures: 0 }
  all.set(receiver, place)
  if (place.running.has(partition)) return false
  if (place.running.size >= place.limit) {
    place.waiting.add(partition)
    return false
  }
  place.waiting.delete(partition)
  place.running.add(partition)
  return true
}

/** Counts what came of it; the failures in a row up to now. */
export function counted(store: Store, receiver: string, ok: boolean): number {
  const place = placesOf(store).get(receiver)
  if (!place) return ok ? 0 : 1
  place.limit = ok ? Math.min(MOST, place.limit + 1) : 1
  place.failures = ok ? 0 : Math.min(BREAKER_FAILURES, place.failures + 1)
  return place.failures
}

/** Gives the place back; who may be woken for it. */
export function leave(store: Store, receiver: string, partition: string): readonly string[] {
  const place = placesOf(store).get(receiver)
  if (!place) return []
  place.running.delete(partition)
  const free = Math.max(0, place.limit - place.running.size)
  const next = [...place.waiting].slice(0, free)
  for (const one of next) place.waiting.delete(one)
  return next
}
