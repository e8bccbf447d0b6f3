/**
 * Message composer: Enter sends, Shift-Enter inserts a line break, and Escape twice cancels the
 * run. A message to an active run steers the run or answers its question; any other message starts
 * a turn.
 */

import { useMutation } from '@tanstack/react-query'
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useRef, useState } from 'react'
import { api, type Schemas } from '../data/api.ts'
import { addFiles, attachmentOf, setDraft, useDraft, useFiles } from '../data/draft.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { IconButton } from '../kit/button.tsx'
import { Icon } from '../kit/icons.tsx'
import { Forbidden, Problem } from '../kit/notice.tsx'
import type { RunView } from '../log/shape.ts'
import { AttachButton, AttachedFiles } from './attachments.tsx'
import type { Choice } from './choice.ts'
import { Pickers } from './pickers.tsx'
import { useSend } from './send.ts'

interface Props {
  /** Key under which the draft is stored: a session ID, a run ID, or `new`. */
  readonly draft: string
  readonly session?: string
  /** Live run to which messages are sent. */
  readonly current?: RunView | Schemas['Run'] | undefined
  /** Name of the subagent; absent in the main conversation. */
  readonly name?: string
  readonly choice?: Choice
  readonly onChoice?: (choice: Choice) => void
  readonly onSession?: (id: string) => void
}

export function Composer(props: Props) {
  const { draft, session, current, name, choice = {}, onChoice, onSession } = props
  const words = useWords()
  const may = useMay('runs:write')
  const [isOver, setOver] = useState(false)
  const run = current?.id
  const send = useSend({ draft, session, run, choice }, onSession)
  const stop = useMutation({ mutationFn: () => api.runs.cancel(run ?? '', {}) })
  const add = useAdd(draft)
  const { text } = useDraft(draft)
  const isEmpty = useFiles(draft).attached.length === 0 && text.trim() === ''
  // Sending waits until attached files are loaded, because the message would otherwise be sent
  // without them.
  const isBlocked = isEmpty || send.isPending || add.isPending || !may
  const onDrop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    add.mutate([...event.dataTransfer.files])
  }
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-2 px-4 pt-2 pb-3 sm:px-6">
      {send.isError && <p className="text-xs text-failed">{words('chat.unsent')}</p>}
      <Problem error={send.error} onRetry={isEmpty ? undefined : () => send.mutate()} />
      <Problem error={stop.error ?? add.error} />
      <section
        aria-label={name ? words('chat.placeholder.panel', { name }) : words('chat.compose')}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        className={`grid gap-1 rounded-lg border bg-canvas p-1.5 focus-within:border-accent ${isOver ? 'border-accent bg-selected' : 'border-control'}`}
      >
        <AttachedFiles draft={draft} />
        <TextField
          {...props}
          isBusy={send.isPending}
          onSend={() => !isBlocked && send.mutate()}
          onStop={run && may ? () => stop.mutate() : undefined}
          onFiles={add.mutate}
        />
        <div className="flex min-w-0 items-center gap-1">
          <AttachButton onFiles={add.mutate} />
          {onChoice && <Pickers choice={choice} onChoice={onChoice} />}
          <span className="flex-1" />
          {run && may && (
            <IconButton
              icon="stop"
              label={words('chat.stop.keys')}
              disabled={stop.isPending}
              onClick={() => stop.mutate()}
            />
          )}
          <button
            type="button"
            aria-label={words('chat.send')}
            title={`${words('chat.send')} · ${words('chat.keys')}`}
            disabled={isBlocked}
            onClick={() => send.mutate()}
            className="inline-flex size-7 shrink-0 items-center justify-center rounded-md bg-accent text-on-accent hover:opacity-90 disabled:bg-sunken disabled:text-text-3 pointer-coarse:size-11"
          >
            <Icon name="send" />
          </button>
        </div>
      </section>
      {!may && <Forbidden scope="runs:write" />}
    </div>
  )
}

interface FieldProps extends Props {
  readonly isBusy: boolean
  readonly onSend: () => void
  readonly onStop: (() => void) | undefined
  readonly onFiles: (files: readonly File[]) => void
}

const ROWS = 12
/** Maximum time between the two Escape presses that cancel the run, in milliseconds. */
const TWICE_MS = 1_000

function TextField({ draft, current, name, isBusy, onSend, onStop, onFiles }: FieldProps) {
  const words = useWords()
  const { text } = useDraft(draft)
  const escapedAt = useRef(Number.NEGATIVE_INFINITY)
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const { key, shiftKey, nativeEvent, timeStamp } = event
    // Enter and Escape only end an input method's composition here.
    if (nativeEvent.isComposing) return
    if (key === 'Enter' && !shiftKey) {
      event.preventDefault()
      onSend()
    } else if (key === 'Escape' && onStop) {
      event.preventDefault()
      if (timeStamp - escapedAt.current < TWICE_MS) onStop()
      escapedAt.current = timeStamp
    }
  }
  const onPaste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files]
    if (files.length === 0) return
    event.preventDefault()
    onFiles(files)
  }
  const waitsForAnswer = current?.waiting_on === 'input'
  const steers = waitsForAnswer ? 'chat.placeholder.answer' : 'chat.placeholder.steer'
  const placeholder = name
    ? words('chat.placeholder.panel', { name })
    : words(current ? steers : 'chat.placeholder')
  return (
    <textarea
      aria-label={name ? placeholder : words('chat.compose')}
      autoFocus={!name}
      dir="auto"
      rows={Math.min(ROWS, text.split('\n').length)}
      placeholder={placeholder}
      readOnly={isBusy}
      value={text}
      onChange={({ target }) => setDraft(draft, target.value)}
      onKeyDown={onKey}
      onPaste={onPaste}
      className="field-sizing-content max-h-60 min-h-8 w-full resize-none bg-transparent px-1.5 py-1 outline-none pointer-coarse:text-lg"
    />
  )
}

function useAdd(draft: string) {
  return useMutation({
    mutationFn: async (files: readonly File[]) =>
      addFiles(draft, await Promise.all(files.map(attachmentOf))),
  })
}
