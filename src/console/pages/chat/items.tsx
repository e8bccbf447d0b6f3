/** Words said, thought and noted; calls have cards of their own. */

import { useState } from 'react'
import { useWords, type Word } from '../../app/words.ts'
import { partsOf } from '../../chat/said.ts'
import type { Item } from '../../chat/shape.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Code, CopyButton, Prose } from '../../ui/text.tsx'
import { Chip, Cut, MediaOf, useWhole } from './body.tsx'

type Text = Exclude<Item, { kind: 'call' | 'note' }>

export interface TextProps {
  readonly item: Text
  /** Where it was said; empty: in the session that this one was forked from. */
  readonly run: string
  readonly onFork?: (() => void) | undefined
}

export function SaidItem({ item, run, onFork }: TextProps) {
  const words = useWords()
  const { text, missing } = useWhole(item.text, run)
  const late = item.kind === 'said' ? item.late : undefined
  return (
    <div className="group flex items-end justify-end gap-1">
      <Tools text={text} onFork={onFork} fork="chat.fork.edit" />
      <div className="max-w-[85%] min-w-0 rounded-2xl rounded-br-md bg-accent-soft px-4 py-2.5">
        {late === 'parent' && <p className="text-xs text-muted">{words('chat.by.parent')}</p>}
        {partsOf(text).map((part, index) =>
          part.kind === 'text' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: what was said never changes.
            <Folded key={index} text={part.text} />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: what was said never changes.
            <details key={index} className="my-1 text-xs">
              <summary className="w-fit">
                <Chip name={part.name || words('chat.file')} />
              </summary>
              <Code value={part.text} label={part.name} />
            </details>
          ),
        )}
        <MediaOf body={item.text} run={run} />
        <Cut body={item.text} missing={missing} />
      </div>
    </div>
  )
}

/** So long is more than one wants to scroll past. */
const LONG = { characters: 1_500, lines: 16 }

function Folded({ text }: { readonly text: string }) {
  const words = useWords()
  const [open, setOpen] = useState(false)
  const long = text.length > LONG.characters || text.split('\n').length > LONG.lines
  return (
    <>
      <p
        className={`text-sm whitespace-pre-wrap [overflow-wrap:anywhere] ${long && !open ? 'line-clamp-[10]' : ''}`}
      >
        {text}
      </p>
      {long && (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="mt-1 text-xs text-accent hover:underline"
        >
          {words(open ? 'chat.less' : 'chat.all')}
        </button>
      )}
    </>
  )
}

export function WroteItem({ item, run, onFork }: TextProps) {
  const { text, missing } = useWhole(item.text, run)
  const live = item.kind === 'wrote' && item.live
  return (
    <div className="group flex min-w-0 items-end gap-1">
      <div className="min-w-0 flex-1 text-sm">
        <Prose text={text} />
        <Cut body={item.text} missing={missing} />
      </div>
      {!live && <Tools text={text} onFork={onFork} fork="chat.fork" />}
    </div>
  )
}

function Tools({
  text,
  onFork,
  fork,
}: {
  readonly text: string
  readonly onFork: (() => void) | undefined
  readonly fork: Word
}) {
  const words = useWords()
  return (
    <div className="-my-1 flex shrink-0 flex-col opacity-0 sm:h-6 sm:flex-row sm:items-center group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
      <CopyButton text={text} />
      {onFork && <IconButton icon="fork" size={16} label={words(fork)} onClick={onFork} />}
    </div>
  )
}

export function ThoughtItem({ item, run }: TextProps) {
  const words = useWords()
  const { text, missing } = useWhole(item.text, run)
  return (
    <details className="text-sm text-muted">
      <summary className="w-fit rounded text-xs hover:text-text">{words('chat.thought')}</summary>
      <p className="mt-1 border-l-2 border-line pl-3 whitespace-pre-wrap [overflow-wrap:anywhere]">
        {text}
      </p>
      <Cut body={item.text} missing={missing} />
    </details>
  )
}

export function NoteItem({ item }: { readonly item: Extract<Item, { kind: 'note' }> }) {
  const words = useWords()
  return (
    <p className="flex items-center gap-2 text-xs text-muted [overflow-wrap:anywhere]">
      <Icon
        name={item.note === 'skill' ? 'book' : item.note === 'retry' ? 'retry' : 'right'}
        size={14}
      />
      {words(`chat.note.${item.note}`, { text: item.text })}
    </p>
  )
}

/** A call of the session that this one was forked from: its run is another session's. */
export function PastCall({ item }: { readonly item: Extract<Item, { kind: 'call' }> }) {
  const words = useWords()
  return (
    <details className="rounded-lg border border-line bg-surface px-3 py-2 text-sm">
      <summary className="font-mono text-xs font-semibold">{item.tool}</summary>
      <div className="mt-2 grid gap-2">
        <Code value={String(item.arguments)} label={words('approvals.arguments')} />
        {item.result !== undefined && (
          <Code value={String(item.result)} label={words('chat.result')} />
        )}
      </div>
    </details>
  )
}
