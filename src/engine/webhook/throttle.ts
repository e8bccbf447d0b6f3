/**
 * Limits concurrent deliveries in this process. Each URL starts with one slot, gets up to four
 * while it responds quickly, and one while it fails or is slow. The URLs of one host share half of
 * the tenant's slots. No URL gets all of them, so a slow URL delays no other URL of its host. Slow
 * URLs leave the last slot free, and no tenant gets all slots. A delivery without a slot waits here
 * without using resources, and is woken when a slot is free; its alarm is the backstop.
 */

import { LRUCache } from 'lru-cache'
import { LIMITS } from '../../core/limits.ts'
import { BREAKER_FAILURES } from '../../core/webhook/endpoint.ts'
import type { World } from '../../ports/world.ts'
import { processMemory } from '../partition/process.ts'

/** Receiver of a webhook delivery. */
export interface Receiver {
  readonly tenant: string
  /** Receiver's host in normalized form: `host` or `host:port`. */
  readonly host: string
  /** Receiver's URL without the query, which often names the run; slots are counted per URL. */
  readonly url: string
  /** ID of the endpoint, or URL of a run's webhook; consecutive failures are counted per ID. */
  readonly id: string
}

/** Partitions of the deliveries to one URL. */
interface Line {
  readonly running: Set<string>
  /** Partitions waiting for a slot, in order of arrival. */
  readonly waiting: Set<string>
}
interface Host {
  running: number
  /** Lines with running or waiting deliveries, by URL. */
  readonly lines: Map<string, Line>
}
type Hosts = Map<string, Host>
interface Throttle {
  /** Hosts with running or waiting deliveries, by tenant. */
  readonly tenants: Map<string, Hosts>
  /** Number of delivery slots that a URL has earned; 1 for a failing or slow URL. */
  readonly limits: LRUCache<string, number>
  /** Number of consecutive failures by endpoint ID or run webhook URL. */
  readonly failures: LRUCache<string, number>
}
type ReceiverSlots = Pick<World, 'store'> & {
  readonly settings: Pick<World['settings'], 'deliveries'>
}

const START = 1
const MOST = 4
/** Default number of delivery slots, used if the platform does not configure its concurrency. */
const PLACES = 4
/** Response time from which a URL gets one delivery at a time: a third of the attempt time-out. */
const SLOW_MS = (LIMITS.webhook_timeout_seconds * 1_000) / 3

/** Maximum number of cached receivers; the receiver that has been idle longest is evicted. */
const RECEIVERS = 10_000
const throttleOfStore = processMemory<Throttle>('receivers', () => ({
  tenants: new Map(),
  limits: new LRUCache({ max: RECEIVERS }),
  failures: new LRUCache({ max: RECEIVERS }),
}))
const throttleOf = ({ store }: ReceiverSlots): Throttle => throttleOfStore(store)

/**
 * Returns the maximum number of slots of one tenant; a quarter of all slots is reserved for other
 * tenants.
 */
function tenantMost({ settings: { deliveries = PLACES } }: ReceiverSlots): number {
  return Math.max(1, deliveries - Math.max(1, Math.floor(deliveries / 4)))
}

/** Returns the maximum slots of one host; a slot always remains for a second host of the tenant. */
const hostMost = (world: ReceiverSlots): number => Math.ceil(tenantMost(world) / 2)

/** Returns the maximum slots of one URL; a slot always remains for a second URL of the host. */
const urlMost = (world: ReceiverSlots): number => Math.max(1, Math.min(MOST, hostMost(world) - 1))

type UrlOf = Pick<Receiver, 'tenant' | 'url'>
const nameOf = ({ tenant, url }: UrlOf): string => `${tenant}\n${url}`

const earnedBy = (world: ReceiverSlots, of: UrlOf): number | undefined =>
  throttleOf(world).limits.get(nameOf(of))

const limitOf = (world: ReceiverSlots, of: UrlOf): number =>
  Math.min(urlMost(world), earnedBy(world, of) ?? START)

const runningOf = (hosts: Hosts): number =>
  [...hosts.values()].reduce((sum, { running }) => sum + running, 0)

/**
 * Reports whether another delivery may run, given the number of running deliveries of its URL,
 * host, and tenant.
 */
function hasPlace(
  world: ReceiverSlots,
  of: UrlOf,
  running: { readonly url: number; readonly host: number; readonly tenant: number },
): boolean {
  const reserved = earnedBy(world, of) === 1 ? 1 : 0
  return (
    running.url < limitOf(world, of) &&
    running.host < Math.max(1, hostMost(world) - reserved) &&
    running.tenant < Math.max(1, tenantMost(world) - reserved)
  )
}

/**
 * Returns true if this delivery partition may send now; otherwise, `leave` of another delivery
 * wakes it later. A running delivery is not admitted twice, because wakes repeat.
 */
export function enter(world: ReceiverSlots, receiver: Receiver, partition: string): boolean {
  const { tenants } = throttleOf(world)
  const hosts: Hosts = tenants.get(receiver.tenant) ?? new Map()
  tenants.set(receiver.tenant, hosts)
  const host: Host = hosts.get(receiver.host) ?? { running: 0, lines: new Map() }
  hosts.set(receiver.host, host)
  const line = host.lines.get(receiver.url) ?? { running: new Set(), waiting: new Set() }
  host.lines.set(receiver.url, line)
  if (line.running.has(partition)) return false
  const running = { url: line.running.size, host: host.running, tenant: runningOf(hosts) }
  if (!hasPlace(world, receiver, running)) {
    line.waiting.add(partition)
    return false
  }
  line.waiting.delete(partition)
  line.running.add(partition)
  host.running += 1
  return true
}

/** Counts the result of an attempt; returns the receiver's number of consecutive failures. */
export function countAttempt(
  world: ReceiverSlots,
  receiver: Receiver,
  { ok, ms }: { readonly ok: boolean; readonly ms: number },
): number {
  const { limits, failures } = throttleOf(world)
  const more = Math.min(MOST, limitOf(world, receiver) + 1)
  limits.set(nameOf(receiver), ok && ms < SLOW_MS ? more : 1)
  const id = `${receiver.tenant}\n${receiver.id}`
  const inARow = ok ? 0 : Math.min(BREAKER_FAILURES, (failures.get(id) ?? 0) + 1)
  failures.set(id, inARow)
  return inARow
}

/**
 * Releases the slot of a delivery and returns the deliveries to wake, alternating between hosts and
 * between the URLs of a host.
 */
export function leave(
  world: ReceiverSlots,
  receiver: Receiver,
  partition: string,
): readonly string[] {
  const { tenants } = throttleOf(world)
  const { tenant } = receiver
  const hosts = tenants.get(tenant)
  if (!hosts) return []
  const host = hosts.get(receiver.host)
  const line = host?.lines.get(receiver.url)
  if (host && line?.running.delete(partition)) host.running -= 1
  const wokenPartitions: string[] = []
  const promised = new Map<Host | Line, number>()
  for (;;) {
    const running = runningOf(hosts) + wokenPartitions.length
    const next = takeWaiting(world, hosts, { tenant, running, promised })
    if (next === undefined) break
    wokenPartitions.push(next)
  }
  if (host && line) keepUnlessIdle(hosts, [receiver.host, host], [receiver.url, line])
  if (hosts.size === 0) tenants.delete(tenant)
  return wokenPartitions
}

interface Taking {
  readonly tenant: string
  /** Number of the tenant's running deliveries, including woken ones that are not running yet. */
  readonly running: number
  /** Number of woken deliveries, by host and by URL. */
  readonly promised: Map<Host | Line, number>
}

/** Removes the next delivery that may run from its URL's waiting deliveries and returns it. */
function takeWaiting(
  world: ReceiverSlots,
  hosts: Hosts,
  { tenant, running, promised }: Taking,
): string | undefined {
  if (running >= tenantMost(world)) return undefined
  const promisedTo = (unit: Host | Line): number => promised.get(unit) ?? 0
  for (const [name, host] of hosts) {
    const atHost = host.running + promisedTo(host)
    if (atHost >= hostMost(world)) continue
    for (const [url, line] of host.lines) {
      const [first] = line.waiting
      const counts = { url: line.running.size + promisedTo(line), host: atHost, tenant: running }
      if (first === undefined || !hasPlace(world, { tenant, url }, counts)) continue
      line.waiting.delete(first)
      for (const unit of [host, line]) promised.set(unit, promisedTo(unit) + 1)
      // The next free slot goes to another host, and within this host to another URL.
      hosts.delete(name)
      host.lines.delete(url)
      keepUnlessIdle(hosts, [name, host], [url, line])
      return first
    }
  }
  return undefined
}

/** Stores the host and the URL in their maps again, unless they have no deliveries left. */
function keepUnlessIdle(
  hosts: Hosts,
  [name, host]: readonly [string, Host],
  [url, line]: readonly [string, Line],
): void {
  if (line.running.size + line.waiting.size > 0) host.lines.set(url, line)
  else host.lines.delete(url)
  if (host.lines.size > 0) hosts.set(name, host)
  else hosts.delete(name)
}
