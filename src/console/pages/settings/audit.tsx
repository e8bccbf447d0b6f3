/** The audit: who changed what, when and from where, newest first. */

import { useState } from 'react'
import { api, type Schemas } from '../../app/api.ts'
import { useWords } from '../../app/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { BareSelect, Input } from '../../ui/field.tsx'
import { More, usePages } from '../../ui/more.tsx'
import { Empty, Loading } from '../../ui/notice.tsx'
import { Table } from '../../ui/page.tsx'
import { Ago } from '../../ui/text.tsx'

type Entry = Schemas['AuditEntry']

const KINDS: readonly Entry['kind'][] = [
  ...(['skill', 'agent', 'server', 'endpoint', 'hook', 'policy', 'file', 'memory'] as const),
  ...(['approval', 'run', 'fanout', 'session', 'schedule', 'delivery', 'authorization'] as const),
  ...(['key', 'token', 'secret', 'tenant', 'browser_session', 'sign_in_link'] as const),
]

export default function Audit() {
  const words = useWords()
  const [kind, setKind] = useState<Entry['kind'] | ''>('')
  const [name, setName] = useState('')
  const query = { kind: kind || undefined, name: name.trim() || undefined, limit: 50 }
  const found = usePages<Entry>(['audit', kind, name], (cursor) =>
    api.audit.list({ ...query, cursor }),
  )
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end gap-3">
        <BareSelect
          label={words('audit.kind')}
          value={kind}
          options={[['', words('audit.every')], ...KINDS.map((one) => [one, one] as const)]}
          onChange={({ target }) => setKind(target.value as Entry['kind'])}
        />
        <Input
          label={words('audit.name')}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </div>
      {found.isPending && <Loading />}
      {found.isSuccess && found.items.length === 0 && (
        <Empty title={words('audit.empty')} command="strata audit list" />
      )}
      {found.items.length > 0 && (
        <Table
          label={words('settings.audit')}
          head={[
            words('audit.when'),
            words('audit.what'),
            words('audit.name'),
            words('audit.by'),
            words('audit.from'),
          ]}
        >
          {found.items.map((one) => (
            <tr key={`${one.seq} ${one.version} ${one.kind} ${one.name} ${one.created_at}`}>
              <td>
                <Ago at={one.created_at} />
              </td>
              <td className="whitespace-nowrap">
                <Badge>{one.kind}</Badge> {one.action}
              </td>
              <td className="max-w-96 min-w-56 font-mono text-xs [overflow-wrap:anywhere]">
                {one.name}
                {one.detail && <div className="text-muted">{one.detail}</div>}
              </td>
              <td className="font-mono text-xs">{one.by}</td>
              <td className="font-mono text-xs">{one.address ?? '–'}</td>
            </tr>
          ))}
        </Table>
      )}
      <More of={found} />
    </div>
  )
}
