/** Tabs with their counts, and the rows of a tab: name, origin, hidden files, and state. */

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWords } from '../i18n/words.ts'
import { type State, StateIcon } from '../kit/status.tsx'
import { Plain } from '../text/text.tsx'
import { type Entries, type Entry, type EntryState, locationOf } from './entries.ts'
import { type EffectiveSearch, effectiveSearch, TABS, type Tab } from './state.ts'

interface TabsProps {
  readonly tab: Tab
  readonly search: EffectiveSearch
  readonly entries: Entries | undefined
}

export function Tabs({ tab, search, entries }: TabsProps) {
  const words = useWords()
  return (
    <nav aria-label={words('effective.tabs')} className="flex min-w-0 gap-1 overflow-x-auto">
      {TABS.map((name, index) => (
        <Link
          key={name}
          ref={name === tab ? intoView : undefined}
          to="/layers/effective"
          search={effectiveSearch({ ...search, kind: name, name: '' })}
          title={`${words(`effective.tab.${name}`)} (${index + 1})`}
          // Without `exact`, the router also marks the tab that has no search parameters.
          activeOptions={{ exact: true }}
          aria-current={name === tab ? 'page' : undefined}
          className={`inline-flex min-h-9 items-center border-b-2 px-2 text-sm whitespace-nowrap outline-offset-[-2px] pointer-coarse:min-h-11 ${
            name === tab
              ? 'border-accent font-medium text-text'
              : 'border-transparent text-text-2 hover:text-text'
          }`}
        >
          {words(`effective.tab.${name}`)}
          {entries && <span className="pl-1 text-text-3">{entries[name].length}</span>}
        </Link>
      ))}
    </nav>
  )
}

/** Narrow pages show only some tabs at a time. */
const intoView = (element: HTMLElement | null): void =>
  element?.scrollIntoView({ block: 'nearest', inline: 'nearest' })

const ICONS: Readonly<Record<EntryState, State>> = {
  ...{ ready: 'completed', off: 'cancelled', unavailable: 'failed', noticed: 'timed_out' },
}
const COLORS: Readonly<Record<EntryState, string>> = {
  ...{ ready: 'text-done', off: 'text-queued', unavailable: 'text-failed' },
  noticed: 'text-late',
}

export function EntryStatus({ entry: { state, kind } }: { readonly entry: Entry }) {
  const words = useWords()
  const isRejected = kind === 'file' && state === 'unavailable'
  return (
    <span
      className={`inline-flex items-center gap-1 text-xs font-medium whitespace-nowrap ${COLORS[state]}`}
    >
      <StateIcon state={ICONS[state]} size={12} />
      {words(isRejected ? 'effective.state.rejected' : `effective.state.${state}`)}
    </span>
  )
}

/** Reason of a state in a sentence; a missing secret has no reason of its own. */
export function useReason(): (entry: Entry) => string | null {
  const words = useWords()
  return ({ reason, kind, of }) =>
    kind === 'secret' ? words('effective.secret', { server: of?.name ?? '' }) : reason
}

interface RowsProps {
  readonly entries: readonly Entry[]
  readonly label: string
  readonly current: string | undefined
  /** Whether the detail stands beside the rows, which then have two lines. */
  readonly isNarrow: boolean
  readonly onOpen: (id: string) => void
  /** Control at the left of a row. */
  readonly control?: ((entry: Entry) => ReactNode) | undefined
}

export function Rows({ entries, label, current, isNarrow, onOpen, control }: RowsProps) {
  const words = useWords()
  const columns = entries.some(({ hides }) => hides.length > 0) ? 'all' : 'short'
  return (
    <>
      {!isNarrow && entries.length > 0 && (
        <p
          aria-hidden="true"
          className="hidden border-b border-line px-4 py-1 text-xs text-text-3 md:flex"
        >
          {control && <span className="w-13" />}
          <span className={`flex-1 ${COLUMNS[columns]} hidden md:grid`}>
            {(['name', 'from', 'hides', 'state'] as const)
              .filter((column) => columns === 'all' || column !== 'hides')
              .map((column) => (
                <span key={column}>{words(`effective.column.${column}`)}</span>
              ))}
          </span>
        </p>
      )}
      <ul aria-label={label}>
        {entries.map((entry) => (
          <Row
            key={entry.id}
            {...{ entry, isNarrow, columns, control }}
            isCurrent={entry.id === current}
            onOpen={() => onOpen(entry.id)}
          />
        ))}
      </ul>
    </>
  )
}

const COLUMNS = {
  all: 'gap-x-4 md:grid-cols-[12rem_minmax(0,4fr)_minmax(0,4fr)_minmax(0,5fr)]',
  /** No entry hides another. */
  short: 'gap-x-4 md:grid-cols-[12rem_minmax(0,2fr)_minmax(0,3fr)]',
} as const

/** Returns the ID of a row's element. */
export const rowId = (id: string): string => `entry-${id}`

interface RowProps extends Pick<RowsProps, 'isNarrow' | 'control'> {
  readonly entry: Entry
  readonly columns: keyof typeof COLUMNS
  readonly isCurrent: boolean
  readonly onOpen: () => void
}

function Row({ entry, columns, isCurrent, isNarrow, onOpen, control }: RowProps) {
  const words = useWords()
  const reason = useReason()(entry)
  const { id, name, kind, hides, findings } = entry
  return (
    <li
      className={`flex items-center border-b border-line ${isCurrent ? 'bg-selected' : 'hover:bg-subtle'}`}
    >
      {control && <span className="flex w-13 shrink-0 pl-4">{control(entry)}</span>}
      <button
        id={rowId(id)}
        type="button"
        aria-current={isCurrent}
        onClick={onOpen}
        className={`grid min-w-0 flex-1 items-center gap-y-0.5 px-4 py-2 text-left text-sm outline-offset-[-2px] pointer-coarse:min-h-11 ${
          isNarrow ? 'grid-cols-[minmax(0,1fr)]' : `grid-cols-[minmax(0,1fr)] ${COLUMNS[columns]}`
        }`}
      >
        <span className="flex min-w-0 items-center gap-2 font-medium">
          <span className="min-w-0 truncate">
            <Plain text={name} />
          </span>
          {kind && kind !== 'file' && (
            <span className="rounded bg-sunken px-1 text-xs font-normal text-text-2">
              {words(`effective.kind.${kind}`)}
            </span>
          )}
        </span>
        <span
          title={entry.path ?? undefined}
          className="min-w-0 truncate font-mono text-xs text-text-2"
        >
          <From entry={entry} />
        </span>
        <span
          className={`min-w-0 truncate font-mono text-xs text-text-2 ${hides.length === 0 ? (isNarrow || columns === 'short' ? 'hidden' : 'hidden md:block') : ''}`}
        >
          <span className={isNarrow ? '' : 'md:sr-only'}>
            {hides.length > 0 && `${words('effective.column.hides')} `}
          </span>
          <Plain text={hides.join(', ')} />
        </span>
        <span className="flex min-w-0 items-center gap-2 text-xs text-text-2">
          <EntryStatus entry={entry} />
          <span className="min-w-0 truncate">
            <Plain text={reason ?? ''} />
            {reason === null &&
              findings.length > 0 &&
              words('effective.findings.count', { n: findings.length })}
          </span>
        </span>
      </button>
    </li>
  )
}

function From({ entry: { isBuiltin, path, kind, findings } }: { readonly entry: Entry }) {
  const words = useWords()
  if (isBuiltin) return words('effective.builtin')
  const line = kind === 'file' ? (findings.find((finding) => finding.line)?.line ?? null) : null
  return <Plain text={locationOf(path, line)} />
}
