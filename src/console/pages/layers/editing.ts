/** The state of one file that is edited: its draft, saving under the version read, and conflicts. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, noteProblem, ProblemError } from '../../app/api.ts'
import { draftOf, forgetDraft, keepDraft, useDrafts } from './drafts.ts'
import { type Content, contentKey, contentOf, FILES, RESOLVED } from './files.ts'

interface Began {
  /** The text that the editor was made with. */
  readonly text: string
  /** As the server had it when one began. */
  readonly base: string
  readonly etag: string | null
  /** Another one is another editor. */
  readonly revision: number
}

const beganFrom = (content: Content | null, revision: number): Began => {
  const text = content?.text ?? ''
  return { text, base: text, etag: content?.etag ?? null, revision }
}

export interface Theirs {
  readonly content: Content | null
}

/** Refused because the file is not what it was, or not new any more. */
const isConflict = (error: unknown): boolean =>
  error instanceof ProblemError && error.status === 412

export function useEditing(path: string, content: Content | null) {
  const cache = useQueryClient()
  const [began, setBegan] = useState<Began>(() => {
    const draft = draftOf(path)
    return draft ? { ...draft, revision: 0 } : beganFrom(content, 0)
  })
  const text = useRef(began.text)
  const [size, setSize] = useState(() => sizeOf(began.text))
  const [theirs, setTheirs] = useState<Theirs>()
  const isDirty = useDrafts().includes(path)
  const become = (next: Began): void => {
    text.current = next.text
    setSize(sizeOf(next.text))
    setBegan(next)
    setTheirs(undefined)
  }
  const take = (from: Content | null): void => {
    forgetDraft(path)
    cache.setQueryData(contentKey(path), from)
    become(beganFrom(from, began.revision + 1))
  }
  const type = (typed: string): void => {
    text.current = typed
    setSize(sizeOf(typed))
    if (typed === began.base && began.etag !== null) forgetDraft(path)
    else keepDraft(path, { text: typed, base: began.base, etag: began.etag })
  }
  const written = (saved: string, etag: string): void => {
    const { current } = text
    const next = { text: current, base: saved, etag }
    if (current === saved) forgetDraft(path)
    else keepDraft(path, next)
    // The editor stays as it is, unless the view of the conflict was open.
    setBegan({ ...next, revision: began.revision + (theirs ? 1 : 0) })
    setTheirs(undefined)
    cache.setQueryData(contentKey(path), { text: saved, size: sizeOf(saved), etag })
    void cache.invalidateQueries({ queryKey: [...FILES, 'list'] })
    void cache.invalidateQueries({ queryKey: RESOLVED })
  }
  const saving = useMutation({
    mutationFn: async () => {
      const { current } = text
      const etag = theirs ? (theirs.content?.etag ?? null) : began.etag
      const when = etag === null ? { ifNoneMatch: '*' } : { ifMatch: etag }
      try {
        const { etag: next } = await api.files.put(path, current, when)
        written(current, `"${next}"`)
      } catch (error) {
        if (!isConflict(error)) throw error
        const now = await contentOf(path)
        // It had been written before, and the answer was lost.
        if (now && now.text === current) written(current, now.etag)
        else setTheirs({ content: now })
      }
    },
    onError: noteProblem,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what the server has anew counts.
  useEffect(() => {
    if (!isDirty && content && content.etag !== began.etag && !saving.isPending) take(content)
  }, [content?.etag])
  const isOld = isDirty && !theirs && !saving.isPending && (content?.etag ?? null) !== began.etag
  return { began, text, size, theirs, setTheirs, isDirty, isOld, take, type, saving }
}

const encoder = new TextEncoder()
/** Bytes as UTF-8. */
const sizeOf = (text: string): number => encoder.encode(text).length
