/** Built-in tools of the deployment; tools of MCP servers belong to layers. */

import { useQuery } from '@tanstack/react-query'
import { api } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Loading, Problem } from '../kit/notice.tsx'
import { Plain } from '../text/text.tsx'
import { hasWords } from './search.ts'
import { SearchField, Table } from './table.tsx'

export function Tools({ query }: { readonly query: string }) {
  const words = useWords()
  const { data, error, refetch } = useQuery({
    queryKey: ['tools'],
    queryFn: async () => (await api.tools.list()).data,
  })
  if (!data) return error ? <Problem error={error} onRetry={() => void refetch()} /> : <Loading />
  const tools = data.filter(({ name, description, aliases }) =>
    hasWords(query, [name, description, ...aliases]),
  )
  return (
    <>
      <p className="max-w-3xl text-sm text-text-2">{words('settings.tools.hint')}</p>
      <SearchField
        label={words('settings.tools.search')}
        query={query}
        count={tools.length}
        total={data.length}
      />
      <Table
        label={words('settings.tools')}
        heads={[
          words('settings.tool'),
          words('settings.tool.mode'),
          words('settings.tool.approval'),
          words('settings.description'),
        ]}
      >
        {tools.map(
          ({ name, description, mode, aliases, needs_approval, condition, unavailable }) => (
            <tr key={name}>
              <td>
                <span className="font-mono text-xs">{name}</span>
                {aliases.length > 0 && (
                  <span className="block text-xs text-text-2">{aliases.join(', ')}</span>
                )}
              </td>
              <td className="whitespace-nowrap text-text-2">{words(`settings.mode.${mode}`)}</td>
              <td className="text-text-2">{needs_approval ? words('settings.yes') : '–'}</td>
              <td className="min-w-72 max-w-3xl">
                {unavailable !== null && (
                  <span className="block text-late">
                    <Plain text={unavailable} />
                  </span>
                )}
                {condition !== null && (
                  <span className="block text-text-2">
                    <Plain text={condition} />
                  </span>
                )}
                <span className="line-clamp-3 text-text-2">
                  <Plain text={description} />
                </span>
              </td>
            </tr>
          ),
        )}
      </Table>
    </>
  )
}
