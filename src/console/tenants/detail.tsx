/** The selected tenant: its state, the progress of a deletion, and its actions. */

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Fact } from '../approvals/why.tsx'
import { api, ProblemError } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Loading, PollProblem, Problem } from '../kit/notice.tsx'
import { type State, Status } from '../kit/status.tsx'
import { exactTime } from '../text/format.ts'
import { Ago, Plain } from '../text/text.tsx'
import { ActionDialog } from './action-dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { quotaText } from './quota-fields.tsx'
import { QUOTA_NAMES } from './quotas.ts'
import { actionsOf, type Tenant, type TenantAction } from './search.ts'

const EVERY_MS = 5_000

const STATES = {
  ...({ active: 'completed', paused: 'waiting', suspended: 'cancelled' } as const),
  ...({ deleting: 'running', deleted: 'unknown' } as const),
} as const satisfies Record<Tenant['status'], State>

export function TenantStatus({ tenant: { status } }: { readonly tenant: Tenant }) {
  const words = useWords()
  return <Status state={STATES[status]} text={words(`tenants.state.${status}`)} />
}

interface Props {
  readonly id: string
  /** Reads the tenants again. */
  readonly onChanged: () => Promise<void>
}

export function TenantDetail({ id, onChanged }: Props) {
  const words = useWords()
  const { data, error, refetch } = useQuery({
    queryKey: ['tenants', 'one', id],
    queryFn: () => api.tenants.get(id),
    refetchInterval: EVERY_MS,
  })
  const retry = () => void refetch()
  if (error instanceof ProblemError && error.status === 404)
    return <p className="text-sm text-text-2">{words('tenants.gone')}</p>
  if (!data) return error ? <Problem error={error} onRetry={retry} /> : <Loading />
  const name = data.name ?? data.id
  return (
    <article aria-label={name} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PollProblem error={error} hasData onRetry={retry} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="min-w-0 font-semibold [overflow-wrap:anywhere]">
          <Plain text={name} />
        </h2>
        <TenantStatus tenant={data} />
      </div>
      <Actions tenant={data} onChanged={onChanged} />
      <p className="text-sm text-text-2">{words(`tenants.about.${data.status}`)}</p>
      <Facts tenant={data} />
    </article>
  )
}

function Facts({ tenant }: { readonly tenant: Tenant }) {
  const words = useWords()
  const mayAudit = useMay('audit:read')
  const { id, created_at, updated_at, cancelling, deletion, quotas, encryption } = tenant
  return (
    <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
      <Fact name={words('tenants.id')}>
        <span className="font-mono text-xs">{id}</span>
      </Fact>
      <Fact name={words('tenants.created')}>
        {exactTime(created_at)} (<Ago at={created_at} />)
      </Fact>
      <Fact name={words('tenants.updated')}>
        {exactTime(updated_at)} (<Ago at={updated_at} />)
      </Fact>
      <Fact name={words('tenants.encryption')}>{words(`tenants.encryption.${encryption}`)}</Fact>
      {QUOTA_NAMES.map((quota) =>
        quotas[quota] === undefined ? null : (
          <Fact key={quota} name={words(`quotas.${quota}`)}>
            {words('tenants.quotas.most', { n: quotaText(quota, quotas[quota]) })}
          </Fact>
        ),
      )}
      {cancelling && <Fact name={words('runs.title')}>{words('tenants.cancelling')}</Fact>}
      {deletion && (
        <Fact name={words('tenants.deleted')}>
          {words('tenants.deleted.counts', { rows: deletion.rows, objects: deletion.objects })}
          {deletion.left.map((sentence) => (
            <p key={sentence} className="text-text-2">
              {sentence}
            </p>
          ))}
        </Fact>
      )}
      {mayAudit && (
        <Fact name={words('audit.title')}>
          <Link
            to="/audit"
            search={{ kind: 'tenant', name: id }}
            className="text-accent hover:underline"
          >
            {words('tenants.audit')}
          </Link>
        </Fact>
      )}
    </dl>
  )
}

const ICONS = {
  edit: 'edit',
  pause: 'stop',
  suspend: 'close',
  resume: 'retry',
  delete: 'trash',
} as const

function Actions({ tenant, onChanged }: Pick<Props, 'onChanged'> & { readonly tenant: Tenant }) {
  const words = useWords()
  const mayWrite = useMay('tenants:write')
  const [action, setAction] = useState<Exclude<TenantAction, 'export'>>()
  if (!mayWrite) return null
  return (
    <div className="flex flex-wrap gap-2">
      {actionsOf(tenant).map((name) =>
        name === 'export' ? (
          <a
            key={name}
            href={`/v1/tenants/${tenant.id}/export`}
            download={`${tenant.id}.jsonl`}
            className="inline-flex min-h-7 items-center justify-center rounded-md border border-line bg-raised px-2.5 text-sm font-medium whitespace-nowrap hover:bg-sunken pointer-coarse:min-h-11"
          >
            {words('tenants.export')}
          </a>
        ) : (
          <Button
            key={name}
            icon={ICONS[name]}
            look={name === 'delete' ? 'danger' : 'plain'}
            onClick={() => setAction(name)}
          >
            {words(`tenants.${name}`)}
          </Button>
        ),
      )}
      {action === 'edit' && (
        <EditDialog {...{ tenant, onChanged }} onClose={() => setAction(undefined)} />
      )}
      {action && action !== 'edit' && (
        <ActionDialog {...{ tenant, action, onChanged }} onClose={() => setAction(undefined)} />
      )}
    </div>
  )
}
