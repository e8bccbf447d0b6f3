/** The list of runs, with filters that stand in the address; it follows what happens. */

import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { memo, useMemo, useRef } from 'react'
import { api, type Schemas } from '../../app/api.ts'
import { useTitle } from '../../app/title.ts'
import { useLanguage, useWords } from '../../app/words.ts'
import { Status } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty, Loading, Problem } from '../../ui/notice.tsx'
import { Ago, dollars, lasted } from '../../ui/text.tsx'
import { useWindowedRows } from '../../ui/windowed.tsx'
import { FilterBar } from './filter-bar.tsx'
import { filtersOf, queryOf } from './filters.ts'
import { useLiveList } from './list.ts'

type Run = Schemas['Run']
const ROW = 60
export default function Runs() {
  const words = useWords()
  const filters = filtersOf(useSearch({ strict: false }))
  const key = JSON.stringify(filters)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the filters.
  const query = useMemo(() => queryOf(filters, Date.now()), [key])
  const isFiltered = key !== '{}'
  const navigate = useNavigate()
  const seen = useRef(0)
  const found = useLiveList<Run>({
    key: ['runs', query],
    read: (cursor) => api.runs.list({ ...query, cursor, limit: 100 } as never),
    seen: () => seen.current,
  })
  const rows = useWindowedRows(found.items.length, ROW, () => {
    if (found.hasNextPage && !found.isFetchingNextPage) void found.fetchNextPage()
  })
  seen.current = rows.items[rows.items.length >> 1]?.index ?? 0
  useTitle(words('nav.runs'))
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="border-b border-line bg-surface px-4 py-2 sm:px-6">
        <div className="flex min-h-10 flex-wrap items-center gap-2">
          <h1 className="mr-2 text-lg font-semibold">{words('nav.runs')}</h1>
          <FilterBar filters={filters} />
        </div>
      </header>
      <Problem error={found.error} onRetry={() => void found.refetch()} />
      {found.isPending && <Loading />}
      {found.isSuccess && found.items.length === 0 && isFiltered && (
        <Empty title={words(found.hasNextPage ? 'runs.nothing.yet' : 'runs.nothing')}>
          {!found.hasNextPage && <p className="mb-3">{words('runs.nothing.hint')}</p>}
          <Button onClick={() => void navigate({ to: '/runs' })}>{words('runs.clear')}</Button>
        </Empty>
      )}
      {found.isSuccess && found.items.length === 0 && !isFiltered && (
        <Empty title={words('runs.empty')} command={'strata run "Say hello."'}>
          {words('runs.empty.hint')}
        </Empty>
      )}
      <div
        ref={rows.ref}
        tabIndex={0}
        role="region"
        aria-label={words('nav.runs')}
        className="min-h-0 flex-1 overflow-y-auto"
      >
        <ol className="relative" ref={rows.sized}>
          {rows.items.map(({ index, place }) => (
            <li key={found.items[index]!.id} ref={place} className="absolute inset-x-0 h-[60px]">
              <Row run={found.items[index]!} />
            </li>
          ))}
        </ol>
      </div>
      <Further
        to={found.hasNextPage ? found.searchedTo : undefined}
        busy={found.isFetchingNextPage}
        onGo={() => void found.fetchNextPage()}
      />
    </div>
  )
}

/** Where a search stopped at its bound, it goes on when one says so. */
function Further({
  to,
  busy,
  onGo,
}: {
  readonly to: string | undefined
  readonly busy: boolean
  readonly onGo: () => void
}) {
  const words = useWords()
  const language = useLanguage()
  if (to === undefined) return null
  const when = new Date(to).toLocaleString(language)
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 border-t border-line bg-surface px-4 py-2 text-sm text-muted sm:px-6"
    >
      {words('runs.searched', { when })}
      <Button busy={busy} onClick={onGo}>
        {words('runs.searched.on')}
      </Button>
    </div>
  )
}

const Row = memo(function Row({ run }: { readonly run: Run }) {
  const words = useWords()
  const { id, status, waiting_on, agent, label, input, kind, created_at, cost, children } = run
  const took = run.ended_at ? Date.parse(run.ended_at) - Date.parse(created_at) : undefined
  return (
    <Link
      to="/runs/$run"
      params={{ run: id }}
      className="flex h-full items-center gap-3 border-b border-line px-4 text-sm hover:bg-raised sm:px-6"
    >
      <span className="w-24 shrink-0">
        <Status status={status} />
      </span>
      <span className="grid min-w-0 flex-1">
        <span className="truncate">{label ?? input}</span>
        <span className="truncate text-xs text-muted">
          {agent}
          {kind !== 'main' && ` · ${words(`runs.kind.${kind}`)}`}
          {waiting_on && ` · ${words(`waiting.${waiting_on}`)}`}
          {children.total > 0 && ` · ${words('runs.children', { n: children.total })}`}
        </span>
      </span>
      <span className="hidden w-20 text-right text-xs text-muted tabular-nums sm:block">
        {cost === null ? '' : dollars(cost)}
      </span>
      <span className="hidden w-20 text-right text-xs text-muted tabular-nums sm:block">
        {took === undefined ? '' : lasted(took)}
      </span>
      <span className="w-24 shrink-0 text-right text-xs text-muted">
        <Ago at={created_at} />
      </span>
    </Link>
  )
})
