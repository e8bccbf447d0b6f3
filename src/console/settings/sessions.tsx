/** Browsers that are signed in to the tenant, and their sign-out. */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queries, type Schemas } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { More, usePages } from '../kit/more.tsx'
import { Loading } from '../kit/notice.tsx'
import { Ago, Plain } from '../text/text.tsx'
import { Confirm } from '../webhooks/confirm.tsx'
import { Table } from './table.tsx'

type BrowserSession = Schemas['BrowserSession']

const KEY = ['browser-sessions'] as const
const EVERY_MS = 10_000
const PAGE = 50

export function Sessions() {
  const words = useWords()
  const mayWrite = useMay('keys:write')
  const pages = usePages<BrowserSession>(
    KEY,
    (cursor) => api.browserSessions.list({ limit: PAGE, cursor }),
    EVERY_MS,
  )
  const [session, setSession] = useState<BrowserSession>()
  const close = () => setSession(undefined)
  const revoke = useMutation({
    mutationFn: (id: string) => api.browserSessions.delete(id),
    onSuccess: close,
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  })
  return (
    <>
      <p className="max-w-3xl text-sm text-text-2">{words('settings.sessions.hint')}</p>
      {pages.isPending && !pages.error && <Loading />}
      {pages.items.length > 0 && (
        <Table
          label={words('settings.sessions')}
          heads={[
            words('settings.session'),
            words('settings.session.since'),
            words('settings.session.action'),
            words('settings.session.until'),
            words('settings.session.scopes'),
          ]}
        >
          {pages.items.map((item) => (
            <SessionRow
              key={item.id}
              session={item}
              onRevoke={mayWrite ? () => setSession(item) : undefined}
            />
          ))}
        </Table>
      )}
      <More of={pages} />
      {session && (
        <Confirm
          title={words('settings.session.end')}
          question={words('settings.session.sure', { key: session.key_name ?? session.key_id })}
          isBusy={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate(session.id)}
          onClose={() => {
            revoke.reset()
            close()
          }}
        />
      )}
    </>
  )
}

interface RowProps {
  readonly session: BrowserSession
  readonly onRevoke: (() => void) | undefined
}

function SessionRow({ session, onRevoke }: RowProps) {
  const words = useWords()
  const { id, key_id, key_name, scopes, current, created_at, expires_at } = session
  return (
    <tr>
      <td className="min-w-32">
        <span className="flex flex-wrap items-center gap-2">
          <Plain text={key_name ?? key_id} />
          {current && (
            <span className="rounded bg-selected px-1.5 text-xs whitespace-nowrap">
              {words('settings.session.this')}
            </span>
          )}
        </span>
        <span className="font-mono text-xs text-text-2 [overflow-wrap:anywhere]">{id}</span>
      </td>
      <td>
        <Ago at={created_at} />
      </td>
      <td>
        {onRevoke && !current && (
          <Button look="danger" onClick={onRevoke}>
            {words('settings.session.end')}
          </Button>
        )}
      </td>
      <td>
        <Ago at={expires_at} />
      </td>
      <td className="min-w-40 font-mono text-xs [overflow-wrap:anywhere]">{scopes.join(', ')}</td>
    </tr>
  )
}
