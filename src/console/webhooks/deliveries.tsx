/** List of deliveries with its filters and marks, beside the selected delivery. */

import { useState } from 'react'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { More } from '../kit/more.tsx'
import { Loading } from '../kit/notice.tsx'
import { OfflineLine } from '../kit/offline-line.tsx'
import { useSelection } from '../kit/selected-row.ts'
import { useKeys } from '../kit/shortcuts.ts'
import { Code } from '../text/text.tsx'
import { DeliveryDetail } from './delivery-detail.tsx'
import { DeliveryRow } from './delivery-row.tsx'
import { FilterBar } from './filter-bar.tsx'
import { Panes } from './panes.tsx'
import { ReplayMarked, ReplayRange } from './replay.tsx'
import type { Filters } from './search.ts'
import { useDeliveries, useMarks } from './use-deliveries.ts'
import { useReplay } from './use-replay.ts'

interface Props {
  readonly filters: Filters
  readonly selection: string | undefined
}

export function DeliveryList({ filters, selection }: Props) {
  const words = useWords()
  const mayReplay = useMay('webhooks:write')
  const { query, pages, deliveries } = useDeliveries(filters)
  const ids = deliveries.map(({ id }) => id)
  const { select, move } = useSelection(ids, selection)
  const marks = useMarks(ids)
  const [dialog, setDialog] = useState<'range' | 'marked'>()
  const replay = useReplay(selection)
  useKeys({
    ...{ j: () => move(1), k: () => move(-1) },
    x: mayReplay ? () => marks.mark(selection, false) : undefined,
    X: mayReplay ? () => marks.mark(selection, true) : undefined,
    r: mayReplay && selection !== undefined ? () => replay.mutate() : undefined,
    R: mayReplay && marks.ids.length > 0 ? () => setDialog('marked') : undefined,
  })
  const isOpen = selection !== undefined
  return (
    <>
      <div
        className={`flex-wrap items-center gap-2 border-b border-line px-4 py-2 ${isOpen ? 'hidden md:flex' : 'flex'}`}
      >
        <FilterBar filters={filters} />
        {mayReplay && deliveries.length > 0 && (
          <Button icon="retry" className="md:ml-auto" onClick={() => setDialog('range')}>
            {words('webhooks.replay.all')}
          </Button>
        )}
      </div>
      <OfflineLine />
      <Panes
        label={words('webhooks.delivery')}
        isEmpty={deliveries.length === 0}
        onBack={() => select(undefined, true)}
        list={
          <>
            {pages.isPending && !pages.error && <Loading />}
            {pages.isSuccess && deliveries.length === 0 && (
              <Empty isFiltered={Object.keys(filters).length > 0} hasMore={pages.hasNextPage} />
            )}
            <ul aria-label={words('webhooks.deliveries')}>
              {deliveries.map((delivery) => (
                <DeliveryRow
                  key={delivery.id}
                  delivery={delivery}
                  isSelected={delivery.id === selection}
                  isMarked={marks.has(delivery.id)}
                  onSelect={() => select(delivery.id)}
                  onMark={mayReplay ? (isRange) => marks.mark(delivery.id, isRange) : undefined}
                />
              ))}
            </ul>
            <div className="px-4">
              <More of={pages} />
            </div>
          </>
        }
        foot={
          <MarkedBar
            count={marks.ids.length}
            onUnmark={marks.clear}
            onReplay={() => setDialog('marked')}
          />
        }
        entry={
          selection === undefined ? undefined : (
            <DeliveryDetail key={selection} id={selection} replay={replay} />
          )
        }
      />
      {dialog === 'range' && <ReplayRange query={query} onClose={() => setDialog(undefined)} />}
      {dialog === 'marked' && (
        <ReplayMarked ids={marks.ids} onDone={marks.clear} onClose={() => setDialog(undefined)} />
      )}
    </>
  )
}

interface BarProps {
  readonly count: number
  readonly onUnmark: () => void
  readonly onReplay: () => void
}

function MarkedBar({ count, onUnmark, onReplay }: BarProps) {
  const words = useWords()
  if (count === 0) return null
  return (
    <div className="flex items-center gap-2 border-t border-line bg-subtle px-4 py-2 text-sm">
      <span role="status" className="font-medium">
        {words('webhooks.marked', { n: count })}
      </span>
      <IconButton icon="close" size={14} label={words('webhooks.unmark')} onClick={onUnmark} />
      <span className="flex-1" />
      <Button look="primary" icon="retry" onClick={onReplay}>
        {words('webhooks.replay.n', { n: count })}
      </Button>
    </div>
  )
}

interface EmptyProps {
  readonly isFiltered: boolean
  readonly hasMore: boolean
}

function Empty({ isFiltered, hasMore }: EmptyProps) {
  const words = useWords()
  if (isFiltered || hasMore)
    return (
      <p className="p-4 text-text-2">
        {words(hasMore ? 'webhooks.searched' : 'webhooks.no.match')}
      </p>
    )
  return (
    <div className="grid max-w-2xl gap-3 p-4">
      <p className="text-text-2">{words('webhooks.empty')}</p>
      <Code label="curl" text={curlCommand()} />
      <Code
        label="TypeScript"
        text={"await strata.webhookEndpoints.create({ url: 'https://example.com/strata' })"}
      />
    </div>
  )
}

const curlCommand = (): string =>
  [
    `curl ${location.origin}/v1/webhook-endpoints \\`,
    '  -H "Authorization: Bearer $STRATA_API_KEY" \\',
    `  --json '{"url": "https://example.com/strata"}'`,
  ].join('\n')
