/** Page of usage: tokens and cost by day as a chart and a table, and by agent, model, or kind. */

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { MissingScope } from '../kit/missing-scope.tsx'
import { Loading, PollProblem } from '../kit/notice.tsx'
import { OfflineLine } from '../kit/offline-line.tsx'
import { useTitle } from '../kit/title.ts'
import { Code } from '../text/text.tsx'
import { Choices } from './choices.tsx'
import { DayTable } from './day-table.tsx'
import { GroupTable } from './group-table.tsx'
import { type Grouping, type UsageSearch, usageSearch } from './search.ts'
import { rangeOf } from './state.ts'
import { Totals } from './totals.tsx'

const EVERY_MS = 30_000

export default function Usage() {
  const words = useWords()
  const mayRead = useMay('runs:read')
  const search = usageSearch(useSearch({ strict: false }))
  useTitle(words('usage.title'))
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-1.5">
        <h1 className="sr-only text-xl font-semibold lg:not-sr-only">{words('usage.title')}</h1>
        {mayRead && <Header search={search} />}
      </header>
      <OfflineLine />
      {mayRead ? <Report search={search} /> : <MissingScope scope="runs:read" />}
    </div>
  )
}

/** Reads the report of a range; an inverted range has none. */
function useReport(search: UsageSearch, everyMs: number | false) {
  const by: Grouping = search.by ?? 'agent'
  const range = rangeOf(search, Date.now())
  const isInverted = range.from >= range.to
  const query = useQuery({
    queryKey: ['usage', range, by],
    queryFn: () => api.usage.get({ ...range, group_by: by }),
    enabled: !isInverted,
    refetchInterval: everyMs,
    // The numbers stay where they are while another range or grouping is read.
    placeholderData: keepPreviousData,
  })
  const measure = search.of ?? (query.data?.total.cost === null ? 'tokens' : 'cost')
  return { ...query, by, range, isInverted, measure }
}

function Header({ search }: { readonly search: UsageSearch }) {
  const { measure } = useReport(search, false)
  return <Choices search={search} measure={measure} />
}

function Report({ search }: { readonly search: UsageSearch }) {
  const words = useWords()
  const navigate = useNavigate()
  const report = useReport(search, EVERY_MS)
  const { data, error, isPending, refetch, by, range, measure } = report
  if (report.isInverted)
    return (
      <p role="alert" className="p-4 text-sm text-failed">
        {words('usage.range.inverted')}
      </p>
    )
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="grid max-w-6xl grid-cols-[minmax(0,1fr)] gap-6 p-4">
        {isPending && !error && <Loading />}
        <PollProblem error={error} hasData={data !== undefined} onRetry={() => void refetch()} />
        {data && data.data.length === 0 && (
          <div className="grid max-w-2xl gap-3">
            <p className="text-text-2">{words('usage.empty')}</p>
            <Code label="strata" text='strata run "Say hello."' />
          </div>
        )}
        {data && data.data.length > 0 && (
          <>
            <Totals
              report={data}
              onEarlier={(to) =>
                void navigate({ to: '/usage', search: { ...search, from: range.from, to } })
              }
            />
            <DayTable report={data} by={data.group_by ?? by} measure={measure} />
            <GroupTable report={data} by={data.group_by ?? by} />
          </>
        )}
      </div>
    </div>
  )
}
