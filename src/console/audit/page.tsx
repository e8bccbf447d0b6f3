/** Page of the audit log: one sentence per change, with filters, beside the selected change. */

import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api, ProblemError } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { MissingScope } from '../kit/missing-scope.tsx'
import { More, usePages } from '../kit/more.tsx'
import { Loading, Problem } from '../kit/notice.tsx'
import { OfflineLine } from '../kit/offline-line.tsx'
import { useSelectedRow } from '../kit/selected-row.ts'
import { useKeys } from '../kit/shortcuts.ts'
import { useTitle } from '../kit/title.ts'
import { useIsWide } from '../kit/wide.ts'
import { Ago, Code } from '../text/text.tsx'
import { Panes } from '../webhooks/panes.tsx'
import { EntryDetail } from './detail.tsx'
import { FilterBar } from './filter-bar.tsx'
import { auditSearch, type Filters, filtersOf } from './search.ts'
import { Sentence, useKeyNames } from './sentence.tsx'
import type { Entry } from './state.ts'

const EVERY_MS = 30_000
/** Interval between reads of an entry until it is sealed. */
const SEALED_MS = 5_000
const EXPORT = 'ml-auto text-sm whitespace-nowrap text-accent hover:underline'
const PAGE = 50

export default function Audit() {
  const words = useWords()
  const mayRead = useMay('audit:read')
  const search = auditSearch(useSearch({ strict: false }))
  const filters = filtersOf(search)
  const isOpen = search.sel !== undefined
  useTitle(words('audit.title'))
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header
        className={`flex flex-wrap items-center gap-x-4 gap-y-2 border-line px-4 md:min-h-10 md:border-b md:py-1.5 ${isOpen ? '' : 'border-b py-1.5'}`}
      >
        <h1 className="sr-only text-xl font-semibold lg:not-sr-only">{words('audit.title')}</h1>
        {mayRead && (
          <div className={isOpen ? 'hidden md:contents' : 'contents'}>
            <FilterBar filters={filters} />
            <a href="/v1/audit/export" download="audit.jsonl" className={EXPORT}>
              {words('audit.export')}
            </a>
          </div>
        )}
      </header>
      {mayRead ? (
        <EntryList key={JSON.stringify(filters)} filters={filters} selection={search.sel} />
      ) : (
        <MissingScope scope="audit:read" />
      )}
    </div>
  )
}

interface ListProps {
  readonly filters: Filters
  readonly selection: string | undefined
}

function EntryList({ filters, selection }: ListProps) {
  const words = useWords()
  const navigate = useNavigate()
  const isWide = useIsWide()
  const names = useKeyNames()
  const pages = usePages<Entry>(
    ['audit', filters],
    (cursor) => api.audit.list({ ...filters, limit: PAGE, cursor }),
    EVERY_MS,
  )
  const entries = pages.items
  const select = (sel: string | undefined, replace = isWide): void =>
    void navigate({
      to: '/audit',
      search: { ...filters, ...(sel === undefined ? {} : { sel }) },
      replace,
    })
  const ids = entries.map(({ version }) => version)
  const move = useSelectedRow(ids, selection, select)
  useKeys({ j: () => move(1), k: () => move(-1) })
  const selected = useEntry(selection)
  const entry = entries.find(({ version }) => version === selection) ?? selected.data
  return (
    <>
      <OfflineLine />
      <Panes
        label={words('audit.entry')}
        isEmpty={entries.length === 0}
        onBack={() => select(undefined, true)}
        list={
          <>
            {pages.isPending && !pages.error && <Loading />}
            {pages.isSuccess && entries.length === 0 && (
              <Empty isFiltered={Object.keys(filters).length > 0} hasMore={pages.hasNextPage} />
            )}
            <ul aria-label={words('audit.title')}>
              {entries.map((item) => (
                <EntryRow
                  key={item.version}
                  entry={item}
                  names={names}
                  isSelected={item.version === selection}
                  onSelect={() => select(item.version)}
                />
              ))}
            </ul>
            <div className="px-4">
              <More of={pages} />
            </div>
          </>
        }
        entry={
          selection === undefined ? undefined : entry ? (
            <EntryDetail key={entry.version} entry={entry} names={names} position={selected.data} />
          ) : selected.isPending ? (
            <Loading />
          ) : isNotFound(selected.error) ? (
            <p className="text-sm text-text-2">{words('audit.gone')}</p>
          ) : (
            <Problem error={selected.error} onRetry={() => void selected.refetch()} />
          )
        }
      />
    </>
  )
}

/** Reads the selected entry with its position, until it is sealed. */
const useEntry = (version: string | undefined) =>
  useQuery({
    queryKey: ['audit', 'entry', version],
    enabled: version !== undefined,
    queryFn: () => api.audit.get(version ?? ''),
    staleTime: ({ state }) => (state.data?.seq == null ? 0 : Number.POSITIVE_INFINITY),
    refetchInterval: ({ state }) => (state.data?.seq === null ? SEALED_MS : false),
  })

const isNotFound = (error: unknown): boolean =>
  error instanceof ProblemError && error.status === 404

interface RowProps {
  readonly entry: Entry
  readonly names: ReadonlyMap<string, string>
  readonly isSelected: boolean
  readonly onSelect: () => void
}

function EntryRow({ entry, names, isSelected, onSelect }: RowProps) {
  return (
    <li
      id={`row-${entry.version}`}
      className={`border-b border-line ${isSelected ? 'bg-selected' : 'hover:bg-subtle'}`}
    >
      <button
        type="button"
        aria-current={isSelected}
        onClick={onSelect}
        className="flex w-full items-baseline gap-3 px-4 py-2 text-left text-sm outline-offset-[-2px]"
      >
        <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          <Sentence entry={entry} names={names} />
        </span>
        <span className="text-xs text-text-2">
          <Ago at={entry.created_at} />
        </span>
      </button>
    </li>
  )
}

interface EmptyProps {
  readonly isFiltered: boolean
  readonly hasMore: boolean
}

function Empty({ isFiltered, hasMore }: EmptyProps) {
  const words = useWords()
  if (isFiltered || hasMore)
    return <p className="p-4 text-text-2">{words(hasMore ? 'audit.searched' : 'audit.no.match')}</p>
  return (
    <div className="grid max-w-2xl gap-3 p-4">
      <p className="text-text-2">{words('audit.empty')}</p>
      <Code label="strata" text="strata skills --put greet --file greet/SKILL.md" />
    </div>
  )
}
