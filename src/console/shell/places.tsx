/** Links to the pages beside conversations, with live counts. */

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../kit/icons.tsx'
import { StateIcon } from '../kit/status.tsx'

const EVERY_MS = 10_000
const MOST = 50

export function Places() {
  if (!useMay('runs:read')) return null
  return (
    <div className="px-2">
      <RunsPlace />
    </div>
  )
}

function RunsPlace() {
  const words = useWords()
  const { data } = useQuery({
    queryKey: ['runs', 'live'],
    queryFn: async ({ signal }) => {
      const query = { status: 'queued,running,waiting', limit: MOST }
      const { data: runs, has_more } = await api.runs.list(query, { signal })
      return { count: runs.length, hasMore: has_more }
    },
    refetchInterval: EVERY_MS,
  })
  const count = data?.count ?? 0
  return (
    <Link
      to="/runs"
      title={`${words('runs.title')} (g r)`}
      activeProps={{ className: 'bg-selected', 'aria-current': 'page' }}
      inactiveProps={{ className: 'hover:bg-sunken' }}
      className="flex min-h-8 items-center gap-2 rounded-md px-2 text-sm pointer-coarse:min-h-11"
    >
      <Icon name="list" size={14} />
      <span className="flex-1">{words('runs.title')}</span>
      {count > 0 && (
        <>
          <span aria-hidden="true" className="flex items-center gap-1 text-xs text-text-2">
            {data?.hasMore ? `${count}+` : count}
            <StateIcon state="running" size={12} />
          </span>
          <span className="sr-only">
            {words(data?.hasMore ? 'runs.count.live.more' : 'runs.count.live', { n: count })}
          </span>
        </>
      )}
    </Link>
  )
}
