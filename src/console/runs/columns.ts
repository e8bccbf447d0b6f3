/** Columns of the run list: which are shown, and how wide they are. */

export const COLUMN_NAMES = [
  ...(['status', 'agent', 'input', 'started', 'took'] as const),
  ...(['steps', 'subagents', 'tokens', 'cost'] as const),
]
export type ColumnName = (typeof COLUMN_NAMES)[number]
/** Columns with a width; the input takes the space that remains, and is always shown. */
export type SizedColumn = Exclude<ColumnName, 'input'>

export interface Columns {
  /** Columns that the reader chose; undefined for those that the page has room for. */
  readonly visible?: readonly ColumnName[]
  /** Widths in pixels that the reader changed. */
  readonly widths: Readonly<Partial<Record<SizedColumn, number>>>
}

export const DEFAULT_COLUMNS: Columns = { widths: {} }

/** Room for the columns: pages of medium width omit some, and narrow rows have two lines. */
export type Room = 'narrow' | 'medium' | 'wide'

const OMITTED: Readonly<Record<Room, readonly ColumnName[]>> = {
  narrow: ['started', 'steps', 'subagents', 'tokens'],
  medium: ['steps', 'subagents', 'tokens'],
  wide: [],
}

const WIDTHS: Readonly<Record<SizedColumn, readonly [medium: number, wide: number]>> = {
  status: [104, 104],
  agent: [120, 136],
  started: [96, 104],
  took: [72, 80],
  steps: [48, 48],
  subagents: [88, 88],
  tokens: [64, 64],
  cost: [72, 72],
}

export const MIN_PX = 40
export const MAX_PX = 400
/** Least width of the input; a list with wider columns scrolls sideways. */
const INPUT_PX = 160
const MARK_PX = 36
const GAP_PX = 12
const END_PX = 16

export const isSized = (name: ColumnName): name is SizedColumn => name !== 'input'

/** Columns after the input move their left edge, because the list ends at the right. */
export const isAfterInput = (name: ColumnName): boolean =>
  COLUMN_NAMES.indexOf(name) > COLUMN_NAMES.indexOf('input')

export function shownColumns(visible: Columns['visible'], room: Room): readonly ColumnName[] {
  if (visible && room !== 'narrow') return COLUMN_NAMES.filter((name) => visible.includes(name))
  return COLUMN_NAMES.filter((name) => !OMITTED[room].includes(name))
}

export const widthOf = ({ widths }: Columns, name: SizedColumn, room: Room): number =>
  widths[name] ?? WIDTHS[name][room === 'wide' ? 1 : 0]

/** Returns the value of `grid-template-columns`, and the least width of the list. */
export function templateOf(
  columns: Columns,
  room: Room,
): { readonly template: string; readonly leastPx: number } {
  const names = shownColumns(columns.visible, room)
  const tracks = names.map((name) =>
    isSized(name) ? `${widthOf(columns, name, room)}px` : `minmax(${INPUT_PX}px, 1fr)`,
  )
  const widths = names.map((name) => (isSized(name) ? widthOf(columns, name, room) : INPUT_PX))
  const sum = widths.reduce((total, px) => total + px, MARK_PX + END_PX)
  return { template: [`${MARK_PX}px`, ...tracks].join(' '), leastPx: sum + GAP_PX * names.length }
}

export const withWidth = (columns: Columns, name: SizedColumn, px: number): Columns => ({
  ...columns,
  widths: { ...columns.widths, [name]: Math.round(Math.min(MAX_PX, Math.max(MIN_PX, px))) },
})

export function withoutWidth(columns: Columns, name: SizedColumn): Columns {
  const { [name]: _, ...widths } = columns.widths
  return { ...columns, widths }
}

/** Shows or hides a column. */
export function withColumn(columns: Columns, name: SizedColumn, room: Room): Columns {
  const names = shownColumns(columns.visible, room)
  const visible = names.includes(name) ? names.filter((other) => other !== name) : [...names, name]
  return { ...columns, visible: COLUMN_NAMES.filter((other) => visible.includes(other)) }
}

/** Reads stored columns. A member that is damaged has its default. */
export function columnsIn(text: string | null): Columns {
  const stored = objectIn(text)
  const isWidth = (value: unknown): value is number =>
    typeof value === 'number' && value >= MIN_PX && value <= MAX_PX
  const stale = objectOf(stored.widths)
  const widths = Object.fromEntries(
    Object.keys(WIDTHS).flatMap((name) => (isWidth(stale[name]) ? [[name, stale[name]]] : [])),
  )
  const names: unknown = stored.visible
  if (!Array.isArray(names)) return { widths }
  return {
    widths,
    visible: COLUMN_NAMES.filter((name) => name === 'input' || names.includes(name)),
  }
}

function objectIn(text: string | null): Readonly<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
