/** Page of runs: filters in the URL, and a list that follows what happens. */

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icons.tsx'
import { MissingScope } from '../kit/missing-scope.tsx'
import { Problem } from '../kit/notice.tsx'
import { useKeys } from '../kit/shortcuts.ts'
import { useTitle } from '../kit/title.ts'
import { timeOfDay } from '../text/format.ts'
import { Code } from '../text/text.tsx'
import { FilterBar } from './filter-bar.tsx'
import { type Filters, filtersOf } from './filters.ts'
import { ColumnMenu } from './heads.tsx'
import { MarkedBar } from './marked-bar.tsx'
import { comparedPair } from './marks.ts'
import { RunTable } from './table.tsx'
import { type InView, useRuns } from './use-runs.ts'

export default function Runs() {
  const words = useWords()
  const may = useMay('runs:read')
  const filters = filtersOf(useSearch({ strict: false }))
  const name = JSON.stringify(filters)
  useTitle(words('runs.title'))
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <h1 className="sr-only text-xl font-semibold lg:not-sr-only lg:mr-2">
          {words('runs.title')}
        </h1>
        {may && <FilterBar filters={filters} />}
        {may && <ColumnMenu />}
      </header>
      {may ? (
        <RunsOf key={name} name={name} filters={filters} />
      ) : (
        <MissingScope scope="runs:read" />
      )}
    </div>
  )
}

interface Props {
  readonly name: string
  readonly filters: Filters
}

function RunsOf({ name, filters }: Props) {
  const words = useWords()
  const inView = useRef<InView>({ isAtTop: true, ids: [] })
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const [isPairMissing, setPairMissing] = useState(false)
  const navigate = useNavigate()
  const mark = (ids: ReadonlySet<string>): void => {
    setMarked(ids)
    setPairMissing(false)
  }
  const runs = useRuns(filters, () => inView.current)
  const { list, more } = runs
  const showWaiting = (): void => {
    runs.showWaiting()
    document.getElementById('runs')?.scrollTo({ top: 0 })
  }
  const compare = (): void => {
    const pair = comparedPair(list?.rows ?? [], marked)
    setPairMissing(!pair)
    if (!pair) return
    const [run, other] = pair
    void navigate({
      to: '/runs/$run',
      params: { run },
      search: { tab: 'compare', with: other },
    })
  }
  useKeys({ v: compare })
  const waitingCount = list?.waiting.length ?? 0
  return (
    <>
      {runs.error && (
        <div className="px-4 py-2">
          <Problem error={runs.error} onRetry={runs.reload} />
        </div>
      )}
      {!list && !runs.error && <Skeleton />}
      {list && list.rows.length > 0 && (
        <div className="relative flex min-h-0 flex-1 flex-col">
          {waitingCount > 0 && (
            <NewRuns count={waitingCount} isMore={list.gap !== undefined} onShow={showWaiting} />
          )}
          <RunTable
            name={name}
            rows={list.rows}
            now={runs.readAt}
            marked={marked}
            onMark={mark}
            inView={inView}
            onTop={() => waitingCount > 0 && runs.showWaiting()}
            onEnd={() => !list.isPaused && !more.isPending && !more.error && more.mutate()}
          />
        </div>
      )}
      {list?.rows.length === 0 && list.next === null && <Empty isFiltered={name !== '{}'} />}
      {isPairMissing && (
        <p role="status" className="border-t border-line bg-subtle px-4 py-2 text-sm">
          {words('runs.compare.two', { n: marked.size })}
        </p>
      )}
      <MarkedBar
        runs={list?.rows.filter(({ id }) => marked.has(id)) ?? []}
        onCompare={compare}
        onUnmark={() => mark(new Set())}
        onDeleted={runs.remove}
        onChanged={runs.reload}
      />
      {list && (
        <Foot
          count={list.rows.length}
          hasMore={list.next !== null}
          isPaused={list.isPaused}
          readAt={runs.readAt}
          isStale={runs.error !== null}
          more={more}
        />
      )}
    </>
  )
}

interface NewProps {
  readonly count: number
  /** Whether there may be more new runs than those counted. */
  readonly isMore: boolean
  readonly onShow: () => void
}

/** Button above the rows, which it does not move. */
function NewRuns({ count, isMore, onShow }: NewProps) {
  const words = useWords()
  return (
    <div role="status" className="absolute top-2 left-1/2 z-30 -translate-x-1/2 md:top-10">
      <Button look="primary" onClick={onShow} className="rounded-full shadow-float">
        <span className="rotate-90">
          <Icon name="left" size={14} />
        </span>
        {isMore ? words('runs.new.more', { n: count }) : words('runs.new', { n: count })}
      </Button>
    </div>
  )
}

interface FootProps {
  readonly count: number
  readonly hasMore: boolean
  /** Whether the search reached its bound without a match. */
  readonly isPaused: boolean
  readonly readAt: number
  readonly isStale: boolean
  readonly more: ReturnType<typeof useRuns>['more']
}

/** Line below the list: what was loaded, when, and how to continue. */
function Foot({ count, hasMore, isPaused, readAt, isStale, more }: FootProps) {
  const words = useWords()
  const canContinue = hasMore && (isPaused || count === 0 || more.error)
  return (
    <div className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-1.5 text-xs text-text-3">
      <span>{words(hasMore ? 'runs.count.more' : 'runs.count', { n: count })}</span>
      {more.isPending && <span role="status">{words('loading')}</span>}
      {canContinue && (
        <>
          {!more.error && <span>{words('runs.paused')}</span>}
          <Button busy={more.isPending} onClick={() => more.mutate()}>
            {words('runs.continue')}
          </Button>
        </>
      )}
      <span className="ml-auto flex items-center gap-1.5">
        {!isStale && <span aria-hidden="true" className="size-1.5 rounded-full bg-done" />}
        {words(isStale ? 'runs.stale' : 'runs.live', { time: timeOfDay(readAt) })}
      </span>
      {more.error && (
        <div className="w-full">
          <Problem error={more.error} />
        </div>
      )}
    </div>
  )
}

function Empty({ isFiltered }: { readonly isFiltered: boolean }) {
  const words = useWords()
  if (isFiltered) return <p className="p-4 text-text-2">{words('runs.no.match')}</p>
  return (
    <div className="grid max-w-2xl gap-3 p-4">
      <p className="text-text-2">{words('runs.none')}</p>
      <Code label="CLI" text={'npx strata run "Say hello."'} />
      <Code label="curl" text={curlCommand()} />
      <Code label="TypeScript" text={"await strata.runs.create({ input: 'Say hello.' })"} />
    </div>
  )
}

const curlCommand = (): string =>
  [
    `curl ${location.origin}/v1/runs \\`,
    '  -H "Authorization: Bearer $STRATA_API_KEY" \\',
    `  --json '{"input": "Say hello."}'`,
  ].join('\n')

const SKELETON_ROWS = 12

/** Grey shapes in place of rows, invisible for the first 150 ms. */
function Skeleton() {
  const words = useWords()
  return (
    <div className="min-h-0 flex-1 animate-[appear_120ms_150ms_both] overflow-hidden">
      <p role="status" className="sr-only">
        {words('loading')}
      </p>
      {Array.from({ length: SKELETON_ROWS }, (_, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the shapes have no other name.
          key={at}
          className="flex h-[60px] items-center gap-3 border-b border-line pr-4 pl-12 md:h-9"
        >
          <span className="h-3 w-20 rounded bg-sunken" />
          <span className="h-3 w-28 rounded bg-sunken" />
          <span className="h-3 flex-1 rounded bg-sunken" />
        </div>
      ))}
    </div>
  )
}
