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
  readonly to: '/runs' | '/approvals' | '/fanouts'
  readonly word: Word
  /** Second key of the shortcut after `g`. */
  readonly shortcut: string
  readonly icon: IconName
  /** Count beside the link. The API cannot filter fan-outs by status, so their link has none. */
  readonly counter?: Counter
}

interface Counter {
  readonly state: State
  /** Texts of the count, for exactly `n` and for at least `n`. */
  readonly words: readonly [exact: Word, more: Word]
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

const RUNS: Counter = {
  state: 'running',
  words: ['runs.count.live', 'runs.count.live.more'],
  read: async (signal) => {
    const query = { status: 'queued,running,waiting', limit: MOST }
    return countOf(await api.runs.list(query, { signal }))
  },
}

const APPROVALS: Counter = {
  state: 'asks',
  words: ['approvals.count', 'approvals.count.more'],
  read: async (signal) => countOf(await api.approvals.list({ limit: MOST }, { signal })),
}

export function PageLinks() {
  const mayReadRuns = useMay('runs:read')
  const mayReadApprovals = useMay('approvals:read')
  if (!mayReadRuns && !mayReadApprovals) return null
  return (
    <div className="px-2">
      {mayReadRuns && (
        <>
          <PageLink to="/runs" word="runs.title" shortcut="r" icon="list" counter={RUNS} />
          <PageLink to="/fanouts" word="fanouts.title" shortcut="f" icon="fork" />
        </>
      )}
      {mayReadApprovals && (
        <PageLink
          to="/approvals"
          word="approvals.title"
          shortcut="a"
          icon="check"
          counter={APPROVALS}
        />
      )}
    </div>
  )
}

function PageLink({ to, word, shortcut, icon, counter }: PageLinkProps) {
  const words = useWords()
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
      {counter && <Counted counter={counter} of={to} />}
    </Link>
  )
}

function Counted({ counter, of }: { readonly counter: Counter; readonly of: string }) {
  const words = useWords()
  const { data } = useQuery({
    queryKey: [of.slice(1), 'live'],
    queryFn: ({ signal }) => counter.read(signal),
    refetchInterval: EVERY_MS,
  })
  if (!data || data.count === 0) return null
  const { count, hasMore } = data
  const [exact, more] = counter.words
  return (
    <>
      <span aria-hidden="true" className="flex items-center gap-1 text-xs text-text-2">
        {hasMore ? `${count}+` : count}
        <StateIcon state={counter.state} size={12} />
      </span>
      <span className="sr-only">{words(hasMore ? more : exact, { n: count })}</span>
    </>
  )
}
