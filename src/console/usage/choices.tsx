/** Range, grouping, and measure of the report; a change is in the URL immediately. */

import { useNavigate } from '@tanstack/react-router'
import { useWords } from '../i18n/words.ts'
import { INPUT } from '../kit/field.tsx'
import { GROUPINGS, MEASURES, type Measure, type UsageSearch, usageSearch } from './search.ts'
import { dayAfter, dayAt, lastDays, rangeOf } from './state.ts'

const RANGES = [7, 30, 90, 365] as const

interface Props {
  readonly search: UsageSearch
  /** Measure that the chart shows. */
  readonly measure: Measure
}

export function Choices({ search, measure }: Props) {
  const words = useWords()
  const navigate = useNavigate()
  const range = rangeOf(search, Date.now())
  const count = lastDays(range, Date.now())
  const isListed = RANGES.some((days) => days === count)
  const change = (changes: Readonly<Record<string, string | undefined>>): void =>
    void navigate({ to: '/usage', search: usageSearch({ ...search, ...changes }) })
  const setRange = (days: string): void => {
    const to = dayAfter(dayAt(Date.now()), 1)
    if (days !== '') change({ to, from: dayAfter(to, -Number(days)) })
  }
  return (
    <search
      aria-label={words('usage.choices')}
      className="grid w-full grid-cols-2 items-center gap-2 sm:flex sm:w-auto sm:flex-wrap lg:ml-auto"
    >
      <Choice
        label={words('usage.by')}
        value={search.by ?? 'agent'}
        options={GROUPINGS.map((by) => [by, words(`usage.by.${by}`)])}
        onValue={(by) => change({ by })}
      />
      <Choice
        label={words('usage.measure')}
        value={measure}
        options={MEASURES.map((name) => [name, words(`usage.${name}`)])}
        onValue={(of) => change({ of })}
      />
      <Choice
        label={words('usage.range')}
        className="max-sm:col-span-2"
        value={isListed ? String(count) : ''}
        options={[
          ...(isListed ? [] : [['', words('usage.range.exact')] as const]),
          ...RANGES.map((days) => [String(days), words('usage.days', { n: days })] as const),
        ]}
        onValue={setRange}
      />
      <span className="col-span-2 flex items-center gap-2">
        <DayField
          label={words('usage.from')}
          value={range.from}
          onValue={(from) => change({ from, to: range.to })}
        />
        <span aria-hidden="true">–</span>
        <DayField
          label={words('usage.to')}
          value={dayAfter(range.to, -1)}
          onValue={(last) => change({ from: range.from, to: dayAfter(last, 1) })}
        />
      </span>
    </search>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly className?: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onValue: (value: string) => void
}

function Choice({ label, className = '', value, options, onValue }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ target }) => onValue(target.value)}
      className={`${INPUT} min-w-0 ${className}`}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  )
}

interface DayProps {
  readonly label: string
  readonly value: string
  readonly onValue: (day: string) => void
}

function DayField({ label, value, onValue }: DayProps) {
  return (
    <input
      key={value}
      type="date"
      aria-label={label}
      title={label}
      defaultValue={value}
      onBlur={({ target }) => {
        if (target.value !== '' && target.value !== value) onValue(target.value)
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') currentTarget.blur()
      }}
      className={`${INPUT} min-w-0 flex-1`}
    />
  )
}
