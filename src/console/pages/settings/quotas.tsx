/** Limits that the operator has set for this tenant, and what is used of each. */

import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { useWords } from '../../app/words.ts'
import { Empty, Loading, Problem } from '../../ui/notice.tsx'
import { Table } from '../../ui/page.tsx'
import { Ago, exactly } from '../../ui/text.tsx'

const EVERY_MS = 10_000

export default function Quotas() {
  const words = useWords()
  const found = useQuery({
    queryKey: ['quotas'],
    queryFn: async () => (await api.quotas.list()).data,
    refetchInterval: EVERY_MS,
  })
  if (found.isPending) return <Loading />
  if (!found.data) return <Problem error={found.error} onRetry={() => void found.refetch()} />
  if (found.data.length === 0)
    return <Empty title={words('quotas.empty')}>{words('quotas.empty.hint')}</Empty>
  const amount = (limit: string, value: number): string =>
    limit.startsWith('dollars') ? `$${value.toFixed(2)}` : exactly(value)
  return (
    <Table
      label={words('settings.quotas')}
      head={[
        words('limits.name'),
        words('quotas.used'),
        words('limits.value'),
        words('quotas.reserved'),
        words('quotas.resets'),
      ]}
    >
      {found.data.map(({ limit, value, used, reserved, resets_at }) => (
        <tr key={limit}>
          <td>{words(`quotas.${limit}`)}</td>
          <td className="min-w-48">
            <span className={`tabular-nums ${used >= value ? 'font-semibold text-bad' : ''}`}>
              {amount(limit, used)}
            </span>
            <progress
              max={value}
              value={Math.min(used, value)}
              aria-label={words(`quotas.${limit}`)}
              className="ml-3 h-2 w-28 align-middle accent-(--accent)"
            />
          </td>
          <td className="tabular-nums">{amount(limit, value)}</td>
          <td className="tabular-nums">{amount(limit, reserved)}</td>
          <td>{resets_at ? <Ago at={resets_at} /> : words('quotas.standing')}</td>
        </tr>
      ))}
    </Table>
  )
}
