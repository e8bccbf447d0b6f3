/** The list of fan-outs: how far each has come; it follows what happens. */

import { Link } from '@tanstack/react-router'
import { memo, useRef } from 'react'
import { api, type Schemas } from '../../app/api.ts'
import { useTitle } from '../../app/title.ts'
import { useWords } from '../../app/words.ts'
import { Status } from '../../ui/badge.tsx'
import { Empty, Loading, Problem } from '../../ui/notice.tsx'
import { Ago, amount, dollars, lasted } from '../../ui/text.tsx'
import { useWindowedRows } from '../../ui/windowed.tsx'
import { useLiveList } from '../runs/list.ts'
import { Progress } from './progress.tsx'

type Fanout = Schemas['Fanout']
const ROW = 64

export default function Fanouts() {
  const words = useWords()
  const seen = useRef(0)
  const found = useLiveList<Fanout>({
    key: ['fanouts'],
    read: (cursor) => api.fanouts.list({ cursor, limit: 100 } as never),
    seen: () => seen.current,
  })
  const rows = useWindowedRows(found.items.length, ROW, () => {
    if (found.hasNextPage && !found.isFetchingNextPage) void found.fetchNextPage()
  })
  seen.current = rows.items[rows.items.length >> 1]?.index ?? 0
  useTitle(words('nav.fanouts'))
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex min-h-14 items-center border-b border-line bg-surface px-4 py-2 sm:px-6">
        <h1 className="text-lg font-semibold">{words('nav.fanouts')}</h1>
      </header>
      <Problem error={found.error} onRetry={() => void found.refetch()} />
      {found.isPending && <Loading />}
      {found.isSuccess && found.items.length === 0 && (
        <Empty
          title={words('fanouts.empty')}
          command={`curl ${location.origin}/v1/fanouts -H "authorization: Bearer $STRATA_API_KEY" -H 'content-type: application/json' -d '{"tasks": [{"task": "One."}, {"task": "Two."}]}'`}
        >
          {words('fanouts.empty.hint')}
        </Empty>
      )}
      <div
        ref={rows.ref}
        tabIndex={0}
        role="region"
        aria-label={words('nav.fanouts')}
        className="min-h-0 flex-1 overflow-y-auto"
      >
        <ol className="relative" ref={rows.sized}>
          {rows.items.map(({ index, place }) => (
            <li key={found.items[index]!.id} ref={place} className="absolute inset-x-0 h-16">
              <Row fanout={found.items[index]!} />
            </li>
          ))}
        </ol>
      </div>
    </div>
  )
}

const Row = memo(function Row({ fanout }: { readonly fanout: Fanout }) {
  const words = useWords()
  const { id, status, label, children, usage, created_at, ended_at } = fanout
  const lost = children.failed + children.timed_out + children.cancelled
  const took = ended_at ? Date.parse(ended_at) - Date.parse(created_at) : undefined
  return (
    <Link
      to="/fanouts/$fanout"
      params={{ fanout: id }}
      className="flex h-full items-center gap-3 border-b border-line px-4 text-sm hover:bg-raised sm:px-6"
    >
      <span className="w-24 shrink-0">
        <Status status={status} />
      </span>
      <span className="grid min-w-0 flex-1 gap-1">
        <span className="truncate">{label ?? id}</span>
        <span className="flex items-center gap-2 text-xs text-muted">
          <span className="hidden w-40 sm:block">
            <Progress counts={children} />
          </span>
          <span className="truncate tabular-nums">
            {words('fanouts.tasks', {
              n: amount(children.total - children.queued - children.live),
              total: amount(children.total),
            })}
            {lost > 0 && ` · ${words('fanouts.failed', { n: amount(lost) })}`}
          </span>
        </span>
      </span>
      <span className="hidden w-20 text-right text-xs text-muted tabular-nums sm:block">
        {usage.list_price === undefined ? '' : dollars(usage.list_price)}
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
