/** A run as a line of its spans in time; each can be chosen, and arrows go from one to the next. */

import { memo } from 'react'
import { useWords, type Word } from '../../app/words.ts'
import { lasted } from '../../ui/text.tsx'
import type { View } from './scale.ts'
import type { RunLine, Span, SpanKind } from './spans.ts'

export const COLOURS: Readonly<Record<SpanKind, string>> = {
  queued: 'bg-line text-text',
  model: 'bg-accent text-accent-text',
  tool: 'bg-good text-surface',
  waiting: 'bg-raised text-text border-dashed border-line-strong',
  approval: 'bg-warn text-surface',
}
/** Narrower ones have no room for a word. */
const WORD_SHARE = 0.08

interface LineProps {
  readonly line: RunLine
  readonly view: View
  readonly path: boolean
  readonly chosen: string | undefined
  /** The one that the Tab key comes to. */
  readonly stop: string | undefined
  readonly onChoose: (id: string) => void
}

export const SpanLine = memo(function SpanLine(props: LineProps) {
  const { line, view, path, chosen, stop, onChoose } = props
  return (
    <span className="relative h-full min-w-0 flex-1 overflow-hidden border-l border-line">
      <span
        ref={placed(view, line.from, line.to)}
        className="absolute top-1/2 h-px bg-line-strong"
      />
      {line.spans
        .filter((span) => span.to >= view.from && span.from <= view.to)
        .map((span) => (
          <SpanBar
            key={span.id}
            {...{ span, view, onChoose }}
            path={path}
            isChosen={span.id === chosen}
            isStop={span.id === stop}
          />
        ))}
    </span>
  )
})

interface BarProps {
  readonly span: Span
  readonly view: View
  readonly path: boolean
  readonly isChosen: boolean
  readonly isStop: boolean
  readonly onChoose: (id: string) => void
}

function SpanBar({ span, view, path, isChosen, isStop, onChoose }: BarProps) {
  const words = useWords()
  const { id, kind, name, from, to, failed, critical } = span
  const isOn = path && critical
  const isDim = path && !critical
  const share = (Math.min(to, view.to) - Math.max(from, view.from)) / (view.to - view.from)
  const hasWord = share > WORD_SHARE && !isDim
  const word = words(`span.${kind}` as Word)
  const about = [
    [word, name].filter(Boolean).join(' '),
    lasted(to - from),
    ...(failed ? [words('timeline.failed')] : []),
    ...(isOn ? [words('timeline.on')] : []),
  ].join(', ')
  const look = [
    'absolute inset-y-1 overflow-hidden rounded-sm border',
    'text-left text-[0.65rem] leading-none whitespace-nowrap',
    failed ? 'bg-bad text-surface' : COLOURS[kind],
    kind === 'waiting' && !failed ? '' : 'border-surface',
    // Room beside the word would make a short span longer than it is.
    hasWord ? 'px-1' : '',
    isDim ? 'opacity-25' : '',
    isOn ? 'border-b-4 border-b-text' : '',
    isChosen ? 'ring-2 ring-text z-10' : '',
  ].join(' ')
  return (
    <button
      type="button"
      data-span={id}
      tabIndex={isStop ? 0 : -1}
      aria-label={about}
      aria-pressed={isChosen}
      title={about}
      ref={placed(view, from, to)}
      onClick={() => onChoose(id)}
      onFocus={() => onChoose(id)}
      className={look}
    >
      {hasWord && `${isOn ? '◆ ' : ''}${name || word}`}
    </button>
  )
}

/** Set on the element, for the page's policy allows no styles in its text. */
const placed =
  (view: View, from: number, to: number) =>
  (element: HTMLElement | null): void => {
    const width = Math.max(1, view.to - view.from)
    const left = ((Math.max(from, view.from) - view.from) / width) * 100
    const share = ((Math.min(to, view.to) - Math.max(from, view.from)) / width) * 100
    element?.style.setProperty('left', `${left}%`)
    element?.style.setProperty('width', `max(3px, ${Math.max(0, share)}%)`)
  }
