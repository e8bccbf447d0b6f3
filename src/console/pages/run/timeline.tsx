/**
 * The whole tree of a run in time: a line for each run below an axis. It is zoomed and moved by
 * buttons, keys, the wheel and a finger; a span that is chosen shows what it was.
 */

import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { RunEvent } from '../../../client/index.ts'
import { useWords } from '../../app/words.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { lasted } from '../../ui/text.tsx'
import { useWindowedRows } from '../../ui/windowed.tsx'
import { Axis, Legend, NAME } from './axis.tsx'
import { neighbour } from './neighbour.ts'
import { moved, showing, type View, zoomed } from './scale.ts'
import { SpanLine } from './span-bars.tsx'
import { SpanDetails } from './span-details.tsx'
import { linesOf, type RunLine } from './spans.ts'

const ROW = 34
const STEP = 1.5
/** So much of what is seen one press moves. */
const MOVE = 0.25

interface Props {
  readonly runId: string
  readonly events: readonly RunEvent[]
  readonly live: boolean
}

export function Timeline({ runId, events, live }: Props) {
  const now = useNow(live)
  const lines = useMemo(() => linesOf(events, runId, now), [events, runId, now])
  if (lines.length === 0) return null
  return <Drawn lines={lines} events={events} />
}

function Drawn({
  lines,
  events,
}: {
  readonly lines: readonly RunLine[]
  readonly events: readonly RunEvent[]
}) {
  const words = useWords()
  const [path, setPath] = useState(false)
  const [chosen, setChosen] = useState<string>()
  const whole = useMemo(() => wholeOf(lines), [lines])
  const [part, setPart] = useState<View>()
  const view = part ?? whole
  const zoom = (factor: number, at?: number): void => setPart(zoomed(view, whole, factor, at))
  const move = (share: number): void => setPart(part && moved(part, whole, share))
  const showAll = (): void => setPart(undefined)
  const rows = useWindowedRows(lines.length, ROW)
  const area = useRef<HTMLDivElement>(null)
  useWheel(area, zoom, move)
  const choose = useCallback((id: string) => setChosen(id), [])
  const spans = useMemo(() => lines.flatMap(({ spans }) => spans), [lines])
  const at = lines.findIndex((line) => line.spans.some(({ id }) => id === chosen))
  const span = spans.find(({ id }) => id === chosen)
  const goTo = (key: string): boolean => {
    const to = neighbour(lines, at, chosen, key)
    if (!to) return false
    rows.scrollTo(to.line)
    setPart(part && showing(part, whole, to.span))
    setChosen(to.span.id)
    // It is drawn first where it was out of sight.
    requestAnimationFrame(() => {
      area.current?.querySelector<HTMLElement>(`[data-span="${CSS.escape(to.span.id)}"]`)?.focus()
    })
    return true
  }
  const onKey = (event: KeyboardEvent): void => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey) return
    if (key === '+' || key === '=') zoom(1 / STEP)
    else if (key === '-') zoom(STEP)
    else if (key === '0') showAll()
    else if (shiftKey && key === 'ArrowLeft') move(-MOVE)
    else if (shiftKey && key === 'ArrowRight') move(MOVE)
    else if (!goTo(key)) return
    event.preventDefault()
  }
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-xs">
        <Legend />
        <Checkbox
          label={words('timeline.critical')}
          checked={path}
          onChange={({ target }) => setPath(target.checked)}
        />
        <span className="flex-1" />
        <Ways {...{ view, whole, zoom, move }} isPart={part !== undefined} onAll={showAll} />
      </div>
      {path && (
        <p role="status" className="text-xs text-muted">
          {words('timeline.path', { n: spans.filter((one) => one.critical).length })}
        </p>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of what lies in it. */}
      <div
        ref={area}
        onKeyDown={onKey}
        className="overflow-hidden rounded-xl border border-line bg-surface"
      >
        <Axis view={view} whole={whole} />
        <div
          ref={rows.ref}
          tabIndex={0}
          role="region"
          aria-label={words('run.timeline')}
          aria-description={words('timeline.keys')}
          className="max-h-[60dvh] overflow-y-auto"
        >
          <ol ref={rows.sized} className="relative">
            {rows.items.map(({ index, place }) => (
              <li
                key={lines[index]!.runId}
                ref={place}
                className="absolute inset-x-0 flex h-[34px] items-center border-b border-line"
              >
                <Name line={lines[index]!} />
                <SpanLine
                  {...{ line: lines[index]!, view, path, chosen }}
                  stop={chosen ?? spans[0]?.id}
                  onChoose={choose}
                />
              </li>
            ))}
          </ol>
        </div>
      </div>
      <p className="text-xs text-muted">{words('timeline.keys')}</p>
      {span && lines[at] && (
        <SpanDetails line={lines[at]} span={span} began={whole.from} events={events} />
      )}
    </div>
  )
}

interface WaysProps {
  readonly view: View
  readonly whole: View
  readonly isPart: boolean
  readonly zoom: (factor: number) => void
  readonly move: (share: number) => void
  readonly onAll: () => void
}

function Ways({ view, whole, isPart, zoom, move, onAll }: WaysProps) {
  const words = useWords()
  return (
    <span className="flex flex-wrap items-center gap-1">
      <span className="mr-2 basis-full text-muted tabular-nums sm:basis-auto">
        {lasted(view.to - view.from)} / {lasted(whole.to - whole.from)}
      </span>
      <IconButton
        icon="left"
        label={words('timeline.earlier')}
        disabled={!isPart || view.from <= whole.from}
        onClick={() => move(-MOVE)}
      />
      <IconButton
        icon="right"
        label={words('timeline.later')}
        disabled={!isPart || view.to >= whole.to}
        onClick={() => move(MOVE)}
      />
      <Button onClick={() => zoom(1 / STEP)}>{words('timeline.in')}</Button>
      <Button disabled={!isPart} onClick={() => zoom(STEP)}>
        {words('timeline.out')}
      </Button>
      <Button disabled={!isPart} onClick={onAll}>
        {words('timeline.all')}
      </Button>
    </span>
  )
}

const wholeOf = (lines: readonly RunLine[]): View => ({
  from: Math.min(...lines.map(({ from }) => from)),
  to: Math.max(...lines.map(({ to }) => to)),
})

function useNow(live: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!live) return
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [live])
  return now
}

/** With Ctrl the wheel zooms where it points; sideways it moves. */
function useWheel(
  area: React.RefObject<HTMLDivElement | null>,
  zoom: (factor: number, at?: number) => void,
  move: (share: number) => void,
): void {
  useEffect(() => {
    const { current: box } = area
    const onWheel = (event: WheelEvent): void => {
      const { left, width } = box!.getBoundingClientRect()
      const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY)
      if (!event.ctrlKey && !event.metaKey && !isSideways) return
      event.preventDefault()
      if (isSideways) move(event.deltaX / width)
      else zoom(event.deltaY > 0 ? STEP : 1 / STEP, (event.clientX - left) / width)
    }
    box?.addEventListener('wheel', onWheel, { passive: false })
    return () => box?.removeEventListener('wheel', onWheel)
  })
}

function Name({ line }: { readonly line: RunLine }) {
  const { runId, agent, label, depth } = line
  return (
    <span
      ref={(element) => element?.style.setProperty('padding-left', `${0.75 + depth}rem`)}
      className={NAME}
    >
      <Link to="/runs/$run" params={{ run: runId }} className="hover:underline">
        {label ?? agent}
      </Link>
    </span>
  )
}
