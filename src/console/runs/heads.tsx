/** Heads of the run list's columns, with edges that change the widths, and the menu of columns. */

import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useWords } from '../i18n/words.ts'
import { Menu, MenuItem } from '../kit/menu.tsx'
import {
  COLUMN_NAMES,
  type ColumnName,
  DEFAULT_COLUMNS,
  isAfterInput,
  isSized,
  MAX_PX,
  MIN_PX,
  type Room,
  type SizedColumn,
  shownColumns,
  widthOf,
  withColumn,
  withoutWidth,
  withWidth,
} from './columns.ts'
import { changeColumns, currentColumns, keepColumns, useColumns, useRoom } from './columns-store.ts'
import { COLUMNS } from './row.tsx'

interface Props {
  readonly names: readonly ColumnName[]
  readonly room: Room
}

export function Heads({ names, room }: Props) {
  const words = useWords()
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus.
    <div
      role="row"
      aria-rowindex={1}
      data-heads=""
      className={`sticky top-0 z-20 grid h-8 min-w-(--least) border-b border-line bg-canvas text-xs text-text-3 ${COLUMNS}`}
    >
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus. */}
      <span role="columnheader" className="sr-only">
        {words('runs.mark')}
      </span>
      <span aria-hidden="true" />
      {names.map((name) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus.
        <span
          key={name}
          role="columnheader"
          className={`relative min-w-0 ${isAfterInput(name) ? 'text-right' : ''}`}
        >
          <span className="block truncate">{words(`runs.column.${name}`)}</span>
          {isSized(name) && <Edge name={name} room={room} />}
        </span>
      ))}
    </div>
  )
}

interface EdgeProps {
  readonly name: SizedColumn
  readonly room: Room
}

/** Width change of an arrow key, in pixels. */
const STEP_PX = 8

/** Edge of a column, which the pointer drags and the arrow keys move. */
function Edge({ name, room }: EdgeProps) {
  const words = useWords()
  const width = widthOf(useColumns(), name, room)
  const start = useRef<{ readonly x: number; readonly width: number }>(undefined)
  const sign = isAfterInput(name) ? -1 : 1
  const keep = (px: number): void => keepColumns(withWidth(currentColumns(), name, px))
  const reset = (): void => keepColumns(withoutWidth(currentColumns(), name))
  const onKey = (event: KeyboardEvent): void => {
    const act = {
      ArrowRight: () => keep(width + sign * STEP_PX),
      ArrowLeft: () => keep(width - sign * STEP_PX),
      ...{ Home: () => keep(MIN_PX), End: () => keep(MAX_PX), Enter: reset },
    }[event.key]
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    act()
  }
  const onMove = ({ clientX }: PointerEvent): void => {
    if (!start.current) return
    const px = start.current.width + sign * (clientX - start.current.x)
    changeColumns(withWidth(currentColumns(), name, px))
  }
  const onEnd = (): void => {
    if (start.current) keepColumns(currentColumns())
    start.current = undefined
  }
  return (
    <span
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={words('runs.column.width', { name: words(`runs.column.${name}`) })}
      aria-valuenow={width}
      aria-valuemin={MIN_PX}
      aria-valuemax={MAX_PX}
      title={words('runs.column.width.keys')}
      onKeyDown={onKey}
      onDoubleClick={reset}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.focus()
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, width }
      }}
      onPointerMove={onMove}
      onPointerUp={onEnd}
      onPointerCancel={onEnd}
      className={`absolute -inset-y-1.5 w-3 cursor-col-resize touch-none after:absolute after:inset-y-1 after:left-1.5 after:w-px hover:after:bg-control ${sign === 1 ? '-right-3' : '-left-3'}`}
    />
  )
}

export function ColumnMenu() {
  const words = useWords()
  const columns = useColumns()
  const room = useRoom()
  const names = shownColumns(columns.visible, room)
  if (room === 'narrow') return null
  return (
    <span className="ml-auto">
      <Menu label={words('runs.columns.choose')} text={words('runs.columns')}>
        {COLUMN_NAMES.filter(isSized).map((name) => (
          <MenuItem
            key={name}
            isMultiple
            checked={names.includes(name)}
            onChoose={() => keepColumns(withColumn(currentColumns(), name, room))}
          >
            {words(`runs.column.${name}`)}
          </MenuItem>
        ))}
        <hr className="my-1 border-line" />
        <MenuItem onChoose={() => keepColumns(DEFAULT_COLUMNS)}>
          {words('runs.columns.reset')}
        </MenuItem>
      </Menu>
    </span>
  )
}
