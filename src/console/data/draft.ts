/**
 * Message drafts, one per conversation. A draft is kept in the tab's session storage until sent,
 * and survives reloads and failures. Files that do not fit stay only in memory.
 */

import { useSyncExternalStore } from 'react'
import { type Attachment, keepFiles, keptFiles } from './draft-files.ts'

export interface Draft {
  readonly text: string
  /** Idempotency key, so that a message sent twice is processed once. */
  readonly sendKey: string
}

/** Draft key of the new conversation, which has no ID yet. */
export const NEW = 'new'

const PREFIX = 'strata.draft.'
const listeners = new Set<() => void>()
const drafts = new Map<string, Draft>()
const files = new Map<string, Files>()

/** Files attached to a draft. */
interface Files {
  readonly attached: readonly Attachment[]
  /** Names of attached files that would be lost after a reload. */
  readonly unkept: readonly string[]
  /** Names of attached files that were lost after a reload. */
  readonly lost: readonly string[]
}

function notify(): void {
  for (const listener of listeners) listener()
}

export function draftOf(session: string): Draft {
  const cachedDraft = drafts.get(session)
  if (cachedDraft) return cachedDraft
  const [sendKey = '', ...lines] = (sessionStorage.getItem(PREFIX + session) ?? '').split('\n')
  const draft = { text: lines.join('\n'), sendKey: sendKey || crypto.randomUUID() }
  drafts.set(session, draft)
  return draft
}

/** Stores a draft's text with a new idempotency key, because the message has changed. */
function renew(session: string, text: string): void {
  const sendKey = crypto.randomUUID()
  drafts.set(session, { text, sendKey })
  if (text === '' && filesOf(session).length === 0) sessionStorage.removeItem(PREFIX + session)
  else sessionStorage.setItem(PREFIX + session, `${sendKey}\n${text}`)
}

export function setDraft(session: string, text: string): void {
  renew(session, text)
  notify()
}

function draftFiles(session: string): Files {
  const cachedFiles = files.get(session)
  if (cachedFiles) return cachedFiles
  const { files: attached, unkept, lost: lostFiles } = keptFiles(session)
  const restoredFiles: Files = { attached, unkept: [], lost: [...lostFiles, ...unkept] }
  files.set(session, restoredFiles)
  if (unkept.length > 0) {
    keepFiles(session, attached, restoredFiles.lost)
    renew(session, draftOf(session).text)
  }
  return restoredFiles
}

export const filesOf = (session: string): readonly Attachment[] => draftFiles(session).attached

/**
 * Attaches files to a draft. A lost file that the user attaches again is no longer listed as lost.
 */
export function addFiles(session: string, added: readonly Attachment[]): void {
  const { attached, lost: lostFiles } = draftFiles(session)
  const names = new Set(added.map(({ name }) => name))
  setFiles(
    session,
    [...attached, ...added],
    lostFiles.filter((name) => !names.has(name)),
  )
}

/** Sets the files of a draft; `lost` contains the names that stay listed as lost. */
export function setFiles(
  session: string,
  attached: readonly Attachment[],
  lostFiles: readonly string[] = [],
): void {
  const unkept = keepFiles(session, attached, lostFiles)
  files.set(session, { attached, unkept, lost: lostFiles })
  setDraft(session, draftOf(session).text)
}

/** Functions that delete drafts of other pages which are only in memory. */
const droppers = new Set<() => void>()
export const whenDropped = (drop: () => void): unknown => droppers.add(drop)

/** Deletes the drafts of all conversations and of other pages. */
export function dropDrafts(): void {
  drafts.clear()
  files.clear()
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith('strata.')) sessionStorage.removeItem(key)
  for (const drop of droppers) drop()
  notify()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const useDraft = (session: string): Draft =>
  useSyncExternalStore(subscribe, () => draftOf(session))
export const useFiles = (session: string): Files =>
  useSyncExternalStore(subscribe, () => draftFiles(session))

const IMAGE = /^image\/(?:png|jpeg|gif|webp)$/
const NAME_LENGTH = 200

export async function attachmentOf(file: File): Promise<Attachment> {
  const data = base64(new Uint8Array(await file.arrayBuffer()))
  const type = IMAGE.test(file.type) ? 'image' : 'file'
  const name = file.name.slice(0, NAME_LENGTH) || type
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

/** Returns message content: plain text, or message parts if files are attached. */
export function contentOf(text: string, attachments: readonly Attachment[]) {
  if (attachments.length === 0) return text
  const texts = text.trim() === '' ? [] : [{ type: 'text' as const, text }]
  return [...texts, ...attachments.map(({ part }) => part)]
}
