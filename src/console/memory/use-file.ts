/** An open memory file: its text on the server, the edited text, and saving under its ETag. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api, ProblemError, queries } from '../data/api.ts'
import { readDraft, writeDraft } from './drafts.ts'
import {
  contentOf,
  type Editing,
  type FileText,
  startEditing,
  withoutDraft,
  withReceived,
  withSaved,
  withTyped,
} from './state.ts'

const EVERY_MS = 15_000
export const MEMORY = ['memory'] as const
const keyOf = (path: string) => [...MEMORY, 'file', path] as const
const ATTEMPTS = 3

export const reloadMemory = (): Promise<void> => queries.invalidateQueries({ queryKey: MEMORY })

/** Reads all lines: a response has a limited number of them. */
async function readFile(path: string, signal?: AbortSignal): Promise<FileText> {
  for (let attempt = 1; ; attempt += 1) {
    const first = await api.memory.get(path, {}, { signal })
    const texts = [first.text]
    let last = first
    while (last.more && last.etag === first.etag) {
      last = await api.memory.get(path, { start: last.lines.to + 1 }, { signal })
      texts.push(last.text)
    }
    // A file that changes between two responses is read from its beginning.
    if (last.etag === first.etag || attempt === ATTEMPTS)
      return { text: texts.join('\n'), etag: last.etag }
  }
}

/** Reads a file again and again; its data is null while the server does not have it. */
export function useFileQuery(path: string) {
  const query = useQuery<FileText | null>({
    queryKey: keyOf(path),
    // A missing file is a state of the page, so its repeated request is no error.
    queryFn: ({ signal }) =>
      readFile(path, signal).catch((error: unknown) => {
        if (error instanceof ProblemError && error.status === 404) return null
        throw error
      }),
    refetchInterval: EVERY_MS,
  })
  return { ...query, isMissing: query.data === null }
}

const isConflict = (error: unknown): boolean =>
  error instanceof ProblemError && error.status === 412

/** State of the editor. `isMissing` says that the server has the file no more. */
export function useEditing(path: string, file: FileText, isMissing: boolean) {
  const [editing, setEditing] = useState(() => startEditing(file, readDraft(path)))
  if (file !== editing.received) setEditing(withReceived(editing, file))
  const latest = useRef(editing)
  latest.current = editing
  const apply = (next: Editing): void => {
    latest.current = next
    writeDraft(path, next.draft)
    setEditing(next)
  }
  const save = useMutation({
    mutationFn: ({ text, etag }: FileText) =>
      api.memory.put(
        path,
        { content: contentOf(text) },
        isMissing ? { ifNoneMatch: '*' } : { ifMatch: `"${etag}"` },
      ),
    onSuccess: async ({ etag, redacted }, { text }) => {
      // A response that was sent before the change would bring the earlier text back.
      await queries.cancelQueries({ queryKey: keyOf(path) })
      const saved = redacted ? await readFile(path) : { text, etag }
      const current = latest.current
      const isTyped = current.text !== text
      apply(withSaved(redacted && !isTyped ? withText(current, saved.text) : current, saved))
      queries.setQueryData<FileText>(keyOf(path), saved)
      void reloadMemory()
    },
    onError: (error) => {
      if (isConflict(error)) void queries.invalidateQueries({ queryKey: keyOf(path) })
    },
  })
  return {
    editing,
    save,
    /** Error of saving, unless the page shows the conflict itself. */
    error: isConflict(save.error) ? null : save.error,
    onChange: (text: string) => apply(withTyped(latest.current, text)),
    onSave: () => {
      const { text, draft, base } = latest.current
      if (draft && !save.isPending) save.mutate({ text, etag: draft.etag })
      else if (isMissing && !save.isPending) save.mutate({ text, etag: base.etag })
    },
    /** Saves the text over the one that the server has now. */
    onOverwrite: () => {
      const { text, base } = latest.current
      if (!save.isPending) save.mutate({ text, etag: base.etag })
    },
    onDiscard: () => {
      save.reset()
      apply(withoutDraft(latest.current))
    },
  }
}

/** Shows a text that the server has changed, such as one without its secrets. */
const withText = (editing: Editing, text: string): Editing => ({
  ...editing,
  ...{ text, key: editing.key + 1 },
})
