/**
 * Runs that are followed as they go, each with all below it: once, however many parts of the page
 * look at it. A connection that breaks is said and taken up again where it was.
 */

import { useEffect, useSyncExternalStore } from 'react'
import { api, noteProblem } from '../app/api.ts'
import { readAll } from './conversation.ts'
import { type ChatEvent, NOTHING, type RunView, type Tree } from './shape.ts'

export interface Live {
  readonly tree: Tree
  /** The server does not answer; it is asked again. */
  readonly lost: boolean
  /** Nothing more will come. */
  readonly over: boolean
  readonly error?: unknown
}

interface Followed {
  live: Live
  watchers: number
  stop: AbortController | undefined
  readonly waiting: ChatEvent[]
  readonly listeners: Set<() => void>
}

const NONE: Live = { tree: NOTHING, lost: false, over: false }
/** Pieces of text come faster than eyes see. */
const PAINT_MS = 40
/** Going from one page to the next is no reason to begin again. */
const LINGER_MS = 10_000
const DAY_MS = 86_400_000

const all = new Map<string, Followed>()

function followed(id: string): Followed {
  const known = all.get(id)
  if (known) return known
  const made: Followed = {
    ...{ live: NONE, watchers: 0, stop: undefined },
    ...{ waiting: [], listeners: new Set<() => void>() },
  }
  all.set(id, made)
  return made
}

function become(one: Followed, change: Partial<Live>): void {
  one.live = { ...one.live, ...change }
  for (const listener of one.listeners) listener()
}

function paint(one: Followed): void {
  if (one.waiting.length === 0) return
  become(one, { tree: readAll(one.waiting.splice(0), one.live.tree), lost: false })
}

async function begin(id: string, one: Followed): Promise<void> {
  const stop = new AbortController()
  one.stop = stop
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    const events = api.runs.stream(id, {
      ...{ tree: true, signal: stop.signal, giveUpMs: DAY_MS },
      onLost: () => become(one, { lost: true }),
      onBack: () => become(one, { lost: false }),
    })
    for await (const event of events) {
      one.waiting.push(event)
      timer ??= setTimeout(() => {
        timer = undefined
        paint(one)
      }, PAINT_MS)
    }
    paint(one)
    become(one, { over: true, lost: false })
  } catch (error) {
    paint(one)
    if (stop.signal.aborted) return
    noteProblem(error)
    become(one, { error, lost: false })
  } finally {
    clearTimeout(timer)
    if (one.stop === stop) one.stop = undefined
  }
}

function watch(id: string): () => void {
  const one = followed(id)
  one.watchers += 1
  if (!one.stop && !one.live.over && !one.live.error) void begin(id, one)
  return () => {
    one.watchers -= 1
    setTimeout(() => {
      if (one.watchers === 0) one.stop?.abort()
    }, LINGER_MS)
  }
}

/** Asks again after an error. */
export function followAgain(id: string): void {
  const one = followed(id)
  become(one, { error: undefined })
  if (!one.stop) void begin(id, one)
}

/** Somebody has signed in again: what the end of the session broke off goes on by itself. */
export function followAllAgain(): void {
  for (const [id, one] of all) {
    if (one.live.error === undefined) continue
    if (one.watchers > 0) followAgain(id)
    else become(one, { error: undefined })
  }
}

export function useLive(id: string | undefined): Live {
  useEffect(() => (id === undefined ? undefined : watch(id)), [id])
  return useSyncExternalStore(
    (listener) => {
      if (id === undefined) return () => {}
      const { listeners } = followed(id)
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => (id === undefined ? NONE : (all.get(id)?.live ?? NONE)),
  )
}

/** A run as it was seen while it was followed, also as a part of another one's tree. */
export function seenOf(run: string): RunView | undefined {
  for (const { live } of all.values()) {
    const found = live.tree.runs[run]
    if (found) return found
  }
  return undefined
}

/** A session has ended: what it saw is not for the next one. */
export function forgetAll(): void {
  for (const one of all.values()) one.stop?.abort()
  all.clear()
}
