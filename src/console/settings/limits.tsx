/** Limits of the deployment, each with the reason for its value. */

import { useQuery } from '@tanstack/react-query'
import { api } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Loading, Problem } from '../kit/notice.tsx'
import { exactNumber } from '../text/format.ts'
import { Plain } from '../text/text.tsx'
import { hasWords } from './search.ts'
import { SearchField, Table, WIDE } from './table.tsx'

export function Limits({ query }: { readonly query: string }) {
  const words = useWords()
  const { data, error, refetch } = useQuery({
    queryKey: ['limits'],
    queryFn: () => api.limits.list(),
  })
  if (!data) return error ? <Problem error={error} onRetry={() => void refetch()} /> : <Loading />
  const limits = Object.entries(data)
  const rows = limits.filter(([name, { reason }]) =>
    hasWords(query, [name, name.replaceAll('_', ' '), reason]),
  )
  return (
    <>
      <p className="max-w-3xl text-sm text-text-2">{words('settings.limits.hint')}</p>
      <SearchField
        label={words('settings.limits.search')}
        query={query}
        count={rows.length}
        total={limits.length}
      />
      <Table
        label={words('settings.limits')}
        numbers={[1]}
        wide={2}
        heads={[words('settings.name'), words('settings.value'), words('settings.reason')]}
      >
        {rows.map(([name, { value, reason }]) => (
          <tr key={name}>
            <td>
              <span className="font-mono text-xs">{name}</span>
              <span className="block text-text-2 md:hidden">
                <Plain text={reason} />
              </span>
            </td>
            <td className="text-right tabular-nums">{exactNumber(value)}</td>
            <td className={`min-w-64 text-text-2 ${WIDE}`}>
              <Plain text={reason} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  )
}
