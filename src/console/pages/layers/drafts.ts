/**
 * Text that is not saved yet, in sessionStorage: a reload keeps it. Each draft remembers the
 * text that it began from, for the three-way view when somebody else was faster.
 */

import { useSyncExternalStore } from 'react'

export interface Draft {
  readonly text: string
  readonly base: string
  /** As `If-Match` takes it; null: the file is new. */
  readonly etag: string | null
}

const PREFIX = 'strata.layers.draft '
const drafts = new Map<string, Draft>()
/** Too large for the storage: they live as long as the page. */
const unkept = new Set<string>()
const listeners = new Set<() => void>()
let paths: readonly string[] = []

function load(): void {
  for (let at = 0; at < sessionStorage.length; at += 1) {
    const key = sessionStorage.key(at) ?? ''
    if (!key.startsWith(PREFIX)) continue
    const draft = draftIn(sessionStorage.getItem(key))
    if (draft) drafts.set(key.slice(PREFIX.length), draft)
  }
  paths = [...drafts.keys()]
}

/** Others may have written there too: only what looks like a draft is one. */
export function draftIn(text: string | null): Draft | undefined {
  try {
    const { text: typed, base, etag } = JSON.parse(text ?? '') as Partial<Draft>
    if (typeof typed !== 'string' || typeof base !== 'string') return undefined
    return { text: typed, base, etag: typeof etag === 'string' ? etag : null }
  } catch {
    return undefined
  }
}

export const draftOf = (path: string): Draft | undefined => drafts.get(path)

/** Below it a draft is written with each change; above it, when typing pauses. */
const LARGE = 100_000
const PAUSE_MS = 500
const waiting = new Map<string, ReturnType<typeof setTimeout>>()

export function keepDraft(path: string, draft: Draft): void {
  const isNew = !drafts.has(path)
  drafts.set(path, draft)
  if (isNew) changed()
  clearTimeout(waiting.get(path))
  if (draft.text.length + draft.base.length < LARGE) store(path)
  else waiting.set(path, setTimeout(store, PAUSE_MS, path))
}

function store(path: string): void {
  waiting.delete(path)
  const draft = drafts.get(path)
  if (!draft) return
  const wasUnkept = unkept.has(path)
  try {
    sessionStorage.setItem(PREFIX + path, JSON.stringify(draft))
    unkept.delete(path)
  } catch {
    // An older state of it would be worse than none.
    sessionStorage.removeItem(PREFIX + path)
    unkept.add(path)
  }
  if (unkept.has(path) !== wasUnkept) changed()
}

function storeAll(): void {
  for (const [path, timer] of waiting) {
    clearTimeout(timer)
    store(path)
  }
}

export function forgetDraft(path: string): void {
  if (!drafts.delete(path)) return
  clearTimeout(waiting.get(path))
  waiting.delete(path)
  unkept.delete(path)
  sessionStorage.removeItem(PREFIX + path)
  changed()
}

function changed(): void {
  paths = [...drafts.keys()]
  for (const listener of listeners) listener()
}

/** A reload would lose it: it is too large for the storage. */
export const isUnkept = (path: string): boolean => unkept.has(path)

/** The files with unsaved text. */
export const useDrafts = (): readonly string[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => paths,
  )

if (typeof sessionStorage !== 'undefined') {
  load()
  addEventListener('pagehide', storeAll)
}
