/** Models that runs can name, with their list prices, and aliases of models. */

import { useQuery } from '@tanstack/react-query'
import { api, type Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Loading, Problem } from '../kit/notice.tsx'
import { dollars, exactNumber } from '../text/format.ts'
import { Plain } from '../text/text.tsx'
import { hasWords } from './search.ts'
import { SearchField, Table } from './table.tsx'

type Model = Schemas['Model']

export function Models({ query }: { readonly query: string }) {
  const words = useWords()
  const { data, error, refetch } = useQuery({
    queryKey: ['models'],
    queryFn: () => api.models.list(),
  })
  if (!data) return error ? <Problem error={error} onRetry={() => void refetch()} /> : <Loading />
  const models = data.data.filter(({ id, provider, kind }) => hasWords(query, [id, provider, kind]))
  const aliases = data.aliases.filter((alias) => hasWords(query, [alias.alias, ...alias.models]))
  const count = models.length + aliases.length
  return (
    <>
      <p className="text-sm text-text-2">
        {data.default === null
          ? words('settings.models.default.none')
          : words('settings.models.default', { model: data.default })}
      </p>
      {data.warnings.map((warning) => (
        <p key={warning} className="text-sm text-late">
          <Plain text={warning} />
        </p>
      ))}
      <SearchField
        label={words('settings.models.search')}
        query={query}
        count={count}
        total={data.data.length + data.aliases.length}
      />
      {aliases.length > 0 && (
        <Table
          label={words('settings.aliases')}
          heads={[words('settings.alias'), words('settings.alias.models'), words('settings.from')]}
        >
          {aliases.map(({ alias, models: names, from }) => (
            <tr key={`${from} ${alias}`}>
              <td className="font-mono text-xs">{alias}</td>
              <td className="font-mono text-xs">{names.join(' → ') || '–'}</td>
              <td className="text-text-2">{words(`settings.from.${from}`)}</td>
            </tr>
          ))}
        </Table>
      )}
      <ModelTable models={models} />
    </>
  )
}

function ModelTable({ models }: { readonly models: readonly Model[] }) {
  const words = useWords()
  const number = (value: number | null): string => (value === null ? '–' : exactNumber(value))
  return (
    <Table
      label={words('settings.models')}
      numbers={[1, 2, 4, 5]}
      heads={[
        words('settings.model'),
        words('settings.window'),
        words('settings.output'),
        words('settings.input'),
        words('settings.price.input'),
        words('settings.price.output'),
        words('settings.source'),
      ]}
    >
      {models.map(({ id, kind, window, max_output, input, price, source, read }) => (
        <tr key={id}>
          <td className="min-w-48 font-mono text-xs [overflow-wrap:anywhere]">
            <Plain text={id} />
          </td>
          <td className="text-right tabular-nums">{number(window)}</td>
          <td className="text-right tabular-nums">{number(max_output)}</td>
          <td className="text-text-2">{input?.join(', ') ?? '–'}</td>
          <td className="text-right tabular-nums">
            {price ? dollars(price.input_per_million) : '–'}
          </td>
          <td className="text-right tabular-nums">
            {price ? dollars(price.output_per_million) : '–'}
          </td>
          <td className="text-xs text-text-2">
            {source !== null ? (
              <Plain text={source} />
            ) : (
              words(kind === 'agent' ? 'settings.from.base' : 'settings.from.deployment')
            )}
            {read !== null && ` (${read})`}
          </td>
        </tr>
      ))}
    </Table>
  )
}
