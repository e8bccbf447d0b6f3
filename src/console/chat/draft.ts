/**
 * Drafts, one for each conversation: text, choices and files stay with this tab until they are
 * sent, through reloads and failures.
 */

import { useSyncExternalStore } from 'react'
import { type Attached, forgetFiles, keepFiles, keptFiles } from './kept-files.ts'

export interface Draft {
  readonly text: string
  /** Sent again under the same key, what was taken already is not taken twice. */
  readonly sendKey: string
}
export interface Choice {
  readonly agent?: string
  readonly role?: string
  readonly repo_dir?: string
  readonly model?: string
}

const listeners = new Set<() => void>()
const files = new Map<string, readonly Attached[]>()
const read = new Map<string, Draft>()
/** Sessions whose files this browser does not keep: a reload would lose them. */
const unkept = new Set<string>()

/** Sessions whose files are on their way to the disk. */
const keeping = new Map<string, number>()

const stored = (session: string): string => `strata.draft.${session}`
const said = (): void => {
  for (const listener of listeners) listener()
}

export function draftOf(session: string): Draft {
  const known = read.get(session)
  if (known) return known
  const text = sessionStorage.getItem(stored(session)) ?? ''
  const sendKey = sessionStorage.getItem(`${stored(session)}.key`) ?? crypto.randomUUID()
  const draft = { text, sendKey }
  read.set(session, draft)
  return draft
}

/** A changed text is another message. */
export function setDraft(session: string, text: string): void {
  const sendKey = crypto.randomUUID()
  read.set(session, { text, sendKey })
  if (text === '' && filesOf(session).length === 0) {
    sessionStorage.removeItem(stored(session))
    sessionStorage.removeItem(`${stored(session)}.key`)
  } else {
    sessionStorage.setItem(stored(session), text)
    sessionStorage.setItem(`${stored(session)}.key`, sendKey)
  }
  said()
}

const NO_FILES: readonly Attached[] = []
export const filesOf = (session: string): readonly Attached[] => files.get(session) ?? NO_FILES

const listed = (session: string): string => `${stored(session)}.files`

/**
 * Which files a draft has stands in the tab's own storage: that is written at once, where the end
 * of a page breaks off a change of the database that has their bytes.
 */
function list(session: string, attached: readonly Attached[]): void {
  if (attached.length === 0) sessionStorage.removeItem(listed(session))
  else sessionStorage.setItem(listed(session), JSON.stringify(attached.map(({ key }) => key)))
}

export function setFiles(session: string, next: readonly Attached[]): void {
  const before = filesOf(session)
  files.set(session, next)
  list(session, next)
  setDraft(session, draftOf(session).text)
  if (next.length > 0 || before.length > 0) void keep(session, next)
}

async function keep(session: string, next: readonly Attached[]): Promise<void> {
  const under = (by: number): void => {
    keeping.set(session, (keeping.get(session) ?? 0) + by)
    said()
  }
  under(1)
  await keepFiles(session, next).then(
    () => unkept.delete(session),
    () => (next.length > 0 ? unkept.add(session) : unkept.delete(session)),
  )
  under(-1)
}

/** Files of before a reload; what was attached or sent meanwhile counts more. */
async function restore(): Promise<void> {
  for (const [session, kept] of await keptFiles()) {
    if (files.has(session)) continue
    const keys = new Set<string>(JSON.parse(sessionStorage.getItem(listed(session)) ?? '[]'))
    const own = kept.filter(({ key }) => keys.has(key))
    files.set(session, own)
    if (own.length < kept.length) void keep(session, own)
  }
  said()
}

/** A browser that keeps nothing has nothing to bring back: it says so when something is attached. */
if (typeof indexedDB !== 'undefined') void restore().catch(() => {})

/** Files of all tabs, on the disk too. */
export async function dropFiles(): Promise<void> {
  files.clear()
  said()
  await forgetFiles().catch(() => {})
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const useDraft = (session: string): Draft =>
  useSyncExternalStore(subscribe, () => draftOf(session))
/** A reload this moment might lose them. */
export const useKeeping = (session: string): boolean =>
  useSyncExternalStore(subscribe, () => (keeping.get(session) ?? 0) > 0)
/** A reload would lose them. */
export const useUnkept = (session: string): boolean =>
  useSyncExternalStore(subscribe, () => unkept.has(session))
export const useFiles = (session: string): readonly Attached[] =>
  useSyncExternalStore(subscribe, () => filesOf(session))

const IMAGE = /^image\/(?:png|jpeg|gif|webp)$/

export async function attached(file: File): Promise<Attached> {
  const data = base64(new Uint8Array(await file.arrayBuffer()))
  const type = IMAGE.test(file.type) ? 'image' : 'file'
  const name = file.name.slice(0, 200) || type
  return { key: crypto.randomUUID(), name, part: { type, data, name } }
}

const CHUNK = 0x8000

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  }
  return btoa(text)
}

/** As a message takes it: plain text, or parts. */
export function contentOf(text: string, given: readonly Attached[]) {
  if (given.length === 0) return text
  const said = text.trim() === '' ? [] : [{ type: 'text' as const, text }]
  return [...said, ...given.map(({ part }) => part)]
}
