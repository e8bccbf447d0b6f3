/** The selected key: its state, its times, its scopes by family, and its actions. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Fact } from '../approvals/why.tsx'
import { api, ProblemError, type Schemas } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Loading, PollProblem, Problem } from '../kit/notice.tsx'
import { quotaText } from '../tenants/quota-fields.tsx'
import { KEY_QUOTA_NAMES } from '../tenants/quotas.ts'
import { exactTime } from '../text/format.ts'
import { Ago, CopyButton, Plain } from '../text/text.tsx'
import { Confirm } from '../webhooks/confirm.tsx'
import { EditKey } from './edit.tsx'
import { KeyStatus, useIsOwn } from './key-status.tsx'
import { Rotation } from './rotation.tsx'
import { ScopeTable } from './scope-table.tsx'
import type { Key } from './state.ts'
import { usedText } from './used-text.ts'

const EVERY_MS = 10_000

interface Props {
  readonly id: string
  /** Reads the keys again. */
  readonly onChanged: () => Promise<void>
  readonly onRotated: (key: Schemas['ApiKeyWithText']) => void
  readonly onRevoked: () => void
}

export function KeyDetail(props: Props) {
  const words = useWords()
  const { data, error, refetch } = useQuery({
    queryKey: ['keys', 'one', props.id],
    queryFn: () => api.keys.get(props.id),
    refetchInterval: EVERY_MS,
  })
  const retry = () => void refetch()
  if (error instanceof ProblemError && error.status === 404)
    return <p className="text-sm text-text-2">{words('keys.gone')}</p>
  if (!data) return error ? <Problem error={error} onRetry={retry} /> : <Loading />
  const name = data.name ?? data.id
  return (
    <article aria-label={name} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PollProblem error={error} hasData onRetry={retry} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="min-w-0 font-semibold [overflow-wrap:anywhere]">
          <Plain text={name} />
        </h2>
        <KeyStatus apiKey={data} />
      </div>
      <Actions {...props} apiKey={data} />
      <Facts apiKey={data} />
      <ScopeTable scopes={data.scopes} />
    </article>
  )
}

function Facts({ apiKey }: { readonly apiKey: Key }) {
  const words = useWords()
  const mayAudit = useMay('audit:read')
  const { id, created_at, expires_at, addresses, rate_limits, quotas } = apiKey
  const used = usedText(apiKey)
  return (
    <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
      <Fact name={words('keys.created')}>
        {exactTime(created_at)} (<Ago at={created_at} />)
      </Fact>
      <Fact name={words('keys.expires')}>
        {expires_at === null ? (
          words('keys.expires.never')
        ) : (
          <>
            {exactTime(expires_at)} (<Ago at={expires_at} />)
          </>
        )}
      </Fact>
      <Fact name={words('keys.used.last')}>
        {used === undefined ? (
          words('keys.unused')
        ) : (
          <>
            {used} <span className="text-text-2">{words('keys.used.hour')}</span>
          </>
        )}
      </Fact>
      {addresses !== null && (
        <Fact name={words('keys.addresses')}>
          <span className="font-mono text-xs">{addresses.join(', ')}</span>
        </Fact>
      )}
      {rate_limits !== null && (
        <Fact name={words('keys.rates')}>
          <code className="font-mono text-xs">{JSON.stringify(rate_limits)}</code>
        </Fact>
      )}
      {quotas !== null && (
        <Fact name={words('quotas.title')}>
          <ul>
            {KEY_QUOTA_NAMES.filter((quota) => quotas[quota] !== undefined).map((quota) => (
              <li key={quota}>
                {words(`quotas.${quota}`)}: {quotaText(quota, quotas[quota]!)}
              </li>
            ))}
          </ul>
        </Fact>
      )}
      <Fact name={words('keys.id')}>
        <span className="flex items-center gap-1 font-mono text-xs">
          {id}
          <CopyButton text={id} />
        </span>
      </Fact>
      {mayAudit && (
        <Fact name={words('audit.title')}>
          <Link to="/audit" search={{ by: id }} className="text-accent hover:underline">
            {words('keys.audit')}
          </Link>
        </Fact>
      )}
    </dl>
  )
}

function Actions({ apiKey, onChanged, onRotated, onRevoked }: Props & { readonly apiKey: Key }) {
  const words = useWords()
  const mayWrite = useMay('keys:write')
  const isOwn = useIsOwn(apiKey.id)
  const { id, expired } = apiKey
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'revoke'>()
  const close = () => setDialog(undefined)
  const revoke = useMutation({
    mutationFn: () => api.keys.revoke(id),
    onSuccess: () => {
      close()
      onRevoked()
    },
    onSettled: onChanged,
  })
  if (!mayWrite) return null
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        <Button icon="edit" onClick={() => setDialog('edit')}>
          {words('keys.edit')}
        </Button>
        {!expired && (
          <Button icon="retry" onClick={() => setDialog('rotate')}>
            {words('keys.rotate')}
          </Button>
        )}
        <Button icon="trash" look="danger" disabled={isOwn} onClick={() => setDialog('revoke')}>
          {words('keys.revoke')}
        </Button>
      </div>
      {isOwn && <p className="text-xs text-text-2">{words('keys.revoke.own')}</p>}
      {dialog === 'edit' && <EditKey {...{ apiKey, onChanged }} onClose={close} />}
      {dialog === 'rotate' && (
        <Rotation
          apiKey={apiKey}
          onRotated={(rotated) => {
            close()
            onRotated(rotated)
          }}
          onClose={close}
        />
      )}
      {dialog === 'revoke' && (
        <Confirm
          title={words('keys.revoke')}
          question={words('keys.revoke.sure', { name: apiKey.name ?? id })}
          isBusy={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate()}
          onClose={close}
        />
      )}
    </div>
  )
}
