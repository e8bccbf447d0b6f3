/**
 * Attached files through a reload. They are too large for the tab's own storage, so they stand in
 * the browser's database under the name of the tab, until they are sent or a day is over.
 */

import type { Schemas } from '../app/api.ts'

const STORE = 'attached'
const TAB = 'strata.tab'
const DAY_MS = 86_400_000

type Part = Extract<Schemas['InputPart'], { type: 'image' | 'file' }>
export interface Attached {
  readonly key: string
  readonly name: string
  readonly part: Part
}
interface Kept {
  readonly files: readonly Attached[]
  readonly at: number
}

let opened: Promise<IDBDatabase> | undefined

const asked = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

function database(): Promise<IDBDatabase> {
  opened ??= (() => {
    const opening = indexedDB.open('strata', 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
    return asked(opening)
  })()
  return opened
}

/** Rejects unless it is on the disk. */
async function written(change: (store: IDBObjectStore) => void): Promise<void> {
  const transaction = (await database()).transaction(STORE, 'readwrite')
  change(transaction.objectStore(STORE))
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
    transaction.onerror = () => reject(transaction.error)
  })
}

function tab(): string {
  const known = sessionStorage.getItem(TAB) ?? crypto.randomUUID()
  sessionStorage.setItem(TAB, known)
  return known
}

export const keepFiles = (session: string, files: readonly Attached[]): Promise<void> =>
  written((store) => {
    const key = `${tab()} ${session}`
    if (files.length === 0) store.delete(key)
    else store.put({ files, at: Date.now() } satisfies Kept, key)
  })

/** Of this tab, by their sessions; those of tabs that were closed long ago go. */
export async function keptFiles(): Promise<ReadonlyMap<string, readonly Attached[]>> {
  const store = (await database()).transaction(STORE).objectStore(STORE)
  const [keys, values] = await Promise.all([asked(store.getAllKeys()), asked(store.getAll())])
  const own = `${tab()} `
  const found = new Map<string, readonly Attached[]>()
  const old: IDBValidKey[] = []
  for (const [at, key] of keys.entries()) {
    const kept = values[at] as Kept
    if (Date.now() - kept.at > DAY_MS) old.push(key)
    else if (String(key).startsWith(own)) found.set(String(key).slice(own.length), kept.files)
  }
  if (old.length > 0) {
    await written((all) => {
      for (const key of old) all.delete(key)
    })
  }
  return found
}

/** Nothing of a person who has signed out stays on the disk. */
export const forgetFiles = (): Promise<void> => written((store) => store.clear())
