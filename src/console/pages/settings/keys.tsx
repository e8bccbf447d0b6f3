/** API keys: made with scopes, shown once, rotated with an overlap, revoked. */

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
import { Loading } from '../../ui/notice.tsx'
import { Table } from '../../ui/page.tsx'
import { Ago } from '../../ui/text.tsx'
import { KEYS as KEY, type Key, NewKey, RotateKey } from './key-forms.tsx'

export default function Keys() {
  const words = useWords()
  const may = useMay('keys:write')
  const [open, setOpen] = useState(false)
  useWish('keys.new', () => setOpen(true))
  const found = usePages<Key>(KEY, (cursor) => api.keys.list({ cursor, limit: 50 }))
  return (
    <div className="grid gap-4">
      {may && (
        <div>
          <Button look="primary" icon="plus" onClick={() => setOpen(true)}>
            {words('keys.new')}
          </Button>
        </div>
      )}
      {found.isPending && <Loading />}
      {found.items.length > 0 && (
        <Table
          label={words('settings.keys')}
          head={[
            words('keys.name'),
            words('keys.scopes'),
            words('keys.used'),
            words('keys.expires'),
            '',
          ]}
        >
          {found.items.map((key) => (
            <Row key={key.id} of={key} may={may} />
          ))}
        </Table>
      )}
      <More of={found} />
      <Dialog title={words('keys.new')} open={open} onClose={() => setOpen(false)}>
        <NewKey onClose={() => setOpen(false)} />
      </Dialog>
    </div>
  )
}

function Row({ of, may }: { readonly of: Key; readonly may: boolean }) {
  const words = useWords()
  const [rotating, setRotating] = useState(false)
  const { id, name, scopes, current, expired, last_used_at, expires_at, allowed_addresses } = of
  return (
    <tr>
      <td className="min-w-40">
        <span className="font-medium">{name ?? words('keys.unnamed')}</span>{' '}
        {current && <Badge tone="busy">{words('keys.current')}</Badge>}
        {expired && <Badge tone="bad">{words('keys.expired')}</Badge>}
        <div className="font-mono text-xs text-muted">{id}</div>
        {allowed_addresses && (
          <div className="text-xs text-muted">{allowed_addresses.join(', ')}</div>
        )}
      </td>
      <td className="max-w-72 font-mono text-xs [overflow-wrap:anywhere]">{scopes.join(' ')}</td>
      <td>{last_used_at ? <Ago at={last_used_at} /> : words('keys.never')}</td>
      <td>{expires_at ? <Ago at={expires_at} /> : words('keys.never')}</td>
      <td>
        {may && (
          <div className="flex justify-end gap-2">
            {!expired && <Button onClick={() => setRotating(true)}>{words('keys.rotate')}</Button>}
            {!current && (
              <Confirm
                word={words('keys.revoke')}
                question={words('keys.revoke.sure', { name: name ?? id })}
                act={() => api.keys.revoke(id)}
                touches={KEY}
              />
            )}
          </div>
        )}
        <Dialog title={words('keys.rotate')} open={rotating} onClose={() => setRotating(false)}>
          <RotateKey of={of} onClose={() => setRotating(false)} />
        </Dialog>
      </td>
    </tr>
  )
}
