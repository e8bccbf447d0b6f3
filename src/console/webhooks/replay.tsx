/** Dialogs that replay many deliveries: those of the filter, counted first, and the marked ones. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { api } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Problem } from '../kit/notice.tsx'
import { exactTime } from '../text/format.ts'
import { Inline } from '../text/text.tsx'
import { replayParts, type Sum } from './replay-range.ts'
import { type Query, replayRangeOf } from './search.ts'
import { reloadDeliveries } from './use-deliveries.ts'

/** Maximum number of requests that count; each reads up to 500 deliveries. */
const COUNT_PARTS = 20

interface RangeProps {
  readonly query: Query
  readonly onClose: () => void
}

export function ReplayRange({ query, onClose }: RangeProps) {
  const words = useWords()
  // The count and the replay have the same end, so that no later delivery joins.
  const [range] = useState(() => replayRangeOf(query, Date.now()))
  const [sent, setSent] = useState<Sum>()
  const isStopped = useRef(false)
  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )
  const counted = useQuery({
    queryKey: ['webhooks', 'count', range],
    queryFn: () =>
      replayParts(api.webhookDeliveries.replayAll, range, {
        isDryRun: true,
        maxParts: COUNT_PARTS,
      }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  })
  const replay = useMutation({
    mutationFn: () => {
      isStopped.current = false
      return replayParts(api.webhookDeliveries.replayAll, range, {
        isDryRun: false,
        onSum: setSent,
        isStopped: () => isStopped.current,
      })
    },
    onSettled: reloadDeliveries,
  })
  const count = counted.data
  const isDone = replay.isSuccess
  return (
    <Dialog title={words('webhooks.replay.all')} open onClose={onClose}>
      <div className="grid gap-4">
        {counted.isPending && (
          <p role="status" className="text-sm">
            {words('webhooks.replay.counting')}
          </p>
        )}
        <Problem error={counted.error} onRetry={() => void counted.refetch()} />
        {count && !sent && <Counted sum={count} range={range} />}
        {sent && (
          <p role="status" className="text-sm">
            {words('webhooks.replay.sent', { n: sent.count })}
            {sent.skipped > 0 && ` ${words('webhooks.replay.skipped', { n: sent.skipped })}`}
            {isDone && sent.hasMore && ` ${words('webhooks.replay.stopped')}`}
          </p>
        )}
        <Problem error={replay.error} />
        <Buttons>
          {replay.isPending ? (
            <Button
              icon="stop"
              onClick={() => {
                isStopped.current = true
              }}
            >
              {words('webhooks.replay.stop')}
            </Button>
          ) : (
            <Button onClick={onClose}>{words(isDone ? 'close' : 'cancel')}</Button>
          )}
          {count && !isDone && (count.count > 0 || count.hasMore) && (
            <Button look="primary" busy={replay.isPending} onClick={() => replay.mutate()}>
              {count.hasMore
                ? words('webhooks.replay.everything')
                : words('webhooks.replay.n', { n: count.count })}
            </Button>
          )}
        </Buttons>
      </div>
    </Dialog>
  )
}

interface CountedProps {
  readonly sum: Sum
  readonly range: ReturnType<typeof replayRangeOf>
}

function Counted({ sum: { count, skipped, hasMore }, range }: CountedProps) {
  const words = useWords()
  return (
    <div role="status" className="grid gap-2 text-sm">
      <p>
        <Inline
          text={
            count === 0 && !hasMore
              ? words('webhooks.replay.none')
              : words(hasMore ? 'webhooks.replay.more' : 'webhooks.replay.sure', { n: count })
          }
        />
      </p>
      {skipped > 0 && <p>{words('webhooks.replay.skipped', { n: skipped })}</p>}
      {!range.status && (
        <p className="text-text-2">
          <Inline text={words('webhooks.replay.default')} />
        </p>
      )}
      {range.to && (
        <p className="text-xs text-text-2">
          {words('webhooks.replay.until', { time: exactTime(range.to) })}
        </p>
      )}
    </div>
  )
}

interface MarkedProps {
  readonly ids: readonly string[]
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Requests that are sent at the same time. */
const AT_ONCE = 4

export function ReplayMarked({ ids, onDone, onClose }: MarkedProps) {
  const words = useWords()
  // Deliveries that leave the list meanwhile change neither the question nor the requests.
  const [subjects] = useState(ids)
  const n = subjects.length
  const replay = useMutation({
    mutationFn: async () => {
      const errors: unknown[] = []
      for (let at = 0; at < n; at += AT_ONCE)
        await Promise.all(
          subjects.slice(at, at + AT_ONCE).map((id) =>
            api.webhookDeliveries.replay(id, {}).catch((error: unknown) => {
              errors.push(error)
            }),
          ),
        )
      return { errors }
    },
    onSuccess: onDone,
    onSettled: reloadDeliveries,
  })
  const errors = replay.data?.errors ?? []
  return (
    <Dialog title={words('webhooks.replay.n', { n })} open onClose={onClose}>
      <div className="grid gap-4">
        {replay.data ? (
          <p role="status" className="text-sm">
            {words('webhooks.replay.sent', { n: n - errors.length })}
          </p>
        ) : (
          <p className="text-sm">{words('webhooks.replay.marked', { n })}</p>
        )}
        {errors.length > 0 && (
          <>
            <p className="text-sm">{words('webhooks.replay.failures', { n: errors.length })}</p>
            <Problem error={errors[0]} />
          </>
        )}
        <Problem error={replay.error} />
        <Buttons>
          <Button onClick={onClose}>{words(replay.data ? 'close' : 'cancel')}</Button>
          {!replay.data && (
            <Button look="primary" busy={replay.isPending} onClick={() => replay.mutate()}>
              {words('webhooks.replay.n', { n })}
            </Button>
          )}
        </Buttons>
      </div>
    </Dialog>
  )
}

const Buttons = ({ children }: { readonly children: ReactNode }) => (
  <div className="flex justify-end gap-2">{children}</div>
)
