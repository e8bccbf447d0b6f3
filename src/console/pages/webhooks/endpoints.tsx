/** Endpoints: where events go, whether they arrive, a test event, a new secret. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useMay } from '../../app/session.ts'
import { useWish } from '../../app/wish.ts'
import { useWords } from '../../app/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { More, usePages } from '../../ui/more.tsx'
import { Empty, Loading, Problem } from '../../ui/notice.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { Ago } from '../../ui/text.tsx'
import { Sent } from './delivery.tsx'
import { EditEndpoint, type Endpoint, ENDPOINTS as KEY, NewEndpoint } from './endpoint-form.tsx'

const EVERY_MS = 10_000

export function Endpoints() {
  const words = useWords()
  const may = useMay('webhooks:write')
  const [open, setOpen] = useState(false)
  useWish('endpoints.new', () => setOpen(true))
  const found = usePages<Endpoint>(
    KEY,
    (cursor) => api.webhookEndpoints.list({ cursor, limit: 50 }),
    EVERY_MS,
  )
  return (
    <div className="grid gap-3">
      {may && (
        <div>
          <Button look="primary" icon="plus" onClick={() => setOpen(true)}>
            {words('endpoints.new')}
          </Button>
        </div>
      )}
      {found.isPending && <Loading />}
      {found.isSuccess && found.items.length === 0 && (
        <Empty
          title={words('endpoints.empty')}
          command={
            'curl $STRATA_URL/v1/webhook-endpoints -H "Authorization: Bearer $STRATA_API_KEY" ' +
            `-H 'content-type: application/json' -d '{"url":"https://example.com/hook"}'`
          }
        >
          {words('endpoints.empty.hint')}
        </Empty>
      )}
      {found.items.map((one) => (
        <One key={one.id} of={one} may={may} />
      ))}
      <More of={found} />
      <Dialog title={words('endpoints.new')} open={open} onClose={() => setOpen(false)}>
        <NewEndpoint onClose={() => setOpen(false)} />
      </Dialog>
    </div>
  )
}

function One({ of, may }: { readonly of: Endpoint; readonly may: boolean }) {
  const words = useWords()
  const { id, url, events, enabled, disabled_reason, failing_since, description } = of
  return (
    <section
      aria-label={url}
      className="grid gap-3 rounded-xl border border-line bg-surface p-4 text-sm"
    >
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={enabled ? (failing_since ? 'warn' : 'good') : 'bad'}>
          {words(
            enabled ? (failing_since ? 'endpoints.failing' : 'endpoints.on') : 'endpoints.off',
          )}
        </Badge>
        <h2 className="font-mono text-xs font-semibold [overflow-wrap:anywhere]">{url}</h2>
      </div>
      {description && <p className="text-muted">{description}</p>}
      {disabled_reason && <p className="text-bad">{disabled_reason}</p>}
      {failing_since && (
        <p className="text-warn">
          {words('endpoints.since')} <Ago at={failing_since} />
        </p>
      )}
      <p className="font-mono text-xs text-muted [overflow-wrap:anywhere]">{events.join(' ')}</p>
      {may && <Actions of={of} />}
      <Link
        to="/webhooks/$tab"
        params={{ tab: 'deliveries' }}
        search={{ endpoint: id } as never}
        className="justify-self-start text-accent underline"
      >
        {words('webhooks.deliveries')}
      </Link>
    </section>
  )
}

function Actions({ of }: { readonly of: Endpoint }) {
  const words = useWords()
  const cache = useQueryClient()
  const [secret, setSecret] = useState<string>()
  const [editing, setEditing] = useState(false)
  const { id, enabled, url } = of
  const testing = useMutation({ mutationFn: () => api.webhookEndpoints.test(id, {}) })
  const change = useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSettled: () => cache.invalidateQueries({ queryKey: ['webhooks'] }),
  })
  const rotate = async (): Promise<void> => {
    const rotated = await api.webhookEndpoints.rotateSecret(id, {})
    setSecret(rotated.secret ?? undefined)
  }
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button busy={testing.isPending} onClick={() => testing.mutate()}>
          {words('endpoints.test')}
        </Button>
        <Button onClick={() => setEditing(true)}>{words('edit')}</Button>
        <Button
          onClick={() =>
            change.mutate(() => api.webhookEndpoints.update(id, { enabled: !enabled }))
          }
        >
          {words(enabled ? 'endpoints.disable' : 'endpoints.enable')}
        </Button>
        <Confirm
          word={words('endpoints.rotate')}
          question={words('endpoints.rotate.sure', { url })}
          act={rotate}
          touches={KEY}
        />
        <Confirm
          word={words('delete')}
          question={words('endpoints.delete.sure', { url })}
          act={() => api.webhookEndpoints.delete(id)}
          touches={KEY}
        />
      </div>
      <Problem error={change.error ?? testing.error} />
      {testing.data && <Sent key={testing.data.id} id={testing.data.id} />}
      <Dialog title={words('endpoints.edit')} open={editing} onClose={() => setEditing(false)}>
        <EditEndpoint of={of} onClose={() => setEditing(false)} />
      </Dialog>
      <Dialog
        title={words('endpoints.secret')}
        open={secret !== undefined}
        onClose={() => setSecret(undefined)}
      >
        <ShownOnce
          sentence={words('endpoints.once')}
          label={words('endpoints.secret')}
          text={secret ?? ''}
        />
      </Dialog>
    </>
  )
}
