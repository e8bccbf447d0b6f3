/**
 * Where one writes: Enter sends, Shift and Enter break the line; files come by choosing, dropping
 * or pasting.
 */

import { useMutation } from '@tanstack/react-query'
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useRef, useState } from 'react'
import { api } from '../../app/api.ts'
import { useMay } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import {
  attached,
  type Choice,
  filesOf,
  setDraft,
  setFiles,
  useDraft,
  useFiles,
  useKeeping,
  useUnkept,
} from '../../chat/draft.ts'
import { useSend } from '../../chat/send.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Problem } from '../../ui/notice.tsx'
import { Pickers } from './pickers.tsx'

interface Props {
  readonly session: string | undefined
  /** The run that works; what is sent reaches it on its way. */
  readonly current: string | undefined
  readonly choice: Choice
  readonly onChoice: (choice: Choice) => void
  readonly onSession: (id: string) => void
}

const ROWS = 12

export function Composer({ session, current, choice, onChoice, onSession }: Props) {
  const words = useWords()
  const may = useMay('runs:write')
  const name = session ?? 'new'
  const { text } = useDraft(name)
  const files = useFiles(name)
  const [over, setOver] = useState(false)
  const send = useSend({ draft: name, session, current, choice }, onSession)
  const stop = useMutation({
    mutationFn: () => api.runs.cancel(current ?? '', {}),
  })
  const add = useAdd(name)
  const empty = text.trim() === '' && files.length === 0
  const onKey = (event: KeyboardEvent): void => {
    // Enter that ends a word of an input method is no Enter.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (!empty && !send.isPending && may) send.mutate()
  }
  const onDrop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    add.mutate([...event.dataTransfer.files])
  }
  const onPaste = (event: ClipboardEvent): void => {
    const given = [...event.clipboardData.files]
    if (given.length === 0) return
    event.preventDefault()
    add.mutate(given)
  }
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-2 px-3 pb-3 sm:px-6">
      {send.isError && <p className="px-1 text-xs text-bad">{words('chat.unsent')}</p>}
      <Problem error={send.error} onRetry={empty ? undefined : () => send.mutate()} />
      <Problem error={stop.error ?? add.error} />
      <section
        aria-label={words('chat.compose')}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        className={`grid gap-1 rounded-2xl border bg-surface p-2 shadow-float focus-within:border-accent ${over ? 'border-accent' : 'border-line-strong'}`}
      >
        <Files name={name} />
        <textarea
          aria-label={words('chat.compose')}
          autoFocus
          rows={Math.min(ROWS, Math.max(1, text.split('\n').length))}
          placeholder={words(current ? 'chat.placeholder.steer' : 'chat.placeholder')}
          readOnly={send.isPending}
          value={text}
          onChange={({ target }) => setDraft(name, target.value)}
          onKeyDown={onKey}
          onPaste={onPaste}
          className="field-sizing-content max-h-60 w-full resize-none bg-transparent px-2 py-1.5 text-sm outline-none"
        />
        <div className="flex min-w-0 items-center gap-1">
          <Attach onFiles={(given) => add.mutate(given)} />
          <Pickers choice={choice} onChoice={onChoice} />
          <span className="flex-1" />
          {current && may && (
            <IconButton
              icon="stop"
              label={words('chat.stop')}
              disabled={stop.isPending}
              onClick={() => stop.mutate()}
            />
          )}
          <button
            type="button"
            aria-label={words('chat.send')}
            title={words('chat.send')}
            disabled={empty || send.isPending || !may}
            onClick={() => send.mutate()}
            className="inline-flex size-9 shrink-0 items-center justify-center rounded-full bg-accent text-accent-text hover:opacity-90 disabled:opacity-40"
          >
            <Icon name="send" />
          </button>
        </div>
      </section>
      {!may && <p className="text-xs text-muted">{words('error.forbidden')}</p>}
    </div>
  )
}

function useAdd(name: string) {
  return useMutation({
    mutationFn: async (given: readonly File[]) => {
      const made = await Promise.all(given.map(attached))
      setFiles(name, [...filesOf(name), ...made])
    },
  })
}

function Files({ name }: { readonly name: string }) {
  const words = useWords()
  const files = useFiles(name)
  const isUnkept = useUnkept(name)
  const isKeeping = useKeeping(name)
  if (files.length === 0) return null
  return (
    <>
      <ul aria-busy={isKeeping || undefined} className="flex flex-wrap gap-2 px-1">
        {files.map((one) => (
          <li
            key={one.key}
            className="inline-flex max-w-64 items-center gap-1 rounded-lg border border-line bg-raised pl-2 text-xs"
          >
            <Icon name="file" size={14} />
            <span className="truncate">{one.name}</span>
            <IconButton
              icon="close"
              size={14}
              label={words('chat.detach', { name: one.name })}
              onClick={() =>
                setFiles(
                  name,
                  files.filter(({ key }) => key !== one.key),
                )
              }
            />
          </li>
        ))}
      </ul>
      {isUnkept && (
        <p role="status" className="px-1 text-xs text-warn">
          {words('chat.files.unkept')}
        </p>
      )}
    </>
  )
}

function Attach({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const words = useWords()
  const ref = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={ref}
        type="file"
        multiple
        hidden
        aria-label={words('chat.attach')}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <IconButton icon="clip" label={words('chat.attach')} onClick={() => ref.current?.click()} />
    </>
  )
}
