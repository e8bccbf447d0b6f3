/** Every bound that the server keeps, and why it is there. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas } from '../../app/api.ts'
import { useWords } from '../../app/words.ts'
import { Input } from '../../ui/field.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { Table } from '../../ui/page.tsx'
import { exactly } from '../../ui/text.tsx'

type Limits = Readonly<Record<string, Schemas['Limit']>>

export default function LimitsTab() {
  const words = useWords()
  const [text, setText] = useState('')
  const found = useQuery({
    queryKey: ['limits'],
    queryFn: async () => (await api.limits.list()) as unknown as Limits,
  })
  const rows = Object.entries(found.data ?? {}).filter(
    ([name, { reason }]) =>
      name.includes(text) || reason.toLowerCase().includes(text.toLowerCase()),
  )
  return (
    <div className="grid gap-4">
      <Input
        label={words('search')}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {found.isPending && <Loading />}
      <Problem error={found.error} onRetry={() => void found.refetch()} />
      {rows.length > 0 && (
        <Table
          label={words('settings.limits')}
          head={[words('limits.name'), words('limits.value'), words('limits.reason')]}
        >
          {rows.map(([name, { value, reason }]) => (
            <tr key={name}>
              <td className="font-mono text-xs">{name}</td>
              <td className="tabular-nums">{exactly(value)}</td>
              <td className="min-w-64 text-muted">{reason}</td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  )
}
