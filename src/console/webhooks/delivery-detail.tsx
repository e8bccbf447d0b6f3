/** The selected delivery: where it goes, every attempt, the request body, and the last response. */

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Fact } from '../approvals/why.tsx'
import { api, type Schemas } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Loading, PollProblem, Problem } from '../kit/notice.tsx'
import { RunLink } from '../run/run-link.tsx'
import { duration, exactTime } from '../text/format.ts'
import { indented } from '../text/json.ts'
import { Ago, Code, CopyButton, Inline, Plain } from '../text/text.tsx'
import { DeliveryState } from './delivery-row.tsx'
import { DELIVERIES, EVERY_MS } from './use-deliveries.ts'
import type { useReplay } from './use-replay.ts'

type Delivery = Schemas['DeliveryWithAttempts']

/** Interval of the reads while the reader waits for the outcome of a replay. */
const SOON_MS = 1_000

interface Props {
  readonly id: string
  readonly replay: ReturnType<typeof useReplay>
}

export function DeliveryDetail({ id, replay }: Props) {
  const words = useWords()
  const mayReplay = useMay('webhooks:write')
  const { data, error, refetch } = useQuery({
    queryKey: [...DELIVERIES, 'one', id],
    queryFn: () => api.webhookDeliveries.get(id),
    refetchInterval: ({ state }) => {
      if (state.data?.status !== 'pending') return EVERY_MS * 3
      return replay.isSuccess ? SOON_MS : EVERY_MS
    },
  })
  const retry = () => void refetch()
  if (!data) return error ? <Problem error={error} onRetry={retry} /> : <Loading />
  const { status, event_type } = data
  return (
    <article aria-label={event_type} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PollProblem error={error} hasData onRetry={retry} />
      <div className="grid gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <DeliveryState status={status} />
          <h2 className="min-w-0 font-mono font-semibold [overflow-wrap:anywhere]">
            <Plain text={event_type} />
          </h2>
          {mayReplay && (
            <Button
              icon="retry"
              className="ml-auto"
              busy={replay.isPending}
              onClick={() => replay.mutate()}
            >
              {words(status === 'pending' ? 'webhooks.replay.now' : 'webhooks.replay')}
            </Button>
          )}
        </div>
        <p className="text-xs text-text-2">
          {status === 'pending' && data.next_at !== null ? (
            <>
              {words('webhooks.next.at')} <Ago at={data.next_at} />
            </>
          ) : (
            words(`webhooks.status.hint.${status}`)
          )}
        </p>
        {replay.isSuccess && (
          <p role="status" className="text-xs text-text-2">
            {words('webhooks.replay.sent', { n: 1 })}
          </p>
        )}
      </div>
      <Problem error={replay.error} />
      <Facts delivery={data} />
      <History delivery={data} />
      <RequestBody delivery={data} />
      <Section title={words('webhooks.answer')}>
        {data.last_body ? (
          <Code text={indented(data.last_body)} label={words('webhooks.answer')} />
        ) : (
          <p className="text-sm text-text-2">{words('webhooks.answer.none')}</p>
        )}
      </Section>
    </article>
  )
}

function Facts({ delivery }: { readonly delivery: Delivery }) {
  const words = useWords()
  const { id, url, endpoint_id, run_id, created_at, format, redrives, last_error } = delivery
  return (
    <dl className="grid gap-x-4 gap-y-2 text-sm grid-cols-[5.5rem_minmax(0,1fr)]">
      {last_error !== null && (
        <Fact name={words('webhooks.error')}>
          <span className="text-failed">
            <Plain text={last_error} />
          </span>
        </Fact>
      )}
      <Fact name={words('webhooks.to')}>
        <Plain text={url} />
      </Fact>
      <Fact name={words('webhooks.endpoint')}>
        {endpoint_id === null ? (
          words('webhooks.endpoint.none')
        ) : (
          <Link
            to="/webhooks"
            search={{ tab: 'endpoints', sel: endpoint_id }}
            className="font-mono text-xs text-accent hover:underline"
          >
            {endpoint_id}
          </Link>
        )}
      </Fact>
      <Fact name={words('webhooks.origin')}>
        <span className="font-mono text-xs">
          <Origin id={run_id} />
        </span>
      </Fact>
      <Fact name={words('webhooks.created')}>
        {exactTime(created_at)} (<Ago at={created_at} />)
      </Fact>
      <Fact name={words('webhooks.format')}>{format}</Fact>
      {redrives > 0 && <Fact name={words('webhooks.redrives')}>{redrives}</Fact>}
      <Fact name={words('webhooks.id')}>
        <span className="flex items-center gap-1 font-mono text-xs">
          {id}
          <CopyButton text={id} />
        </span>
      </Fact>
    </dl>
  )
}

/** Names the run or fan-out of the event. */
function Origin({ id }: { readonly id: string | null }) {
  const words = useWords()
  if (id === null) return <span className="font-sans text-sm">{words('webhooks.origin.none')}</span>
  if (!id.startsWith('fan_')) return <RunLink run={id} text={id} />
  return (
    <Link to="/fanouts/$fanout" params={{ fanout: id }} className="text-accent hover:underline">
      {id}
    </Link>
  )
}

function History({ delivery: { history } }: { readonly delivery: Delivery }) {
  const words = useWords()
  return (
    <Section title={words('webhooks.history')}>
      {history.length === 0 && (
        <p className="text-sm text-text-2">{words('webhooks.history.none')}</p>
      )}
      <ol aria-label={words('webhooks.history')}>
        {history.map(({ at, status, error, duration_ms, redrive }, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: attempts are only appended.
            key={index}
            className="grid grid-cols-[1.5rem_3rem_minmax(0,1fr)_auto] gap-x-2 border-t border-line py-1.5 text-xs"
          >
            <span className="text-text-3">{index + 1}</span>
            <span className={`font-mono ${error === null ? 'text-done' : 'text-failed'}`}>
              {status ?? '–'}
            </span>
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {error === null ? words('webhooks.status.delivered') : <Plain text={error} />}
              {redrive !== undefined && (
                <span className="text-text-2">
                  {' · '}
                  {words('webhooks.history.redrive', { n: redrive })}
                </span>
              )}
            </span>
            <span className="text-right text-text-2">
              {duration(duration_ms)} · <Ago at={at} />
            </span>
          </li>
        ))}
      </ol>
    </Section>
  )
}

function RequestBody({ delivery }: { readonly delivery: Delivery }) {
  const words = useWords()
  const { payload, payload_omitted } = delivery
  const title = words('webhooks.request')
  if (payload === null)
    return (
      <Section title={title}>
        <p className="text-sm text-text-2">
          <Inline text={words(`webhooks.request.${payload_omitted ?? 'expired'}`)} />
        </p>
      </Section>
    )
  return (
    <Section title={title} end={<CopyButton text={payload} />}>
      <p className="text-xs text-text-2">{words('webhooks.request.hint')}</p>
      <Code text={indented(payload)} label={title} />
    </Section>
  )
}

interface SectionProps {
  readonly title: string
  readonly end?: ReactNode
  readonly children: ReactNode
}

function Section({ title, end, children }: SectionProps) {
  return (
    <section aria-label={title} className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <div className="flex items-center gap-1">
        <h3 className="text-sm font-medium">{title}</h3>
        {end}
      </div>
      {children}
    </section>
  )
}
