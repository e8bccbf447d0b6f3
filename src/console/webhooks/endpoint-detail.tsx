/** The selected endpoint: its health, and its actions. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Fact } from '../approvals/why.tsx'
import { api } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Loading, PollProblem, Problem } from '../kit/notice.tsx'
import { exactTime } from '../text/format.ts'
import { Ago, CopyButton, Plain } from '../text/text.tsx'
import { Confirm } from './confirm.tsx'
import { DeliveryState } from './delivery-row.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { EndpointHealth } from './endpoint-health.tsx'
import { type Endpoint, healthOf } from './endpoint-state.ts'
import { DELIVERIES } from './use-deliveries.ts'

const EVERY_MS = 10_000
const SOON_MS = 1_000

interface Props {
  readonly id: string
  /** Reads the lists of endpoints again. */
  readonly onChanged: () => Promise<void>
  readonly onSecret: (secret: string | undefined) => void
  readonly onDeleted: () => void
}

export function EndpointDetail(props: Props) {
  const words = useWords()
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks', 'endpoints', 'one', props.id],
    queryFn: () => api.webhookEndpoints.get(props.id),
    refetchInterval: EVERY_MS,
  })
  const retry = () => void refetch()
  if (!data) return error ? <Problem error={error} onRetry={retry} /> : <Loading />
  const { id, url, description, format, events, created_at, failing_since, open_until } = data
  return (
    <article aria-label={description ?? url} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PollProblem error={error} hasData onRetry={retry} />
      <div className="grid gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <EndpointHealth endpoint={data} />
          <h2 className="min-w-0 font-semibold [overflow-wrap:anywhere]">
            <Plain text={description ?? url} />
          </h2>
        </div>
        <HealthLine endpoint={data} />
      </div>
      <Actions {...props} endpoint={data} />
      <dl className="grid gap-x-4 gap-y-2 text-sm grid-cols-[5.5rem_minmax(0,1fr)]">
        <Fact name={words('webhooks.url')}>
          <Plain text={url} />
        </Fact>
        <Fact name={words('webhooks.events')}>
          <span className="font-mono text-xs">{events.join(', ')}</span>
        </Fact>
        <Fact name={words('webhooks.format')}>{format}</Fact>
        {failing_since !== null && (
          <Fact name={words('webhooks.failing')}>
            {exactTime(failing_since)} (<Ago at={failing_since} />)
          </Fact>
        )}
        {open_until !== null && healthOf(data) === 'paused' && (
          <Fact name={words('webhooks.paused')}>
            {exactTime(open_until)} (<Ago at={open_until} />)
          </Fact>
        )}
        <Fact name={words('webhooks.created')}>
          {exactTime(created_at)} (<Ago at={created_at} />)
        </Fact>
        <Fact name={words('webhooks.id')}>
          <span className="flex items-center gap-1 font-mono text-xs">
            {id}
            <CopyButton text={id} />
          </span>
        </Fact>
      </dl>
      <Link
        to="/webhooks"
        search={{ endpoint_id: id }}
        className="justify-self-start text-sm text-accent hover:underline"
      >
        {words('webhooks.endpoints.deliveries')}
      </Link>
    </article>
  )
}

/** States what the health means for deliveries. */
function HealthLine({ endpoint }: { readonly endpoint: Endpoint }) {
  const words = useWords()
  const health = healthOf(endpoint)
  const { disabled_reason } = endpoint
  return (
    <p className="text-xs text-text-2">
      {health === 'disabled' && disabled_reason !== null
        ? words(`webhooks.disabled.${disabled_reason}`)
        : words(`webhooks.health.hint.${health}`)}
    </p>
  )
}

type ActionsProps = Props & { readonly endpoint: Endpoint }

function Actions({ endpoint, onChanged, onSecret, onDeleted }: ActionsProps) {
  const words = useWords()
  const mayWrite = useMay('webhooks:write')
  const { id, url, enabled } = endpoint
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'delete'>()
  const close = () => setDialog(undefined)
  const onSettled = onChanged
  const test = useMutation({ mutationFn: () => api.webhookEndpoints.test(id), onSettled })
  const toggle = useMutation({
    mutationFn: () => api.webhookEndpoints.update(id, { enabled: !enabled }),
    onSettled,
  })
  const rotate = useMutation({
    mutationFn: () => api.webhookEndpoints.rotateSecret(id),
    onSuccess: ({ secret }) => {
      close()
      onSecret(secret)
    },
    onSettled,
  })
  const remove = useMutation({
    mutationFn: () => api.webhookEndpoints.delete(id),
    onSuccess: () => {
      close()
      onDeleted()
    },
    onSettled,
  })
  if (!mayWrite) return null
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <Button icon="edit" onClick={() => setDialog('edit')}>
          {words('approval.edit')}
        </Button>
        <Button icon="send" busy={test.isPending} onClick={() => test.mutate()}>
          {words('webhooks.test')}
        </Button>
        <Button busy={toggle.isPending} onClick={() => toggle.mutate()}>
          {words(enabled ? 'webhooks.disable' : 'webhooks.enable')}
        </Button>
        <Button icon="key" onClick={() => setDialog('rotate')}>
          {words('webhooks.rotate')}
        </Button>
        <Button icon="trash" look="danger" onClick={() => setDialog('delete')}>
          {words('delete')}
        </Button>
      </div>
      <Problem error={test.error ?? toggle.error} />
      {test.data && <Sent key={test.data.id} id={test.data.id} />}
      {dialog === 'edit' && (
        <EndpointForm
          endpoint={endpoint}
          onSaved={() => {
            close()
            void onChanged()
          }}
          onClose={close}
        />
      )}
      {dialog === 'rotate' && (
        <Confirm
          title={words('webhooks.rotate')}
          question={words('webhooks.rotate.sure', { url })}
          isBusy={rotate.isPending}
          error={rotate.error}
          onConfirm={() => rotate.mutate()}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <Confirm
          title={words('webhooks.endpoints.delete')}
          question={words('webhooks.endpoints.delete.sure', { url })}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={close}
        />
      )}
    </div>
  )
}

/** Outcome of a test event, with a link to its delivery. */
function Sent({ id }: { readonly id: string }) {
  const words = useWords()
  const { data, error } = useQuery({
    queryKey: [...DELIVERIES, 'one', id],
    queryFn: () => api.webhookDeliveries.get(id),
    refetchInterval: ({ state }) => (state.data?.status === 'delivered' ? false : SOON_MS),
  })
  if (!data) return <Problem error={error} />
  return (
    <p
      role="status"
      className="flex flex-wrap items-center gap-2 rounded-md bg-subtle px-3 py-2 text-sm"
    >
      <DeliveryState status={data.status} />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {data.last_error === null ? words('webhooks.test.sent') : <Plain text={data.last_error} />}
      </span>
      <Link to="/webhooks" search={{ sel: id }} className="text-accent hover:underline">
        {words('webhooks.test.open')}
      </Link>
    </p>
  )
}
