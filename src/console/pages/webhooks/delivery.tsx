/** One delivery: its attempts, what is sent, what came back, and once more. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, type Schemas } from '../../app/api.ts'
import { useWords } from '../../app/words.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { Ago, Code } from '../../ui/text.tsx'

export type Delivery = Schemas['Delivery']
export const DELIVERIES = ['webhooks', 'deliveries'] as const
export const EVERY_MS = 4_000
/** While somebody waits for the answer. */
const SOON_MS = 700
const TONES: Readonly<Record<Delivery['status'], Tone>> = {
  delivered: 'good',
  pending: 'busy',
  failed: 'bad',
  disabled: 'warn',
  dropped: 'warn',
}

export function State({ of }: { readonly of: Delivery['status'] }) {
  const words = useWords()
  return <Badge tone={TONES[of]}>{words(`deliveries.${of}`)}</Badge>
}

const useDelivery = (id: string, everyMs: (status: Delivery['status']) => number) =>
  useQuery({
    queryKey: [...DELIVERIES, 'one', id],
    queryFn: () => api.webhookDeliveries.get(id),
    refetchInterval: ({ state }) => everyMs(state.data?.status ?? 'pending'),
  })

/** The fate of a message that was just sent: the answer, or why there was none. */
export function Sent({ id }: { readonly id: string }) {
  const words = useWords()
  const { data, error } = useDelivery(id, (status) => (status === 'pending' ? SOON_MS : EVERY_MS))
  if (!data) return error ? <Problem error={error} /> : null
  const { status, last_status, last_error, event_type, url, attempts, next_at } = data
  return (
    <div
      role="status"
      className="grid gap-1 rounded-lg border border-line bg-sunken p-3 text-sm [overflow-wrap:anywhere]"
    >
      <p className="flex flex-wrap items-center gap-2">
        <State of={status} />
        <span>{words('deliveries.sent', { event: event_type, url })}</span>
      </p>
      {attempts === 0 && status === 'pending' && <p>{words('deliveries.waits')}</p>}
      {last_status !== null && <p>{words('deliveries.answered', { status: last_status })}</p>}
      {last_error !== null && <p className="text-bad">{last_error}</p>}
      {status === 'pending' && attempts > 0 && next_at && (
        <p className="text-muted">
          {words('deliveries.next')} <Ago at={next_at} />
        </p>
      )}
    </div>
  )
}

export function OneDelivery({ id, may }: { readonly id: string; readonly may: boolean }) {
  const words = useWords()
  const cache = useQueryClient()
  const found = useDelivery(id, () => EVERY_MS)
  const replay = useMutation({
    mutationFn: () => api.webhookDeliveries.replay(id, {}),
    onSettled: () => cache.invalidateQueries({ queryKey: DELIVERIES }),
  })
  if (found.isPending) return <Loading />
  if (!found.data) return <Problem error={found.error} onRetry={() => void found.refetch()} />
  const { status, url, run_id, next_at, history, last_body, last_error, payload } = found.data
  return (
    <div className="grid gap-4 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <State of={status} />
        <span className="font-mono text-xs [overflow-wrap:anywhere]">{url}</span>
        <span className="flex-1" />
        {run_id && <Origin id={run_id} />}
        {may && (
          <Button icon="retry" busy={replay.isPending} onClick={() => replay.mutate()}>
            {words('deliveries.replay')}
          </Button>
        )}
      </div>
      <Problem error={replay.error} />
      {replay.data ? (
        <Sent id={id} />
      ) : (
        last_error && <p className="text-bad [overflow-wrap:anywhere]">{last_error}</p>
      )}
      {status === 'pending' && next_at && (
        <p className="text-muted">
          {words('deliveries.next')} <Ago at={next_at} />
        </p>
      )}
      {payload === null ? (
        <p className="text-muted">{words('deliveries.payload.none')}</p>
      ) : (
        <Titled title={words('deliveries.payload')} value={pretty(payload)} />
      )}
      <Titled title={words('deliveries.attempts')} value={history} />
      {last_body && <Titled title={words('deliveries.body')} value={pretty(last_body)} />}
    </div>
  )
}

function Titled({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <section aria-label={title} className="grid gap-1">
      <h3 className="font-medium">{title}</h3>
      <Code value={value} label={title} />
    </section>
  )
}

/** The run or fan-out of the event. */
function Origin({ id }: { readonly id: string }) {
  const words = useWords()
  const look = 'text-accent underline'
  return id.startsWith('fan_') ? (
    <Link to="/fanouts/$fanout" params={{ fanout: id }} className={look}>
      {words('fanout.title')}
    </Link>
  ) : (
    <Link to="/runs/$run" params={{ run: id }} className={look}>
      {words('run.title')}
    </Link>
  )
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
