/** Built-in tools of the deployment; tools of MCP servers belong to layers. */

import { useQuery } from '@tanstack/react-query'
import { api, type Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Loading, Problem } from '../kit/notice.tsx'
import { Plain } from '../text/text.tsx'
import { hasWords } from './search.ts'
import { SearchField, Table, WIDE } from './table.tsx'

type Tool = Schemas['Tool']

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
        wide={3}
        heads={[
          words('settings.tool'),
          words('settings.tool.mode'),
          words('settings.tool.approval'),
          words('settings.description'),
        ]}
      >
        {tools.map((tool) => (
          <ToolRow key={tool.name} tool={tool} />
        ))}
      </Table>
    </>
  )
}

function ToolRow({ tool }: { readonly tool: Tool }) {
  const words = useWords()
  const { name, mode, aliases, needs_approval } = tool
  return (
    <tr>
      <td>
        <span className="font-mono text-xs">{name}</span>
        {aliases.length > 0 && (
          <span className="block text-xs text-text-2">{aliases.join(', ')}</span>
        )}
        <div className="pt-1 md:hidden">
          <Description tool={tool} />
        </div>
      </td>
      <td className="whitespace-nowrap text-text-2 max-md:whitespace-normal">
        {words(`settings.mode.${mode}`)}
      </td>
      <td className="text-text-2">{needs_approval ? words('settings.yes') : '–'}</td>
      <td className={`max-w-3xl min-w-72 ${WIDE}`}>
        <Description tool={tool} />
      </td>
    </tr>
  )
}

/** Purpose of a tool, after the reasons why runs may lack it. */
function Description({ tool: { description, condition, unavailable } }: { readonly tool: Tool }) {
  return (
    <>
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
    </>
  )
}
