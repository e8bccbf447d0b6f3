/** State of an edited file: its draft, saving under the ETag that it changes, and conflicts. */

import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ProblemError, queries } from '../data/api.ts'
import { type Content, writeText } from './content.ts'
import { dropFileDraft, fileDraftOf, keepFileDraft, useDraftPaths } from './drafts.ts'
import type { WriteRoute } from './resources.ts'
import { sizeOf } from './text.ts'
import { reloadFiles } from './use-files.ts'

interface Start {
  /** Text with which the editor was created. */
  readonly text: string
  /** Stored text that the draft changes; undefined if it is not known. */
  readonly stored: string | undefined
  /** ETag in quotes of the stored text; null for a new file. */
  readonly etag: string | null
  /** Number of the editor; another text has another editor. */
  readonly revision: number
}

/** Stored file that another person has changed since the draft began; null if they deleted it. */
export interface Theirs {
  readonly content: Content | null
}

const startFrom = (content: Content | null, revision: number): Start => {
  const text = content?.text ?? ''
  return { text, stored: content?.text ?? undefined, etag: content?.etag ?? null, revision }
}

function firstStart(path: string, content: Content | null): Start {
  const draft = fileDraftOf(path)
  if (!draft) return startFrom(content, 0)
  const isCurrent = content !== null && content.etag === draft.etag
  const stored = isCurrent ? (content.text ?? undefined) : undefined
  return { text: draft.text, stored, etag: draft.etag, revision: 0 }
}

const now = (): string => new Date().toISOString()

const isConflict = (error: unknown): boolean =>
  error instanceof ProblemError && error.status === 412

interface Options {
  readonly path: string
  readonly content: Content | null
  readonly contentKey: readonly unknown[]
  readonly read: () => Promise<Content | null>
}

export function useEditing({ path, content, contentKey, read }: Options) {
  const [start, setStart] = useState(() => firstStart(path, content))
  const text = useRef(start.text)
  const [size, setSize] = useState(() => sizeOf(start.text))
  const [theirs, setTheirs] = useState<Theirs | undefined>(() =>
    fileDraftOf(path)?.result === undefined ? undefined : { content },
  )
  const isDirty = useDraftPaths().includes(path)
  const become = (next: Start): void => {
    text.current = next.text
    setSize(sizeOf(next.text))
    setStart(next)
    setTheirs(undefined)
  }
  const type = (typed: string): void => {
    text.current = typed
    setSize(sizeOf(typed))
    // The refusal was about another text.
    if (save.isError) save.reset()
    if (typed === start.stored) dropFileDraft(path)
    else keepFileDraft(path, { text: typed, etag: start.etag, at: now() })
  }
  /** Returns to the stored text. */
  const discard = (): void => {
    dropFileDraft(path)
    become(startFrom(content, start.revision + 1))
  }
  const accept = (saved: string, etag: string, isResult: boolean): void => {
    const typed = isResult ? saved : text.current
    if (typed === saved) dropFileDraft(path)
    else keepFileDraft(path, { text: typed, etag, at: now() })
    const revision = start.revision + (isResult ? 1 : 0)
    if (isResult) become({ text: saved, stored: saved, etag, revision })
    // The editor keeps its text, history, and cursor.
    else setStart({ ...start, stored: saved, etag })
    queries.setQueryData(contentKey, { text: saved, size: sizeOf(saved), etag })
    void reloadFiles()
  }
  const save = useMutation({
    mutationFn: async ({ route, result }: { route: WriteRoute; result?: string }) => {
      const sent = result ?? text.current
      const etag = theirs ? (theirs.content?.etag ?? null) : start.etag
      try {
        accept(sent, await writeText(path, sent, { etag, route }), result !== undefined)
      } catch (error) {
        if (!isConflict(error)) throw error
        const latest = await read()
        // An earlier request has stored the text, and its response was lost.
        if (latest && latest.text === sent) accept(sent, latest.etag, result !== undefined)
        else {
          queries.setQueryData(contentKey, latest)
          setTheirs({ content: latest })
        }
      }
    },
  })
  const etag = content?.etag ?? null
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another stored text counts.
  useEffect(() => {
    if (!isDirty && content && etag !== start.etag && !save.isPending)
      become(startFrom(content, start.revision + 1))
  }, [etag])
  return {
    ...{ start, text, size, isDirty, theirs, setTheirs, become, type, discard, save },
    /** Whether the stored file is another one than the draft changes. */
    isOutdated: isDirty && !theirs && !save.isPending && etag !== start.etag,
  }
}

export type Editing = ReturnType<typeof useEditing>
