/**
 * Live runs with their subagents, each followed once regardless of how many components show it. A
 * page has at most one stream and polls its other runs. The API client resumes broken connections.
 */

import { useEffect, useSyncExternalStore } from 'react'
import type { RunEvent } from '../../client/index.ts'
import { readAll } from '../log/conversation.ts'
import { type ChatEvent, EMPTY_TREE, type RunView, type Tree } from '../log/shape.ts'
import { api, noteProblem, ProblemError } from './api.ts'
import { mayPass, pollOf } from './poll.ts'
import { inSlot } from './stream-slot.ts'

export interface Live {
  readonly tree: Tree
  /** Events received so far, in order of arrival; a reconnection can repeat some. */
  readonly events: readonly RunEvent[]
  /**
   * Time when the server stopped responding, in milliseconds since 1970; the client keeps retrying.
   */
  readonly lostAt?: number | undefined
  /** Whether the run has ended and all of its events have arrived. */
  readonly isOver: boolean
  readonly error?: unknown
}

interface Followed {
  live: Live
  watchers: number
  stop: AbortController | undefined
  /** ID of the last event received by the stream, after which another stream resumes. */
  lastEventId: string | undefined
  readonly waiting: ChatEvent[]
  readonly listeners: Set<() => void>
}

const NONE: Live = { tree: EMPTY_TREE, events: [], isOver: false }
/** Polling interval in milliseconds; after each interval, a stream slot may be free. */
const POLL_MS = 1_000
/** Interval in milliseconds during which events are collected before they are rendered together. */
const PAINT_MS = 40
/** Time in milliseconds for which a stream without a viewer stays open. */
const LINGER_MS = 10_000
/** Time in milliseconds after which a hidden tab closes its streams. */
const HIDDEN_MS = 30_000
const DAY_MS = 86_400_000

const runs = new Map<string, Followed>()

function entryOf(id: string): Followed {
  const entry = runs.get(id)
  if (entry) return entry
  const created: Followed = {
    ...{ live: NONE, watchers: 0, stop: undefined, lastEventId: undefined },
    ...{ waiting: [], listeners: new Set<() => void>() },
  }
  runs.set(id, created)
  return created
}

function become(entry: Followed, change: Partial<Live>): void {
  entry.live = { ...entry.live, ...change }
  for (const listener of entry.listeners) listener()
}

function paint(entry: Followed): void {
  if (entry.waiting.length === 0) return
  const arrived = entry.waiting.splice(0)
  const events = [...entry.live.events, ...arrived.filter(isLogged)]
  become(entry, { tree: readAll(arrived, entry.live.tree), events, lostAt: undefined })
}

const isLogged = (event: ChatEvent): event is RunEvent => 'seq' in event

async function begin(id: string, entry: Followed): Promise<void> {
  const stop = new AbortController()
  entry.stop = stop
  try {
    await follow(id, entry, stop.signal)
    become(entry, { isOver: true, lostAt: undefined })
  } catch (error) {
    paint(entry)
    if (stop.signal.aborted) return
    noteProblem(error)
    become(entry, { error, lostAt: undefined })
  } finally {
    if (entry.stop === stop) entry.stop = undefined
  }
}

/** Follows a run until it ends: by a stream, or by polling while no stream slot is free. */
async function follow(id: string, entry: Followed, signal: AbortSignal): Promise<void> {
  const poll = pollOf(id, {
    tree: () => entry.live.tree,
    take: (events) => {
      entry.waiting.push(...events)
      paint(entry)
    },
    signal,
  })
  while (!(await inSlot(() => streamed(id, entry, signal)))) {
    let pause = POLL_MS
    try {
      if (await poll()) return
      if (entry.live.lostAt !== undefined) become(entry, { lostAt: undefined })
    } catch (error) {
      if (!mayPass(error)) throw error
      const { retryAfterMs = 0 } = error instanceof ProblemError ? error : {}
      pause = Math.max(pause, retryAfterMs)
      become(entry, { lostAt: entry.live.lostAt ?? Date.now() })
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
    signal.throwIfAborted()
  }
}

async function streamed(id: string, entry: Followed, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const events = api.runs.stream(id, {
    ...{ tree: true, signal, giveUpMs: DAY_MS, lastEventId: entry.lastEventId },
    onEventId: (eventId) => {
      entry.lastEventId = eventId
    },
    onLost: () => become(entry, { lostAt: Date.now() }),
    onBack: () => become(entry, { lostAt: undefined }),
  })
  try {
    for await (const event of events) {
      entry.waiting.push(event)
      timer ??= setTimeout(() => {
        timer = undefined
        paint(entry)
      }, PAINT_MS)
    }
  } finally {
    clearTimeout(timer)
    paint(entry)
  }
}

/** Closes the stream of a run. Received events are kept, and a later stream resumes after them. */
function pause(entry: Followed): void {
  entry.stop?.abort()
  entry.stop = undefined
}

/**
 * Hidden tabs close their streams, because a browser allows six connections to an HTTP/1.1 server
 * across all tabs.
 */
let isHidden = false
let hiding: ReturnType<typeof setTimeout> | undefined

function onVisibility(): void {
  clearTimeout(hiding)
  if (document.visibilityState === 'hidden') {
    hiding = setTimeout(() => {
      isHidden = true
      for (const entry of runs.values()) pause(entry)
    }, HIDDEN_MS)
  } else if (isHidden) {
    isHidden = false
    for (const [id, entry] of runs) if (entry.watchers > 0) beginOnce(id, entry)
  }
}
document.addEventListener('visibilitychange', onVisibility)
// The tab may have been opened in the background, where it is hidden.
onVisibility()

function beginOnce(id: string, entry: Followed): void {
  const { error, isOver } = entry.live
  if (!entry.stop && !isOver && error === undefined && !isHidden) void begin(id, entry)
}

function watch(id: string): () => void {
  const entry = entryOf(id)
  entry.watchers += 1
  // The page's only stream is reserved for visible runs.
  for (const other of runs.values()) if (other.watchers === 0) pause(other)
  beginOnce(id, entry)
  return () => {
    entry.watchers -= 1
    setTimeout(() => {
      if (entry.watchers === 0) pause(entry)
    }, LINGER_MS)
  }
}

/** Resumes following a run after the page stopped because of an error. */
export function followAgain(id: string): void {
  const entry = entryOf(id)
  entry.lastEventId = undefined
  become(entry, { error: undefined })
  beginOnce(id, entry)
}

/** Resumes following all runs that stopped because the browser session ended. */
export function followAllAgain(): void {
  for (const [id, entry] of runs) {
    if (entry.live.error === undefined) continue
    if (entry.watchers > 0) followAgain(id)
    else become(entry, { error: undefined })
  }
}

export function useLive(id: string | undefined): Live {
  useEffect(() => (id === undefined ? undefined : watch(id)), [id])
  return useSyncExternalStore(
    (listener) => {
      if (id === undefined) return () => {}
      const { listeners } = entryOf(id)
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => (id === undefined ? NONE : (runs.get(id)?.live ?? NONE)),
  )
}

/** Returns the last known view of a run, including a run below another root. */
export function lastSeen(run: string): RunView | undefined {
  for (const { live } of runs.values()) {
    const view = live.tree.runs[run]
    if (view) return view
  }
  return undefined
}

/** Deletes the data of all runs, because another session may lack permission to read them. */
export function forgetRuns(): void {
  for (const entry of runs.values()) entry.stop?.abort()
  runs.clear()
}
