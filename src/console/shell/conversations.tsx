/**
 * List of conversations started by people, grouped by the day of last activity. Entries can be
 * opened, renamed, and deleted.
 */

import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { api, type Schemas } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { titleOf } from '../data/session-title.ts'
import { useWords } from '../i18n/words.ts'
import { IconButton } from '../kit/button.tsx'
import { Icon } from '../kit/icons.tsx'
import { usePages } from '../kit/more.tsx'
import { Problem } from '../kit/notice.tsx'
import { StateIcon } from '../kit/status.tsx'
import { Plain } from '../text/text.tsx'
import { type Entry, entriesOf } from './days.ts'
import { type Edit, EditSession } from './edit-session.tsx'

type Session = Schemas['Session']
const EVERY_MS = 10_000
const PAGE = 50
const ROW_PX = 32

interface Editing {
  readonly session: Session
  readonly how: Edit
}

interface Props {
  readonly search: string
}

/** Shows nothing to a session without the scope: each page says what it needs. */
export function Conversations({ search }: Props) {
  return useMay('sessions:read') ? <ConversationList search={search} /> : null
}

function ConversationList({ search }: Props) {
  const words = useWords()
  const archived = useArchived()
  const pages = usePages(
    ['sessions', 'list', search, archived],
    (cursor) =>
      api.sessions.list({
        ...{ kind: 'main', order: 'active', limit: PAGE, cursor },
        ...(archived && { archived: 'only' }),
        ...(search && { q: search }),
      }),
    EVERY_MS,
  )
  const [editing, edit] = useState<Editing>()
  const isEmpty = pages.data && pages.items.length === 0 && !pages.hasNextPage
  return (
    <>
      {archived && (
        <h2 className="px-4 text-sm font-semibold">{words('sessions.archived.list')}</h2>
      )}
      {pages.error && (
        <div className="px-3">
          <Problem error={pages.error} onRetry={() => void pages.refetch()} />
        </div>
      )}
      {isEmpty && (
        <p className="px-3 text-sm text-text-3">
          {words(
            search ? 'sessions.no.match' : archived ? 'sessions.archived.none' : 'sessions.none',
          )}
        </p>
      )}
      <List pages={pages} onEdit={edit} />
      <Filter />
      {editing && (
        <EditSession session={editing.session} edit={editing.how} onClose={() => edit(undefined)} />
      )}
    </>
  )
}

/** Returns whether the page's URL selects archived conversations. */
const useArchived = (): boolean =>
  useSearch({ strict: false, select: ({ archived }) => archived === true })

/** Switches the list between archived and active conversations. */
function Filter() {
  const words = useWords()
  const archived = useArchived()
  return (
    <Link
      to="."
      search={({ archived: _, ...search }) => (archived ? search : { ...search, archived: true })}
      className="mx-2 flex min-h-7 items-center gap-2 rounded-md px-2 text-xs text-text-2 hover:bg-sunken hover:text-text pointer-coarse:min-h-11"
    >
      <Icon name={archived ? 'left' : 'archive'} size={14} />
      {words(archived ? 'sessions.archived.back' : 'sessions.archived.list')}
    </Link>
  )
}

interface ListProps {
  readonly pages: ReturnType<typeof usePages<Session>>
  readonly onEdit: (editing: Editing) => void
}

function List({ pages, onEdit }: ListProps) {
  const words = useWords()
  const archived = useArchived()
  const { session: openSession } = useParams({ strict: false })
  const box = useRef<HTMLElement>(null)
  const { items, hasNextPage, isFetchingNextPage, fetchNextPage } = pages
  const entries = entriesOf(items, words)
  const list = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  })
  const last = list.getVirtualItems().at(-1)?.index ?? -1
  useEffect(() => {
    if (last >= entries.length - 1 && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [last, entries.length, hasNextPage, isFetchingNextPage, fetchNextPage])
  return (
    <nav
      ref={box}
      aria-label={words(archived ? 'sessions.archived.list' : 'sessions.label')}
      className="min-h-0 flex-1 overflow-y-auto px-2"
    >
      <ul className="relative" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const entry = entries[index]
          return (
            <li
              key={entry?.key ?? index}
              style={{ transform: `translateY(${start}px)` }}
              className="absolute top-0 left-0 h-8 w-full"
            >
              {entry && <Row entry={entry} chosen={openSession} onEdit={onEdit} />}
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

interface RowProps {
  readonly entry: Entry
  readonly chosen: string | undefined
  readonly onEdit: ListProps['onEdit']
}

function Row({ entry, chosen: isOpen, onEdit }: RowProps) {
  const words = useWords()
  const may = useMay('sessions:write')
  const { session } = entry
  if (!session) return <p className="px-2 pt-3 text-xs text-text-3">{entry.day}</p>
  const isChosen = session.id === isOpen
  return (
    <div
      className={`group flex h-full items-center rounded-md ${isChosen ? 'bg-selected' : 'hover:bg-sunken'}`}
    >
      <Link
        to="/chat/$session"
        params={{ session: session.id }}
        search={({ archived }) => (archived ? { archived } : {})}
        aria-current={isChosen ? 'page' : undefined}
        title={titleOf(session)}
        className="flex min-w-0 flex-1 items-center gap-2 self-stretch rounded-md px-2 text-sm"
      >
        {session.current_run_id && (
          <>
            <StateIcon state="running" size={12} />
            <span className="sr-only">{words('status.running')}</span>
          </>
        )}
        <span className="truncate">
          <Plain text={titleOf(session)} />
        </span>
      </Link>
      {may && (
        <span className="hidden shrink-0 group-focus-within:flex group-hover:flex">
          <IconButton
            icon="edit"
            size={14}
            label={words('sessions.rename')}
            onClick={() => onEdit({ session, how: 'rename' })}
          />
          <IconButton
            icon="trash"
            size={14}
            label={words('delete')}
            onClick={() => onEdit({ session, how: 'delete' })}
          />
        </span>
      )}
    </div>
  )
}
