/** Row of the timeline: the name of a run or span, its duration, and its bars. */

import { memo } from 'react'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../kit/icons.tsx'
import { StateIcon } from '../kit/status.tsx'
import type { Segment } from '../log/critical-path.ts'
import { positionOf, type Scale, shareOf, type View } from '../log/scale.ts'
import type { Span } from '../log/span.ts'
import type { RunSpans } from '../log/timeline.ts'
import { type Bar, mergedBars, type TimelineRow } from '../log/timeline-rows.ts'
import { duration } from '../text/format.ts'
import { Plain } from '../text/text.tsx'
import { RunLink } from './run-link.tsx'
import { useSpanName } from './span-name.ts'

export interface RowContext {
  readonly scale: Scale
  readonly view: View
  /** Critical path; empty if it is hidden. */
  readonly path: readonly Segment[]
  readonly onToggle: (run: string) => void
}

interface Props {
  readonly row: TimelineRow
  readonly index: number
  /** Distance from the top of the list, in pixels. */
  readonly y: number
  readonly context: RowContext
  readonly isSelected: boolean
  readonly onSelect: (index: number) => void
}

/** Scrolling renders only the rows that appear. */
export const TimelineRowView = memo(function TimelineRowView(props: Props) {
  const { row, index, y, context, isSelected, onSelect } = props
  const { start, end } = row.kind === 'run' ? row.run : row.span
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its rows.
    <div
      role="row"
      tabIndex={-1}
      aria-level={row.level}
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      aria-expanded={row.kind === 'run' ? row.isOpen : undefined}
      onClick={() => onSelect(index)}
      style={{ transform: `translateY(${y}px)` }}
      className={`absolute top-0 left-0 grid h-[46px] w-full cursor-default items-center border-line text-sm max-md:grid-rows-[28px_16px] max-md:border-b md:h-7 md:grid-cols-[300px_minmax(0,1fr)] ${
        isSelected ? 'bg-selected' : 'hover:bg-subtle'
      }`}
    >
      <div
        role="gridcell"
        tabIndex={-1}
        style={{ paddingLeft: `${8 + (row.level - 1) * 16}px` }}
        className="flex min-w-0 items-center gap-1.5 pr-3"
      >
        {row.kind === 'run' ? (
          <RunName row={row} onToggle={context.onToggle} />
        ) : (
          <SpanName span={row.span} />
        )}
        <span className="ml-auto shrink-0 text-xs text-text-3">{duration(end - start)}</span>
      </div>
      <Bars row={row} context={context} />
    </div>
  )
})

interface RunNameProps {
  readonly row: Extract<TimelineRow, { kind: 'run' }>
  readonly onToggle: (run: string) => void
}

function RunName({ row, onToggle }: RunNameProps) {
  const words = useWords()
  const { run_id, label, agent, status, depth } = row.run
  const name = label ?? agent
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        aria-label={words(row.isOpen ? 'run.fold.close' : 'run.fold.open', { name })}
        onClick={(event) => {
          event.stopPropagation()
          onToggle(run_id)
        }}
        className={`shrink-0 rounded-md text-text-2 hover:bg-sunken ${row.isOpen ? 'rotate-90' : ''}`}
      >
        <Icon name="right" size={14} />
      </button>
      <StateIcon state={status === 'open' ? liveState(row.run) : status} />
      <span className="min-w-0 truncate font-medium">
        {depth === 0 ? <Plain text={name} /> : <RunLink run={run_id} text={name} />}
      </span>
    </>
  )
}

/** Returns the state of a live run, which its open spans show. */
function liveState({ spans }: RunSpans): 'asks' | 'waiting' | 'running' {
  const open = spans.filter(({ outcome }) => outcome === 'open')
  if (open.some(({ kind }) => kind === 'person')) return 'asks'
  return open.some(({ kind }) => kind === 'wait') ? 'waiting' : 'running'
}

function SpanName({ span }: { readonly span: Span }) {
  const nameOf = useSpanName()
  return (
    <span className="flex min-w-0 items-center gap-1.5 pl-5">
      {span.outcome === 'error' && <StateIcon state="failed" size={12} />}
      {span.outcome === 'unknown' && <StateIcon state="unknown" size={12} />}
      {span.kind === 'person' && <StateIcon state="asks" size={12} />}
      <span className="min-w-0 truncate text-text-2">
        <Plain text={nameOf(span)} />
      </span>
    </span>
  )
}

/** Smallest width of a bar, as a share of the visible part; about 2 pixels. */
const LEAST = 0.002

function Bars({ row, context }: { readonly row: TimelineRow; readonly context: RowContext }) {
  const nameOf = useSpanName()
  const { scale, view, path } = context
  const share = (time: number): number => shareOf(view, positionOf(scale, time))
  const spans = row.kind === 'run' ? visibleSpans(row.run, row.isOpen) : [row.span]
  const bars = spans.map((span): Bar => {
    return { span, from: share(span.start), to: share(span.end), count: 1 }
  })
  const isVisible = ({ from, to }: { from: number; to: number }) => to >= 0 && from <= 1
  const segments = path
    .filter(({ run_id, span }) =>
      row.kind === 'run' ? run_id === row.run.run_id : span === row.span.id,
    )
    .map(({ start, end }) => ({ from: share(start), to: share(end) }))
    .filter(isVisible)
  const lifetime = { from: share(row.run.start), to: share(row.run.end) }
  return (
    <div
      role="gridcell"
      tabIndex={-1}
      data-bars
      className="relative h-full overflow-hidden border-line md:border-l"
    >
      {row.kind === 'run' && isVisible(lifetime) && (
        <span
          style={placement(lifetime.from, lifetime.to)}
          className="absolute top-1/2 h-px bg-control"
        />
      )}
      {mergedBars(bars, LEAST)
        .filter(isVisible)
        .map(({ span, from, to, count }) => (
          <span
            key={span.id}
            title={count > 1 ? `${count} × ${nameOf(span)}` : nameOf(span)}
            style={placement(from, to)}
            className={`bar absolute bar-${span.kind} ${span.outcome === 'error' ? 'bar-error' : ''} ${
              span.isEstimated ? 'bar-estimated' : ''
            }`}
          />
        ))}
      {segments.map(({ from, to }) => (
        <span
          key={from}
          style={placement(from, to)}
          className="absolute bottom-0.5 h-0.5 bg-accent"
        />
      ))}
    </div>
  )
}

/** The row of an open run shows only its lifetime; the rows below show the spans. */
const visibleSpans = (run: RunSpans, isOpen: boolean): readonly Span[] =>
  isOpen ? [] : run.spans.filter(({ kind, child }) => kind !== 'tool' || child === undefined)

function placement(from: number, to: number) {
  const left = Math.max(-0.01, from)
  const right = Math.min(1.01, Math.max(to, from + LEAST))
  return { left: `${left * 100}%`, width: `${(right - left) * 100}%` }
}
