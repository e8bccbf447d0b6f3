/**
 * Limits concurrent deliveries in this process: to one host of a tenant two at first, up to four
 * while it answers, one while it does not; and of one tenant never so many that none is left for
 * another. More URLs of one host get no more places. A delivery without a place waits here, holds
 * nothing meanwhile, and is woken when one is free; its alarm is the backstop.
 */

import { LRUCache } from 'lru-cache'
import { BREAKER_FAILURES } from '../../core/webhook/endpoint.ts'
import type { World } from '../../ports/world.ts'
import { processMemory } from '../partition/process.ts'

/** Where a delivery goes. */
export interface Receiver {
  readonly tenant: string
  /** `host` or `host:port`, in its one form. */
  readonly host: string
  /** The endpoint or the URL: failures are counted for each by itself. */
  readonly id: string
}

interface Host {
  /** Partitions that are at it now. */
  readonly running: Set<string>
  /** Partitions that wait for a place, in order. */
  readonly waiting: Set<string>
}
interface Throttle {
  /** By tenant and host; only those at which something runs or waits. */
  readonly tenants: Map<string, Map<string, Host>>
  /** How many places a host has earned. */
  readonly limits: LRUCache<string, number>
  /** Failures in a row. */
  readonly failures: LRUCache<string, number>
}
type ReceiverSlots = Pick<World, 'store'> & {
  readonly settings: Pick<World['settings'], 'deliveries'>
}

const START = 2
const MOST = 4
/** Where a host does not say how many it handles at once. */
const PLACES = 4

/** Receivers that are remembered; the one idle for longest is forgotten. */
const RECEIVERS = 10_000
const throttleOfStore = processMemory<Throttle>('receivers', () => ({
  tenants: new Map(),
  limits: new LRUCache({ max: RECEIVERS }),
  failures: new LRUCache({ max: RECEIVERS }),
}))
const throttleOf = ({ store }: ReceiverSlots): Throttle => throttleOfStore(store)

/** The share of one tenant: a quarter of the places is left to others. */
function tenantMost({ settings: { deliveries = PLACES } }: ReceiverSlots): number {
  return Math.max(1, deliveries - Math.max(1, Math.floor(deliveries / 4)))
}

/** The share of one host: a second host of the tenant always finds a place. */
const hostMost = (world: ReceiverSlots): number => Math.min(MOST, Math.ceil(tenantMost(world) / 2))

const nameOf = ({ tenant, host }: Pick<Receiver, 'tenant' | 'host'>): string => `${tenant}\n${host}`

function limitOf(world: ReceiverSlots, receiver: Pick<Receiver, 'tenant' | 'host'>): number {
  const most = hostMost(world)
  return Math.min(most, throttleOf(world).limits.get(nameOf(receiver)) ?? START)
}

const runningOf = (hosts: ReadonlyMap<string, Host>): number =>
  [...hosts.values()].reduce((sum, { running }) => sum + running.size, 0)

/**
 * True when this partition may send now; else it is woken later, by `leave` of another. One that is
 * at it already is not let in a second time: wakes repeat.
 */
export function enter(world: ReceiverSlots, receiver: Receiver, partition: string): boolean {
  const { tenants } = throttleOf(world)
  const hosts = tenants.get(receiver.tenant) ?? new Map<string, Host>()
  tenants.set(receiver.tenant, hosts)
  const host = hosts.get(receiver.host) ?? { running: new Set(), waiting: new Set() }
  hosts.set(receiver.host, host)
  if (host.running.has(partition)) return false
  const full = host.running.size >= limitOf(world, receiver)
  if (full || runningOf(hosts) >= tenantMost(world)) {
    host.waiting.add(partition)
    return false
  }
  host.waiting.delete(partition)
  host.running.add(partition)
  return true
}

/** Counts what came of it; the failures in a row up to now. */
export function counted(world: ReceiverSlots, receiver: Receiver, ok: boolean): number {
  const { limits, failures } = throttleOf(world)
  limits.set(nameOf(receiver), ok ? Math.min(MOST, limitOf(world, receiver) + 1) : 1)
  const id = `${receiver.tenant}\n${receiver.id}`
  const inARow = ok ? 0 : Math.min(BREAKER_FAILURES, (failures.get(id) ?? 0) + 1)
  failures.set(id, inARow)
  return inARow
}

/** Gives the place back; who may be woken for it: of each host one, in turn. */
export function leave(
  world: ReceiverSlots,
  receiver: Receiver,
  partition: string,
): readonly string[] {
  const { tenants } = throttleOf(world)
  const { tenant } = receiver
  const hosts = tenants.get(tenant)
  if (!hosts) return []
  hosts.get(receiver.host)?.running.delete(partition)
  const room = new Map(
    [...hosts].map(([name, { running }]) => {
      return [name, limitOf(world, { tenant, host: name }) - running.size] as const
    }),
  )
  const woken: string[] = []
  for (let free = tenantMost(world) - runningOf(hosts); free > 0; free -= 1) {
    const next = [...hosts].find(([name, { waiting }]) => waiting.size > 0 && room.get(name)! > 0)
    if (!next) break
    const [name, host] = next
    const [first] = host.waiting
    host.waiting.delete(first!)
    woken.push(first!)
    room.set(name, room.get(name)! - 1)
    // Who was served goes to the end, so that the next place is another host's.
    hosts.delete(name)
    hosts.set(name, host)
  }
  for (const [name, { running, waiting }] of [...hosts]) {
    if (running.size + waiting.size === 0) hosts.delete(name)
  }
  if (hosts.size === 0) tenants.delete(tenant)
  return woken
}
