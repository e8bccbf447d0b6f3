/**
 * Time-outs around every port, so that the engine gets a result or an error in time, regardless of
 * client libraries, sockets, and peers. An aborted call has a short grace period and is then
 * abandoned; later effects of the call are ignored.
 */

import type { ServerEntry } from '../../core/config/types.ts'
import { LIMITS } from '../../core/limits.ts'
import { fail } from '../../lib/outcome.ts'
import { Unavailable } from '../../lib/unavailable.ts'
import type { Clock, Objects, World } from '../../ports/world.ts'

/** Abort reason; without a reason, each abort would create an exception with a stack trace. */
const OVER = 'over'
/** Grace period of a port call after its time-out or abort, in milliseconds. */
const GRACE_MS = 5_000

const STORAGE_MS = LIMITS.storage_call_seconds * 1_000
const MODEL_MS = LIMITS.model_call_seconds * 1_000 + GRACE_MS
const TOOL_MS = LIMITS.tool_call_seconds * 1_000
const STARTUP_MS = LIMITS.server_startup_seconds * 1_000

/**
 * Returns the world with time-outs around all port calls. `eventOf` returns the current event, for
 * platforms on which timers end with their event.
 */
export function withTimeouts(world: World, eventOf: () => object = () => world): World {
  const { store, objects, queue, model, tools, web, secrets, clock } = world
  const late = deadlines(clock, eventOf)
  const storage = storageCalls(late)
  return {
    ...world,
    // An in-process store completes each call synchronously and needs no time-outs.
    store: world.settings.singleProcess
      ? store
      : {
          ...store,
          read: (partition, after) => storage('reading a partition', store.read(partition, after)),
          heads: (partitions) => storage('reading heads', store.heads(partitions)),
          // The timed-out commit may have succeeded; its caller resolves the ambiguity (PROTOCOL.md
          // rule 6).
          commit: (partition, writes, head) =>
            late(store.commit(partition, writes, head), STORAGE_MS, () => 'ambiguous' as const),
          due: (now, cursor) => storage('reading due partitions', store.due(now, cursor)),
          list: (under, cursor, limit) =>
            storage('reading a list', store.list(under, cursor, limit)),
          find: (under, query) => storage('reading a list', store.find(under, query)),
          drop: (partition) => storage('deleting a partition', store.drop(partition)),
        },
    objects: timedObjects(objects, storage),
    queue: {
      ...queue,
      send: (wakes, delayMs) => late(queue.send(wakes, delayMs), STORAGE_MS, () => 'lost' as const),
    },
    secrets: {
      ...secrets,
      get: (...secret) => storage('reading a secret', secrets.get(...secret)),
      names: (...selection) => storage('listing secrets', secrets.names(...selection)),
      bindings: (...owner) => storage('listing secrets', secrets.bindings(...owner)),
    },
    model: {
      ...model,
      respond(request, options) {
        const stopped = () =>
          fail({
            code: 'aborted',
            message: 'the model call did not complete',
            retryable: true,
          } as const)
        return late(model.respond(request, options), MODEL_MS, stopped, options.signal)
      },
    },
    tools: {
      ...tools,
      list: (tenant, server, signal) =>
        late(tools.list(tenant, server, signal), startupMs(server), unanswered, signal),
      call(tenant, server, call) {
        const stopped = () => fail({ code: 'timeout', message: NO_END } as const)
        const ms = Math.min(TOOL_MS, server.tool_timeout_sec * 1_000) + GRACE_MS
        return late(tools.call(tenant, server, call), ms, stopped, call.signal)
      },
      // The time-out of the probe covers connecting to the server and listing its tools.
      probe: (tenant, server, signal) =>
        late(tools.probe(tenant, server, signal), 2 * startupMs(server), unanswered, signal),
    },
    web: {
      ...web,
      send: (request, signal) =>
        late(
          web.send(request, signal),
          request.timeoutMs + GRACE_MS,
          () => fail(`timed out after ${request.timeoutMs} ms`),
          signal,
        ),
    },
  }
}

/** Wraps the calls of a bucket client that exists per event with time-outs. */
export const objectsWithTimeouts = (objects: Objects, clock: Clock): Objects =>
  timedObjects(objects, storageCalls(deadlines(clock, () => objects)))

type StorageCall = <T>(operation: string, call: Promise<T>) => Promise<T>

const storageCalls =
  (late: Late): StorageCall =>
  (operation, call) =>
    late(call, STORAGE_MS, () => {
      throw new Unavailable(`${operation} took longer than ${LIMITS.storage_call_seconds} s`)
    })

const timedObjects = (objects: Objects, storage: StorageCall): Objects => ({
  get: (key) => storage('reading an object', objects.get(key)),
  put: (key, body, expect) => storage('writing an object', objects.put(key, body, expect)),
  delete: (key, expect) => storage('deleting an object', objects.delete(key, expect)),
  list: (prefix, cursor) => storage('listing objects', objects.list(prefix, cursor)),
})

const startupMs = ({ startup_timeout_sec }: Pick<ServerEntry, 'startup_timeout_sec'>): number =>
  Math.min(STARTUP_MS, startup_timeout_sec * 1_000) + GRACE_MS
const unanswered = () => fail('no response in time')
const NO_END = 'the call timed out'

type Late = <T>(
  call: Promise<T>,
  ms: number,
  otherwise: () => T,
  signal?: AbortSignal,
) => Promise<T>

/** Pending port call, and the handler of its time-out. */
interface Pending {
  /** Deadline of the call on the monotonic clock. */
  readonly at: number
  /**
   * Handler of the time-out; cleared when the call ends, so that a pending timer does not retain
   * the call's result.
   */
  expire: (() => void) | undefined
}

/**
 * Groups calls by time-out. Calls with the same time-out expire in the order in which they started,
 * so each time-out needs one timer. A call that ends in time, as nearly all calls do, costs no
 * timer.
 */
function deadlines(clock: Clock, eventOf: () => object): Late {
  const events = new WeakMap<object, Map<number, Set<Pending>>>()
  const stops = new WeakMap<Set<Pending>, AbortController>()
  const callsNow = (): Map<number, Set<Pending>> => {
    const event = eventOf()
    const calls = events.get(event) ?? new Map<number, Set<Pending>>()
    events.set(event, calls)
    return calls
  }
  const watch = async (
    calls: Map<number, Set<Pending>>,
    ms: number,
    pending: Set<Pending>,
  ): Promise<void> => {
    const stop = new AbortController()
    stops.set(pending, stop)
    for (const first of pending) {
      const wait = first.at - clock.monotonic()
      if (wait > 0) await clock.sleep(wait, stop.signal)
      if (pending.delete(first)) first.expire?.()
    }
    stops.delete(pending)
    if (calls.get(ms) === pending) calls.delete(ms)
  }
  const add = (ms: number, expire: () => void): (() => void) => {
    const entry: Pending = { at: clock.monotonic() + ms, expire }
    const calls = callsNow()
    const existing = calls.get(ms)
    const pending = existing ?? new Set<Pending>()
    pending.add(entry)
    if (!existing) {
      calls.set(ms, pending)
      void watch(calls, ms, pending)
    }
    return () => {
      pending.delete(entry)
      entry.expire = undefined
      if (pending.size > 0 || calls.get(ms) !== pending) return
      calls.delete(ms)
      stops.get(pending)?.abort(OVER)
    }
  }
  return <T>(call: Promise<T>, ms: number, otherwise: () => T, signal?: AbortSignal): Promise<T> =>
    new Promise((resolve, reject) => {
      const expire = (): void => {
        settle()
        try {
          resolve(otherwise())
        } catch (error) {
          reject(error)
        }
      }
      const over = [add(ms, expire)]
      const onAbort = (): void => void over.push(add(GRACE_MS, expire))
      const settle = (): void => {
        for (const end of over) end()
        signal?.removeEventListener('abort', onAbort)
      }
      if (signal?.aborted) onAbort()
      else signal?.addEventListener('abort', onAbort, { once: true })
      call.then(
        (value) => {
          settle()
          resolve(value)
        },
        (error: unknown) => {
          settle()
          reject(error)
        },
      )
    })
}
