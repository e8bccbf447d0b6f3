/** Browsers that are signed in: one ends the session of any but this one, which signs out. */

import { api, type Schemas } from '../../app/api.ts'
import { useMay, useSignIn } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { More, usePages } from '../../ui/more.tsx'
import { Loading } from '../../ui/notice.tsx'
import { Card, Table } from '../../ui/page.tsx'
import { Ago } from '../../ui/text.tsx'

type Session = Schemas['BrowserSession']
const KEY = ['browser-sessions'] as const

export function Sessions() {
  const words = useWords()
  const { session } = useSignIn()
  const may = useMay('keys:write')
  const found = usePages<Session>(KEY, (cursor) => api.browserSessions.list({ cursor, limit: 50 }))
  return (
    <Card title={words('browser.all')}>
      {found.isPending && !found.error && <Loading />}
      {found.items.length > 0 && (
        <Table
          label={words('browser.all')}
          head={[words('browser.key'), words('browser.since'), words('browser.until'), '']}
        >
          {found.items.map(({ id, key_id, created_at, expires_at }) => (
            <tr key={id}>
              <td className="font-mono text-xs [overflow-wrap:anywhere]">
                {key_id} {id === session?.id && <Badge tone="busy">{words('keys.current')}</Badge>}
                <div className="text-muted">{id}</div>
              </td>
              <td>
                <Ago at={created_at} />
              </td>
              <td>
                <Ago at={expires_at} />
              </td>
              <td className="text-right">
                {may && id !== session?.id && (
                  <Confirm
                    word={words('browser.end')}
                    question={words('browser.end.sure', { key: key_id })}
                    act={() => api.browserSessions.revoke(id)}
                    touches={KEY}
                  />
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      <More of={found} />
    </Card>
  )
}
