/** Renders user messages, model answers, and the notes between them. */

import type { ReactNode } from 'react'
import { useWords, type Word } from '../i18n/words.ts'
import { IconButton } from '../kit/button.tsx'
import { Icon } from '../kit/icons.tsx'
import { messageParts } from '../log/message-parts.ts'
import type { Item } from '../log/shape.ts'
import { timeOfDay } from '../text/format.ts'
import { Prose } from '../text/markdown.tsx'
import { Code, CopyButton, Plain } from '../text/text.tsx'
import { Chip, Cut, MediaOf, useWhole } from './body.tsx'
import { useUnfolded } from './open-sections.ts'

interface TextProps {
  readonly item: Exclude<Item, { kind: 'call' | 'note' }>
  /**
   * Run whose log contains the message; empty for a run of the session that this session was forked
   * from.
   */
  readonly run: string
  readonly onFork?: (() => void) | undefined
}

interface InputProps extends TextProps {
  readonly item: Extract<Item, { kind: 'input' }>
  /** Whether the run is a subagent's; its input was then written by the parent run. */
  readonly isTask?: boolean
}

export function InputItem({ item, run, onFork, isTask }: InputProps) {
  const words = useWords()
  const { text, isMissing } = useWhole(item.text, run)
  return (
    <div className="group grid min-w-0 gap-1 pt-2">
      <div className="flex h-6 items-center gap-2 text-xs text-text-3">
        <span className="text-sm font-semibold text-text">{words(senderOf(item, isTask))}</span>
        {item.at && <span>{timeOfDay(item.at)}</span>}
        <Tools text={text} onFork={onFork} fork="chat.fork.edit" />
      </div>
      <div className="grid min-w-0 gap-1 rounded-lg bg-subtle px-3 py-2">
        {messageParts(text).map((part, at) =>
          part.kind === 'text' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message never change.
            <Foldable key={at} id={`${item.key}-${at}`} text={part.text} />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message never change.
            <details key={at} className="text-xs">
              <summary className="w-fit list-none">
                <Chip name={part.name || words('chat.file')} />
              </summary>
              <Code text={part.text} label={part.name} />
            </details>
          ),
        )}
        <MediaOf text={item.text} run={run} />
        <Cut text={item.text} isMissing={isMissing} />
      </div>
    </div>
  )
}

function senderOf({ by }: InputProps['item'], isTask = false): Word {
  if (by === 'parent') return 'chat.by.parent'
  return isTask && by === undefined ? 'panel.task' : 'chat.you'
}

/** Size above which a message is collapsed, in characters and lines. */
const LONG = { characters: 1_500, lines: 16 }

function Foldable({ id, text }: { readonly id: string; readonly text: string }) {
  const words = useWords()
  const [isUnfolded, toggle] = useUnfolded(id)
  const isLong = text.length > LONG.characters || text.split('\n').length > LONG.lines
  return (
    <div>
      <p
        dir="auto"
        className={`max-w-[72ch] whitespace-pre-wrap [overflow-wrap:anywhere] ${isLong && !isUnfolded ? 'line-clamp-[10]' : ''}`}
      >
        <Plain text={text} />
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={isUnfolded}
          onClick={toggle}
          className="text-xs text-accent hover:underline"
        >
          {words(isUnfolded ? 'chat.less' : 'chat.all')}
        </button>
      )}
    </div>
  )
}

export function OutputItem({ item, run, onFork }: TextProps) {
  const { text, isMissing } = useWhole(item.text, run)
  const isLive = item.kind === 'text' && item.live === true
  return (
    <div className="group relative min-w-0">
      <div className="max-w-[72ch] min-w-0">
        <Prose text={text} live={isLive} />
        <Cut text={item.text} isMissing={isMissing} />
      </div>
      {!isLive && (
        <span className="absolute right-0 -bottom-3 flex rounded-md bg-canvas pointer-coarse:static pointer-coarse:-ml-3.5">
          <Tools text={text} onFork={onFork} fork="chat.fork" />
        </span>
      )}
    </div>
  )
}

interface ToolsProps {
  readonly text: string
  readonly onFork: (() => void) | undefined
  readonly fork: Word
}

function Tools({ text, onFork, fork }: ToolsProps) {
  const words = useWords()
  return (
    <span className="flex opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
      <CopyButton text={text} />
      {onFork && <IconButton icon="fork" size={14} label={words(fork)} onClick={onFork} />}
    </span>
  )
}

export function ReasoningItem({ item, run }: TextProps) {
  const words = useWords()
  const { text, isMissing } = useWhole(item.text, run)
  return (
    <Disclosure id={item.key} title={words('chat.reasoning')}>
      <p dir="auto" className="max-w-[72ch] whitespace-pre-wrap [overflow-wrap:anywhere]">
        <Plain text={text} />
      </p>
      <Cut text={item.text} isMissing={isMissing} />
    </Disclosure>
  )
}

interface DisclosureProps {
  readonly id: string
  readonly title: string
  readonly children: ReactNode
}

function Disclosure({ id, title, children }: DisclosureProps) {
  const [isUnfolded, toggle] = useUnfolded(id)
  return (
    <div className="text-sm text-text-2">
      <button
        type="button"
        aria-expanded={isUnfolded}
        onClick={toggle}
        className="flex items-center gap-1 rounded-md text-xs text-text-3 hover:text-text"
      >
        <span className={isUnfolded ? 'rotate-90' : ''}>
          <Icon name="right" size={12} />
        </span>
        {title}
      </button>
      {isUnfolded && <div className="mt-1 border-l border-line pl-3">{children}</div>}
    </div>
  )
}

export function NoteItem({ item }: { readonly item: Extract<Item, { kind: 'note' }> }) {
  const words = useWords()
  const { key, note, text } = item
  if (note === 'compacted') {
    return (
      <Disclosure id={key} title={words('chat.note.compacted')}>
        <Prose text={text} />
      </Disclosure>
    )
  }
  return (
    <p className="flex items-center gap-2 text-xs text-text-3 [overflow-wrap:anywhere]">
      <Icon name={note === 'skill' ? 'book' : note === 'retry' ? 'retry' : 'right'} size={12} />
      <Plain text={words(`chat.note.${note}`, { text })} />
    </p>
  )
}
