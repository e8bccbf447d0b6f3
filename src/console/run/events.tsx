/** Events of a run with all subagents, filtered by type and text. */

import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, useMemo, useRef, useState } from 'react'
import type { RunEvent } from '../../client/index.ts'
import { useWords } from '../i18n/words.ts'
import { INPUT } from '../kit/field.tsx'
import { useFocus } from '../kit/focus.ts'
import { Loading } from '../kit/notice.tsx'
import { duration, timeOfDay } from '../text/format.ts'
import { Plain } from '../text/text.tsx'
import type { Selection } from './search.ts'
import { useRunState } from './state.ts'

const ROW_PX = 28
const SUMMARY_CHARACTERS = 300

interface Props {
  readonly events: readonly RunEvent[]
  readonly root: string
}

interface Line {
  readonly event: RunEvent
  readonly summary: string
}

export function Events({ events, root }: Props) {
  const words = useWords()
  const [type, setType] = useState('')
  const [text, setText] = useState('')
  const lines = useMemo(() => linesOf(events), [events])
  const types = useMemo(() => [...new Set(lines.map(({ event }) => event.type))].sort(), [lines])
  const needle = text.trim().toLowerCase()
  const matches = lines.filter(({ event, summary }) => {
    const isOfType = type === '' || event.type === type
    return isOfType && `${event.type} ${event.run_id} ${summary}`.toLowerCase().includes(needle)
  })
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex flex-wrap gap-2 px-4 py-2 sm:px-6">
        <select
          aria-label={words('run.events.type')}
          value={type}
          onChange={({ target }) => setType(target.value)}
          className={INPUT}
        >
          <option value="">{words('run.events.all')}</option>
          {types.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <input
          type="search"
          aria-label={words('run.events.search')}
          placeholder={words('run.events.search')}
          value={text}
          onChange={({ target }) => setText(target.value)}
          className={`${INPUT} min-w-0 flex-1`}
        />
        <span className="self-center text-xs text-text-3">
          {words('run.events.count', { n: matches.length, of: lines.length })}
        </span>
      </div>
      <EventList lines={matches} root={root} isLoading={events.length === 0} />
    </div>
  )
}

/** Orders events by time; events that a reconnection repeated are shown once. */
function linesOf(events: readonly RunEvent[]): readonly Line[] {
  const byId = new Map(events.map((event) => [`${event.run_id} ${event.seq}`, event]))
  return [...byId.values()]
    .sort(
      (first, second) =>
        Date.parse(first.created_at) - Date.parse(second.created_at) ||
        first.run_id.localeCompare(second.run_id) ||
        first.seq - second.seq,
    )
    .map((event) => ({
      event,
      summary: JSON.stringify(event.data ?? {}).slice(0, SUMMARY_CHARACTERS),
    }))
}

interface ListProps {
  readonly lines: readonly Line[]
  readonly root: string
  readonly isLoading: boolean
}

function EventList({ lines, root, isLoading }: ListProps) {
  const words = useWords()
  const { selection, select } = useRunState()
  const box = useRef<HTMLDivElement>(null)
  const list = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  })
  useFocus(box)
  const at = lines.findIndex(
    ({ event }) => event.run_id === selection?.run && event.seq === selection.seq,
  )
  const go = (index: number): void => {
    const next = Math.max(0, Math.min(lines.length - 1, index))
    const event = lines[next]?.event
    if (!event) return
    list.scrollToIndex(next)
    select({ run: event.run_id, seq: event.seq })
  }
  const onKey = (event: KeyboardEvent): void => {
    const next = {
      ...{ ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1 },
      ...{ Home: 0, End: lines.length - 1 },
    }[event.key]
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    go(next)
  }
  const start = lines[0] ? Date.parse(lines[0].event.created_at) : 0
  return (
    <div
      ref={box}
      role="listbox"
      aria-label={words('run.tab.events')}
      tabIndex={0}
      onKeyDown={onKey}
      className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto border-t border-line outline-offset-[-2px]"
    >
      {isLoading && <Loading />}
      {lines.length === 0 && !isLoading && (
        <p className="p-6 text-sm text-text-3">{words('run.empty')}</p>
      )}
      <div className="relative" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start: y, key }) => (
          <EventRow
            key={key}
            {...{ index, y, root, start, line: lines[index]! }}
            count={lines.length}
            isSelected={index === at}
            onSelect={select}
          />
        ))}
      </div>
    </div>
  )
}

interface RowProps {
  readonly line: Line
  readonly index: number
  /** Number of listed events. */
  readonly count: number
  /** Distance from the top of the list, in pixels. */
  readonly y: number
  readonly root: string
  /** Time of the first event, in milliseconds since 1970. */
  readonly start: number
  readonly isSelected: boolean
  readonly onSelect: (selection: Selection) => void
}

/** Scrolling renders only the rows that appear. */
const EventRow = memo(function EventRow(props: RowProps) {
  const { line, index, count, y, root, start, isSelected, onSelect } = props
  const { event, summary } = line
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys of its rows.
    <div
      role="option"
      tabIndex={-1}
      aria-setsize={count}
      aria-posinset={index + 1}
      aria-selected={isSelected}
      onClick={() => onSelect({ run: event.run_id, seq: event.seq })}
      style={{ transform: `translateY(${y}px)` }}
      className={`absolute top-0 left-0 flex h-7 w-full items-center gap-3 px-4 text-xs whitespace-nowrap sm:px-6 ${
        isSelected ? 'bg-selected' : 'hover:bg-subtle'
      }`}
    >
      <span className="w-9 shrink-0 text-right text-text-3">{event.seq}</span>
      <span title={timeOfDay(event.created_at)} className="w-16 shrink-0 text-right text-text-3">
        {duration(Date.parse(event.created_at) - start)}
      </span>
      <span className="min-w-0 flex-1 truncate font-medium md:w-40 md:flex-none">
        <Plain text={event.type} />
      </span>
      <span className="w-20 shrink-0 truncate font-mono text-text-3">
        {event.run_id === root ? '' : event.run_id.slice(-8)}
      </span>
      <span className="hidden min-w-0 flex-1 truncate font-mono text-text-2 md:block">
        <Plain text={summary} />
      </span>
    </div>
  )
})
