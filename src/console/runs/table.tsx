/** Table of runs, of which only the rows in view exist, with its keys. */

import { useNavigate } from '@tanstack/react-router'
import {
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useWords } from '../i18n/words.ts'
import { useKeys } from '../kit/shortcuts.ts'
import { shownColumns, templateOf } from './columns.ts'
import { useColumns, useRoom } from './columns-store.ts'
import { Heads } from './heads.tsx'
import { isLive } from './list.ts'
import { moved, withMark, withRange } from './marks.ts'
import { RunRow } from './row.tsx'
import { linkTo } from './run-link.ts'
import type { InView, Run } from './use-runs.ts'
import { renderedRows, type Span, scrollTo } from './window.ts'

const ROW_PX = 36
/** Rows of narrow pages have two lines. */
const TALL_PX = 60
/** Distance from the last row at which the next page is loaded, in rows. */
const AHEAD = 30

/** Position of the list before the reader opened a run, restored when they return. */
let lastPosition: { readonly name: string; readonly top: number; readonly id: string | undefined } =
  {
    ...{ name: '', top: 0, id: undefined },
  }

interface Props {
  /** Name of the filters, under which the position is remembered. */
  readonly name: string
  readonly rows: readonly Run[]
  /** Time of the last refresh, in milliseconds since 1970. */
  readonly now: number
  readonly marked: ReadonlySet<string>
  readonly onMark: (marked: ReadonlySet<string>) => void
  /** Receives what the table shows. */
  readonly inView: RefObject<InView>
  readonly onTop: () => void
  readonly onEnd: () => void
}

export function RunTable({ name, rows, now, marked, onMark, inView, onTop, onEnd }: Props) {
  const words = useWords()
  const box = useRef<HTMLDivElement>(null)
  const room = useRoom()
  const rowPx = room === 'narrow' ? TALL_PX : ROW_PX
  const columns = useColumns()
  // Rows are not rendered again when only a width changes.
  const { visible } = columns
  const names = useMemo(() => shownColumns(visible, room), [visible, room])
  const { template, leastPx } = templateOf(columns, room)
  const span = useSpan(box, { count: rows.length, rowPx, name })
  const visibleRows = rows.slice(span.from, span.to)
  useLayoutEffect(() => {
    inView.current = { isAtTop: span.isAtTop, ids: visibleRows.map(({ id }) => id) }
    if (span.isAtTop) onTop()
  })
  const isNearEnd = span.to > rows.length - AHEAD
  // biome-ignore lint/correctness/useExhaustiveDependencies: each end is reported once.
  useEffect(() => {
    if (isNearEnd) onEnd()
  }, [isNearEnd, rows.length])
  const { current, anchor, onKey, onFocus } = useRowKeys({ box, rows, rowPx, marked, onMark, name })
  const mark = useCallback(
    (id: string, isRange: boolean) => {
      const { rows: all, marked: ids, onMark: report } = latest.current
      const order = all.map((run) => run.id)
      report(isRange ? withRange(ids, order, [anchor.current, id]) : withMark(ids, id))
      anchor.current = id
    },
    [anchor],
  )
  const latest = useRef({ rows, marked, onMark })
  useEffect(() => {
    latest.current = { rows, marked, onMark }
  })
  const navigate = useNavigate()
  const openRun = useCallback((run: Run) => void navigate(linkTo(run)), [navigate])
  const isCurrentShown = visibleRows.some(({ id }) => id === current)
  return (
    <div
      ref={box}
      id="runs"
      role="grid"
      tabIndex={0}
      aria-label={words('runs.title')}
      aria-multiselectable="true"
      aria-rowcount={rows.length + 1}
      aria-activedescendant={isCurrentShown ? `row-${current}` : undefined}
      onKeyDown={onKey}
      onFocus={({ target, currentTarget }) => target === currentTarget && onFocus(visibleRows)}
      style={{ '--columns': template, '--least': `${leastPx}px` } as CSSProperties}
      className="group/grid min-h-0 flex-1 overflow-y-auto outline-none"
    >
      {room !== 'narrow' && <Heads names={names} room={room} />}
      <div
        role="rowgroup"
        className="relative md:min-w-(--least)"
        style={{ height: rows.length * rowPx }}
      >
        {visibleRows.map((run, at) => (
          <RunRow
            key={run.id}
            run={run}
            index={span.from + at}
            top={(span.from + at) * rowPx}
            columns={names}
            now={isLive(run) ? now : 0}
            isCurrent={run.id === current}
            isMarked={marked.has(run.id)}
            onMark={mark}
            onOpen={openRun}
          />
        ))}
      </div>
    </div>
  )
}

interface Rows {
  readonly count: number
  readonly rowPx: number
  readonly name: string
}

const heightOf = (box: HTMLElement): number => {
  const head = box.querySelector<HTMLElement>('[data-heads]')
  return box.clientHeight - (head?.offsetHeight ?? 0)
}

interface Position extends Span {
  readonly isAtTop: boolean
}

/** Returns the rows to render; follows the scroll position and the size of the box. */
function useSpan(box: RefObject<HTMLDivElement | null>, { count, rowPx, name }: Rows): Position {
  const [span, setSpan] = useState<Position>(() => ({
    ...{ ...renderedRows({ top: 0, height: 900 }, count, rowPx), isAtTop: true },
  }))
  useLayoutEffect(() => {
    if (lastPosition.name === name) box.current?.scrollTo({ top: lastPosition.top })
  }, [box, name])
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const update = (): void => {
      const top = element.scrollTop
      lastPosition = { ...lastPosition, name, top }
      const { from, to } = renderedRows({ top, height: heightOf(element) }, count, rowPx)
      const isAtTop = top < rowPx / 2
      setSpan((span) => {
        const isSame = span.from === from && span.to === to && span.isAtTop === isAtTop
        return isSame ? span : { from, to, isAtTop }
      })
    }
    update()
    const observer = new ResizeObserver(update)
    observer.observe(element)
    element.addEventListener('scroll', update, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', update)
    }
  }, [box, count, rowPx, name])
  return span
}

interface KeyProps extends Pick<Props, 'rows' | 'marked' | 'onMark' | 'name'> {
  readonly box: RefObject<HTMLDivElement | null>
  readonly rowPx: number
}

/** Keys of the list. Those of `useKeys` also work while another part of the page has the focus. */
function useRowKeys({ box, rows, rowPx, marked, onMark, name }: KeyProps) {
  const navigate = useNavigate()
  const [current, setCurrent] = useState(() =>
    lastPosition.name === name ? lastPosition.id : undefined,
  )
  const anchor = useRef<string>(undefined)
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const go = (step: number): void => {
    const id = moved(ids, current, step)
    const element = box.current
    if (id === undefined || !element) return
    setCurrent(id)
    lastPosition = { ...lastPosition, name, id }
    const viewport = { top: element.scrollTop, height: heightOf(element) }
    element.scrollTop = scrollTo(ids.indexOf(id), viewport, rowPx)
    element.focus({ preventScroll: true })
  }
  const open = (isInPanel: boolean): void => {
    const run = rows.find(({ id }) => id === current)
    if (run) void navigate(linkTo(run, isInPanel))
  }
  const mark = (isRange: boolean): void => {
    if (current === undefined) return
    onMark(isRange ? withRange(marked, ids, [anchor.current, current]) : withMark(marked, current))
    anchor.current = current
  }
  const page = Math.max(1, Math.floor((box.current?.clientHeight ?? rowPx) / rowPx) - 2)
  const shortcuts = {
    ...{ j: () => go(1), k: () => go(-1), o: () => open(true) },
    ...{ x: () => mark(false), X: () => mark(true) },
    ...{ Home: () => go(-rows.length), End: () => go(rows.length) },
  }
  const keys: Readonly<Record<string, () => void>> = {
    ...shortcuts,
    ...{ ArrowDown: shortcuts.j, ArrowUp: shortcuts.k, Enter: () => open(false) },
    ...{ PageDown: () => go(page), PageUp: () => go(-page) },
  }
  useKeys(shortcuts)
  const onKey = (event: KeyboardEvent): void => {
    const act = keys[event.key]
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey
    if (!act || hasModifier || event.target !== event.currentTarget) return
    event.preventDefault()
    act()
  }
  // The current row shows the focus of the grid.
  const onFocus = ([first]: readonly Run[]): void => {
    if (first && !(current !== undefined && ids.includes(current))) setCurrent(first.id)
  }
  return { current, anchor, onKey, onFocus }
}
