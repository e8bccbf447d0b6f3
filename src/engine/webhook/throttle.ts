/**
 * Limits concurrent deliveries in this process. One URL has one place at first, up to four while it
 * answers soon, one while it fails or is slow. The URLs of one host share half of the tenant's
 * places and never give all of them to one, so a slow URL delays no other URL of its host; slow
 * ones leave the last place free, and no tenant takes all. A delivery without a place waits here,
 * holds nothing meanwhile, and is woken when one is free; its alarm is the backstop.
 */

import { LRUCache } from 'lru-cache'
import { LIMITS } from '../../core/limits.ts'
import { BREAKER_FAILURES } from '../../core/webhook/endpoint.ts'
import type { World } from '../../ports/world.ts'
import { processMemory } from '../partition/process.ts'

/** The receiver of a delivery. */
export interface Receiver {
  readonly tenant: string
  /** `host` or `host:port`, in its one form. */
  readonly host: string
  /** Without its query, which often names the run: places are counted by it. */
  readonly url: string
  /** The endpoint, or the URL of a run's webhook: failures are counted by it. */
  readonly id: string
}

/** Partitions of one URL. */
interface Line {
  readonly running: Set<string>
  /** In the order in which they came. */
  readonly waiting: Set<string>
}
interface Host {
  running: number
  /** Lines by URL that have running or waiting deliveries. */
  readonly lines: Map<string, Line>
}
type Hosts = Map<string, Host>
interface Throttle {
  /** Hosts by tenant that have running or waiting deliveries. */
  readonly tenants: Map<string, Hosts>
  /** How many places a URL has earned; one: it fails or is slow. */
  readonly limits: LRUCache<string, number>
  /** Failures in a row, by endpoint. */
  readonly failures: LRUCache<string, number>
}
type ReceiverSlots = Pick<World, 'store'> & {
  readonly settings: Pick<World['settings'], 'deliveries'>
}

const START = 1
const MOST = 4
/** Default for a host that does not say how many it handles at once. */
const PLACES = 4
/** A URL that takes so long gets one delivery at a time: a third of an attempt's time. */
const SLOW_MS = (LIMITS.webhook_timeout_seconds * 1_000) / 3

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
const hostMost = (world: ReceiverSlots): number => Math.ceil(tenantMost(world) / 2)

/** The share of one URL: a second URL of the host always finds a place. */
const urlMost = (world: ReceiverSlots): number => Math.max(1, Math.min(MOST, hostMost(world) - 1))

type UrlOf = Pick<Receiver, 'tenant' | 'url'>
const nameOf = ({ tenant, url }: UrlOf): string => `${tenant}\n${url}`

const earnedBy = (world: ReceiverSlots, of: UrlOf): number | undefined =>
  throttleOf(world).limits.get(nameOf(of))

const limitOf = (world: ReceiverSlots, of: UrlOf): number =>
  Math.min(urlMost(world), earnedBy(world, of) ?? START)

const runningOf = (hosts: Hosts): number =>
  [...hosts.values()].reduce((sum, { running }) => sum + running, 0)

/** Whether one more may run, where so many are running at the URL, its host, and its tenant. */
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
 * True when this partition may send now; else it is woken later, by `leave` of another. One that is
 * at it already is not let in a second time: wakes repeat.
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

/** Counts the result of an attempt; returns the failures in a row up to now. */
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

/** Gives the place back; who may be woken for it: of each host and URL one, in turn. */
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
  /** With those that were woken and do not run yet. */
  readonly running: number
  /** Woken deliveries by host and line. */
  readonly promised: Map<Host | Line, number>
}

/** Takes the next one that may run out of its line. */
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
      // The next place is another host's, and within this host another URL's.
      hosts.delete(name)
      host.lines.delete(url)
      keepUnlessIdle(hosts, [name, host], [url, line])
      return first
    }
  }
  return undefined
}

/** Puts both into their maps, or removes those at which nothing runs or waits. */
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
