/** Links to the pages beside conversations, with live counts. */

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords, type Word } from '../i18n/words.ts'
import { Icon, type IconName } from '../kit/icons.tsx'
import { type State, StateIcon } from '../kit/status.tsx'

const EVERY_MS = 10_000
const MOST = 50

interface Count {
  readonly count: number
  readonly hasMore: boolean
}

interface PageLinkProps {
  readonly to: '/runs' | '/approvals'
  readonly word: Word
  /** Second key of the shortcut after `g`. */
  readonly shortcut: string
  readonly icon: IconName
  readonly state: State
  /** Texts of the count, for exactly `n` and for at least `n`. */
  readonly counts: readonly [exact: Word, more: Word]
  readonly read: (signal: AbortSignal) => Promise<Count>
}

interface List {
  readonly data: readonly unknown[]
  readonly has_more?: boolean
}

const countOf = ({ data, has_more = false }: List): Count => ({
  count: data.length,
  hasMore: has_more,
})

export function PageLinks() {
  const mayReadRuns = useMay('runs:read')
  const mayReadApprovals = useMay('approvals:read')
  if (!mayReadRuns && !mayReadApprovals) return null
  return (
    <div className="px-2">
      {mayReadRuns && (
        <PageLink
          to="/runs"
          word="runs.title"
          shortcut="r"
          icon="list"
          state="running"
          counts={['runs.count.live', 'runs.count.live.more']}
          read={async (signal) => {
            const query = { status: 'queued,running,waiting', limit: MOST }
            return countOf(await api.runs.list(query, { signal }))
          }}
        />
      )}
      {mayReadApprovals && (
        <PageLink
          to="/approvals"
          word="approvals.title"
          shortcut="a"
          icon="check"
          state="asks"
          counts={['approvals.count', 'approvals.count.more']}
          read={async (signal) => countOf(await api.approvals.list({ limit: MOST }, { signal }))}
        />
      )}
    </div>
  )
}

function PageLink({ to, word, shortcut, icon, state, counts, read }: PageLinkProps) {
  const words = useWords()
  const { data } = useQuery({
    queryKey: [to.slice(1), 'live'],
    queryFn: ({ signal }) => read(signal),
    refetchInterval: EVERY_MS,
  })
  const count = data?.count ?? 0
  const [exact, more] = counts
  return (
    <Link
      to={to}
      title={`${words(word)} (g ${shortcut})`}
      activeProps={{ className: 'bg-selected', 'aria-current': 'page' }}
      inactiveProps={{ className: 'hover:bg-sunken' }}
      className="flex min-h-8 items-center gap-2 rounded-md px-2 text-sm pointer-coarse:min-h-11"
    >
      <Icon name={icon} size={14} />
      <span className="flex-1">{words(word)}</span>
      {count > 0 && (
        <>
          <span aria-hidden="true" className="flex items-center gap-1 text-xs text-text-2">
            {data?.hasMore ? `${count}+` : count}
            <StateIcon state={state} size={12} />
          </span>
          <span className="sr-only">{words(data?.hasMore ? more : exact, { n: count })}</span>
        </>
      )}
    </Link>
  )
}
