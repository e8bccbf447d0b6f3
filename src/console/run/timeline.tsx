/**
 * Timeline of a run with all subagents: a row per run, step, or call, on an axis of wall-clock
 * time.
 */

import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { RunEvent } from '../../client/index.ts'
import { useWords } from '../i18n/words.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { useFocus } from '../kit/focus.ts'
import { Loading } from '../kit/notice.tsx'
import { useKeys } from '../kit/shortcuts.ts'
import { useIsWide } from '../kit/wide.ts'
import { causesOf, criticalPath } from '../log/critical-path.ts'
import { FULL_VIEW, moved, scaleOf, zoomed } from '../log/scale.ts'
import { timelineOf } from '../log/timeline.ts'
import { timelineRows } from '../log/timeline-rows.ts'
import { Axis, useWheel } from './axis.tsx'
import { Causes } from './causes.tsx'
import { type RowContext, TimelineRowView } from './row.tsx'
import { useRunState } from './state.ts'

/** Height of a row; on narrow screens, the bars are below the name. */
const ROW_PX = { wide: 28, narrow: 46 }
const ZOOM = 1.6
/** Share of the visible part that a key press moves. */
const MOVE = 0.25
const TICK_MS = 1_000

interface Props {
  readonly id: string
  readonly events: readonly RunEvent[]
  readonly isOver: boolean
}

export function Timeline({ id, events, isOver }: Props) {
  const now = useNow(!isOver)
  const runs = useMemo(() => timelineOf(events, id, now), [events, id, now])
  const path = useMemo(() => criticalPath(runs), [runs])
  const scale = useMemo(() => scaleOf(runs), [runs])
  const { selection } = useRunState()
  const opened = useMemo(() => ancestorsOf(runs, selection?.run), [runs, selection?.run])
  const [folded, setFolded] = useState<Readonly<Record<string, boolean>>>({})
  const isOpen = (run: string): boolean => folded[run] ?? (run === id || opened.has(run))
  const rows = timelineRows(runs, isOpen)
  const [view, setView] = useState(FULL_VIEW)
  const [hasPath, setPath] = useState(true)
  const zoom = (factor: number, share?: number): void => setView(zoomed(view, factor, share))
  const box = useRef<HTMLDivElement>(null)
  useWheel(box, zoom, (share) => setView(moved(view, share)))
  useKeys({
    '+': () => zoom(1 / ZOOM),
    '=': () => zoom(1 / ZOOM),
    '-': () => zoom(ZOOM),
    '0': () => setView(FULL_VIEW),
    c: () => setPath(!hasPath),
  })
  const context: RowContext = {
    ...{ scale, view, path: hasPath ? path : [] },
    onToggle: (run) => setFolded({ ...folded, [run]: !isOpen(run) }),
  }
  if (runs.length === 0) return <Loading />
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Rows
        {...{ rows, context, box }}
        onMove={(share) => setView(moved(view, share))}
        bar={
          <Controls
            hasPath={hasPath}
            isZoomed={view.to - view.from < 1}
            onPath={() => setPath(!hasPath)}
            onZoom={zoom}
            onAll={() => setView(FULL_VIEW)}
          />
        }
      />
      <Causes causes={causesOf(path)} total={(runs[0]?.end ?? 0) - (runs[0]?.start ?? 0)} />
    </div>
  )
}

/** Returns a run and the runs above it, which are expanded so that its rows are visible. */
function ancestorsOf(runs: ReturnType<typeof timelineOf>, run: string | undefined): Set<string> {
  const ids = new Set<string>()
  for (let id = run; id !== undefined; ) {
    ids.add(id)
    id = runs.find(({ run_id }) => run_id === id)?.parent
  }
  return ids
}

/** Returns the current time, updated each second while the run is live. */
function useNow(isLive: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isLive) return
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [isLive])
  return now
}

interface RowsProps {
  readonly rows: ReturnType<typeof timelineRows>
  readonly context: RowContext
  readonly box: React.RefObject<HTMLDivElement | null>
  readonly bar: React.ReactNode
  readonly onMove: (share: number) => void
}

function Rows({ rows, context, box, bar, onMove }: RowsProps) {
  const words = useWords()
  const { selection, select } = useRunState()
  const height = useIsWide() ? ROW_PX.wide : ROW_PX.narrow
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
  })
  // Rows of another height are measured again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is the same object.
  useLayoutEffect(() => list.measure(), [height])
  useFocus(box)
  const selected = rows.findIndex((row) => isSelected(row, selection))
  const [cursor, setCursor] = useState(0)
  const at = selected >= 0 ? selected : Math.min(cursor, rows.length - 1)
  const go = (index: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, index))
    const row = rows[next]
    setCursor(next)
    list.scrollToIndex(next)
    if (row) select(selectionOfRow(row))
  }
  const latest = useRef(go)
  useEffect(() => {
    latest.current = go
  })
  const onSelect = useCallback((index: number) => latest.current(index), [])
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows[at]
    const steps: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(selected < 0 && cursor === 0 ? 0 : at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: () => {
        if (event.shiftKey) onMove(MOVE)
        else if (row?.kind === 'run' && !row.isOpen) context.onToggle(row.run.run_id)
        else go(at + 1)
      },
      ArrowLeft: () => {
        if (event.shiftKey) onMove(-MOVE)
        else if (row?.kind === 'run' && row.isOpen) context.onToggle(row.run.run_id)
        else go(rows.findLastIndex(({ level }, index) => index < at && level < (row?.level ?? 0)))
      },
    }
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    step()
  }
  return (
    <>
      <div className="grid border-b border-line md:grid-cols-[300px_minmax(0,1fr)]">
        <div className="flex items-center px-2 py-1 sm:px-4">{bar}</div>
        <Axis scale={context.scale} view={context.view} />
      </div>
      <div
        ref={box}
        role="treegrid"
        aria-label={words('run.tab.timeline')}
        aria-description={words('run.timeline.keys')}
        aria-rowcount={rows.length}
        tabIndex={0}
        onKeyDown={onKey}
        className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto outline-offset-[-2px]"
      >
        <div className="relative" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(({ index, start, key }) => {
            const row = rows[index]
            if (!row) return null
            return (
              <TimelineRowView
                key={key}
                {...{ row, index, context }}
                y={start}
                isSelected={index === selected}
                onSelect={onSelect}
              />
            )
          })}
        </div>
      </div>
    </>
  )
}

type Row = ReturnType<typeof timelineRows>[number]

/** A run is selected by its first event. */
const selectionOfRow = (row: Row) => ({
  run: row.run.run_id,
  seq: row.kind === 'run' ? 1 : row.span.seq,
})

const isSelected = (row: Row, selection: ReturnType<typeof useRunState>['selection']): boolean => {
  const { run, seq } = selectionOfRow(row)
  return selection !== undefined && selection.run === run && selection.seq === seq
}

interface ControlsProps {
  readonly hasPath: boolean
  readonly isZoomed: boolean
  readonly onPath: () => void
  readonly onZoom: (factor: number) => void
  readonly onAll: () => void
}

function Controls({ hasPath, isZoomed, onPath, onZoom, onAll }: ControlsProps) {
  const words = useWords()
  return (
    <span className="flex items-center gap-1">
      <Button look="quiet" aria-pressed={hasPath} onClick={onPath} title="c">
        <span aria-hidden="true" className={`h-0.5 w-4 ${hasPath ? 'bg-accent' : 'bg-control'}`} />
        {words('run.path')}
      </Button>
      <IconButton icon="plus" label={words('run.zoom.in')} onClick={() => onZoom(1 / ZOOM)} />
      <IconButton icon="minus" label={words('run.zoom.out')} onClick={() => onZoom(ZOOM)} />
      {isZoomed && (
        <Button look="quiet" onClick={onAll} title="0">
          {words('run.zoom.all')}
        </Button>
      )}
    </span>
  )
}
