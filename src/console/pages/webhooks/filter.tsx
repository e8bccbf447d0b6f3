/** Which deliveries are shown: it stands in the address, so that a reload and a link keep it. */

import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../app/api.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { BareSelect, INPUT } from '../../ui/field.tsx'

const STATUSES = ['pending', 'delivered', 'failed', 'disabled', 'dropped'] as const
/** Those that are over can be sent again. */
export const REPLAYED = ['failed', 'disabled', 'dropped', 'delivered'] as const
const MEMBERS = ['status', 'endpoint', 'run', 'since', 'until'] as const

export type Filter = { readonly [K in (typeof MEMBERS)[number]]?: string | undefined }

/** A time as its field has it, in the zone of the reader. */
export const instantOf = (local: string): string => new Date(local).toISOString()

const isTime = (text: string | undefined): text is string =>
  text !== undefined && !Number.isNaN(Date.parse(text))

export function useFilter(): readonly [Filter, (part: Filter) => void] {
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const known = MEMBERS.flatMap((name) => {
    const { [name]: value } = search
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : []
  })
  const filter: Filter = Object.fromEntries(known)
  const set = (part: Filter): void => {
    const next = Object.entries({ ...filter, ...part }).filter(([, value]) => value)
    const to = { to: '/webhooks/$tab', params: { tab: 'deliveries' }, replace: true } as const
    void navigate({ ...to, search: Object.fromEntries(next) as never })
  }
  return [filter, set]
}

/** As the API takes it. */
export const queryOf = ({ status, endpoint, run, since, until }: Filter) => ({
  status: status || undefined,
  endpoint_id: endpoint || undefined,
  run_id: run || undefined,
  'created[gte]': isTime(since) ? instantOf(since) : undefined,
  'created[lt]': isTime(until) ? instantOf(until) : undefined,
})

/** The endpoints to choose from, and one that is not among them any more. */
export function useEndpointOptions() {
  const words = useWords()
  const { data } = useQuery({
    queryKey: ['webhooks', 'endpoints', 'names'],
    queryFn: async () => (await api.webhookEndpoints.list({ limit: 100 })).data,
  })
  const known = data?.map(({ id, url }) => [id, url] as const) ?? []
  return (chosen: string | undefined): (readonly [string, string])[] => {
    const isKnown = chosen === undefined || known.some(([id]) => id === chosen)
    const more = isKnown ? [] : [[chosen, chosen] as const]
    return [['', words('deliveries.anywhere')], ...known, ...more]
  }
}

export function FilterBar({
  filter,
  onChange,
  children,
}: {
  readonly filter: Filter
  readonly onChange: (part: Filter) => void
  /** Buttons about those that are shown. */
  readonly children?: ReactNode
}) {
  const words = useWords()
  const endpoints = useEndpointOptions()
  const time = (name: 'since' | 'until') => (
    <label className="flex items-center gap-2 text-xs text-muted max-md:col-span-2">
      {words(`deliveries.${name}`)}
      <input
        type="datetime-local"
        value={filter[name] ?? ''}
        onChange={({ target }) => onChange({ [name]: target.value || undefined })}
        className={`${INPUT} min-w-0 max-md:flex-1`}
      />
    </label>
  )
  const none = { status: '', endpoint: '', run: '', since: '', until: '' }
  return (
    <search
      className="grid grid-cols-2 items-center gap-2 md:flex md:flex-wrap"
      aria-label={words('deliveries.filter')}
    >
      <BareSelect
        label={words('deliveries.status')}
        value={filter.status ?? ''}
        options={[
          ['', words('deliveries.all')],
          ...STATUSES.map((one) => [one, words(`deliveries.${one}`)] as const),
        ]}
        onChange={({ target }) => onChange({ status: target.value })}
      />
      <BareSelect
        label={words('deliveries.to')}
        value={filter.endpoint ?? ''}
        options={endpoints(filter.endpoint)}
        onChange={({ target }) => onChange({ endpoint: target.value })}
      />
      <input
        type="search"
        aria-label={words('deliveries.run')}
        placeholder="run_…"
        spellCheck={false}
        value={filter.run ?? ''}
        onChange={({ target }) => onChange({ run: target.value.trim() })}
        className={`${INPUT} min-w-0 max-md:col-span-2 md:flex-1`}
      />
      <span className="contents md:flex md:gap-3">
        {time('since')}
        {time('until')}
      </span>
      {Object.keys(filter).length > 0 && (
        <Button onClick={() => onChange(none)}>{words('deliveries.unfiltered')}</Button>
      )}
      {children && <span className="max-md:col-span-2 md:ml-auto">{children}</span>}
    </search>
  )
}
