/** Filters of the deliveries; a change is in the URL immediately. */

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type InputHTMLAttributes, type SelectHTMLAttributes, useState } from 'react'
import { api } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { INPUT } from '../kit/field.tsx'
import { RANGES } from '../runs/filters.ts'
import { localTime, momentOf } from '../text/local-time.ts'
import { EVENT_TYPES, type Filters, STATUSES, withFilters } from './search.ts'

const ENDPOINTS = 100
const TIMES = ['created[gte]', 'created[lt]'] as const
const DAY_MS = 86_400_000

type Option = readonly [value: string, text: string]

export function FilterBar({ filters }: { readonly filters: Filters }) {
  const words = useWords()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const endpoints = useEndpoints()
  const count = Object.keys(filters).length
  const change = (changes: Filters): void =>
    void navigate({ to: '/webhooks', search: withFilters(filters, changes) })
  const choice = (name: 'status' | 'event_type' | 'endpoint_id', options: readonly Option[]) => (
    <Choice
      label={words(`webhooks.filter.${name}`)}
      any={words(`webhooks.filter.${name}.any`)}
      options={options}
      value={filters[name] ?? ''}
      onChange={({ target }) => change({ [name]: target.value })}
    />
  )
  return (
    <>
      <Button
        className="md:hidden"
        aria-expanded={isOpen}
        icon={isOpen ? 'down' : 'right'}
        onClick={() => setOpen(!isOpen)}
      >
        {count === 0 ? words('webhooks.filters') : words('webhooks.filters.count', { n: count })}
      </Button>
      <search
        aria-label={words('webhooks.filters')}
        className={`${isOpen ? 'grid' : 'hidden'} order-last w-full grid-cols-2 items-center gap-2 md:order-none md:flex md:w-auto md:flex-wrap`}
      >
        {choice(
          'status',
          STATUSES.map((status) => [status, words(`webhooks.status.${status}`)]),
        )}
        {choice(
          'event_type',
          EVENT_TYPES.map((type) => [type, type]),
        )}
        {choice('endpoint_id', endpoints)}
        <TimeFilter filters={filters} change={change} />
        <Line
          key={filters.run_id}
          id="filter"
          type="search"
          placeholder="run_… / fan_…"
          label={words('webhooks.filter.run_id')}
          maxLength={40}
          defaultValue={filters.run_id}
          onBlur={({ target }) => {
            if (target.value.trim() !== (filters.run_id ?? ''))
              change({ run_id: target.value.trim() })
          }}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Enter' || key === 'Escape') currentTarget.blur()
          }}
        />
      </search>
      {count > 0 && (
        <Button look="quiet" onClick={() => void navigate({ to: '/webhooks' })}>
          {words('webhooks.clear')}
        </Button>
      )}
    </>
  )
}

interface TimeProps {
  readonly filters: Filters
  readonly change: (changes: Filters) => void
}

function TimeFilter({ filters, change }: TimeProps) {
  const words = useWords()
  const isExact = TIMES.some((name) => filters[name] !== undefined)
  const setRange = (range: string): void => {
    const start = new Date(Date.now() - DAY_MS).toISOString()
    if (range === 'exact') change({ since: '', 'created[gte]': start })
    else change({ since: range, 'created[gte]': '', 'created[lt]': '' })
  }
  return (
    <>
      <Choice
        label={words('webhooks.filter.since')}
        any={words('webhooks.filter.since.any')}
        options={[
          ...(Object.keys(RANGES) as (keyof typeof RANGES)[]).map(
            (range) => [range, words(`webhooks.filter.since.${range}`)] as const,
          ),
          ['exact', words('webhooks.filter.since.exact')],
        ]}
        value={isExact ? 'exact' : (filters.since ?? '')}
        onChange={({ target }) => setRange(target.value)}
      />
      {isExact &&
        TIMES.map((name) => (
          <Line
            key={name}
            type="datetime-local"
            label={words(`webhooks.filter.${name}`)}
            defaultValue={localTime(filters[name])}
            onChange={({ target }) => change({ [name]: momentOf(target.value) })}
          />
        ))}
    </>
  )
}

/** Returns the endpoints as options; a list that is cut says so. */
function useEndpoints(): readonly Option[] {
  const words = useWords()
  const { data } = useQuery({
    queryKey: ['webhooks', 'endpoints', 'options'],
    queryFn: async () => {
      const { data, has_more } = await api.webhookEndpoints.list({ limit: ENDPOINTS })
      return { endpoints: data, hasMore: has_more }
    },
  })
  const options = data?.endpoints.map(
    ({ id, url, description }) => [id, description ?? url] as const,
  )
  const cut = data?.hasMore ? [['', words('webhooks.filter.endpoint_id.more')] as const] : []
  return [...(options ?? []), ...cut]
}

interface ChoiceProps extends SelectHTMLAttributes<HTMLSelectElement> {
  readonly label: string
  /** Text of the option that removes the filter. */
  readonly any: string
  readonly options: readonly Option[]
  readonly value: string
}

function Choice({ label, any, options, value, ...attributes }: ChoiceProps) {
  // The URL may have several values, or one that is not in the list.
  const isListed = value === '' || options.some(([option]) => option === value)
  return (
    <select
      {...attributes}
      value={value}
      aria-label={label}
      className={`${INPUT} min-w-0 md:max-w-44 ${value === '' ? 'text-text-2' : ''}`}
    >
      <option value="">{any}</option>
      {!isListed && <option value={value}>{value}</option>}
      {options.map(([option, text]) => (
        <option key={option} value={option} disabled={option === ''}>
          {text}
        </option>
      ))}
    </select>
  )
}

interface LineProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string
}

function Line({ label, ...attributes }: LineProps) {
  return (
    <input
      {...attributes}
      aria-label={label}
      title={label}
      spellCheck={false}
      className={`${INPUT} col-span-2 min-w-0 md:w-44`}
    />
  )
}
