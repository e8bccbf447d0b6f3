/**
 * Sends the selected files to a folder below `imports/`, where no run reads them. The name of the
 * folder follows from their contents, so an interrupted import continues when they are selected
 * again.
 */

import { useCallback, useRef, useState } from 'react'
import { api, noteProblem, ProblemError } from '../data/api.ts'
import type { Selection } from './sources.ts'

const AT_ONCE = 6
const PAGE = 1_000
const STOPPED = new Error('The user has stopped the transfer.')

export interface Progress {
  readonly sent: number
  readonly total: number
}

export interface Upload {
  readonly progress: Progress | undefined
  readonly error: unknown
  /** Sends the files and returns their folder; undefined if it fails or is stopped. */
  readonly send: (selection: Selection) => Promise<string | undefined>
  readonly stop: () => void
}

export function useUpload(): Upload {
  const [progress, setProgress] = useState<Progress>()
  const [error, setError] = useState<unknown>()
  const running = useRef<AbortController>(undefined)
  const send = async (selection: Selection): Promise<string | undefined> => {
    const control = new AbortController()
    running.current = control
    setError(undefined)
    const total = selection.sources.length
    setProgress({ sent: 0, total })
    try {
      // Reading a file is slow in browsers, so all contents stay in memory until they are sent.
      const files = await Promise.all(
        selection.sources.map(async ({ path, read }) => ({ path, body: await read() })),
      )
      const folder = `imports/${await nameOf(files)}/`
      const sizes = await storedSizes(folder)
      const missing = files.filter(({ path, body }) => sizes.get(folder + path) !== body.length)
      let sent = total - missing.length
      setProgress({ sent, total })
      await inParallel(missing, control, async ({ path, body }) => {
        await api.files.put(folder + path, body, { signal: control.signal })
        sent += 1
        setProgress({ sent, total })
      })
      return control.signal.aborted ? undefined : folder
    } catch (failure) {
      if (control.signal.reason !== STOPPED) {
        noteProblem(failure)
        setError(failure)
      }
      return undefined
    } finally {
      control.abort()
      setProgress(undefined)
    }
  }
  const stop = useCallback(() => running.current?.abort(STOPPED), [])
  return { progress, error, send, stop }
}

/** Acts on some items at a time; a failure ends all. */
async function inParallel<T>(
  items: readonly T[],
  control: AbortController,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  const work = async (): Promise<void> => {
    for (const item of queue) {
      if (control.signal.aborted) return
      try {
        await act(item)
      } catch (error) {
        control.abort(error)
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** Returns the sizes of the files that an earlier import has sent, by path. */
async function storedSizes(prefix: string): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>()
  let cursor: string | undefined
  do {
    const page = await api.files.list({ prefix, limit: PAGE, ...(cursor && { cursor }) })
    for (const { path, size } of page.data) sizes.set(path, size)
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  return sizes
}

interface Content {
  readonly path: string
  readonly body: Uint8Array
}

/** Returns a name that the same files always have: the start of a digest of paths and contents. */
async function nameOf(files: readonly Content[]): Promise<string> {
  const lines = await Promise.all(
    files.map(async ({ path, body }) => `${path} ${await digestOf(body)}`),
  )
  return (await digestOf(new TextEncoder().encode(lines.join('\n')))).slice(0, 16)
}

/** Returns a SHA-256 digest as hex digits. */
async function digestOf(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Whether a request was rejected because files have changed since the plan was made. */
export const isChanged = (error: unknown): boolean =>
  error instanceof ProblemError && error.status === 412
