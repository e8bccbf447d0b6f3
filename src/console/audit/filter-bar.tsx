/** Filters of the audit log; a change is in the URL immediately. */

import { useNavigate } from '@tanstack/react-router'
import { type InputHTMLAttributes, useState } from 'react'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { INPUT } from '../kit/field.tsx'
import { localTime, momentOf } from '../text/local-time.ts'
import { type Filters, filtersOf } from './search.ts'
import { useActionWord, useKeyNames } from './sentence.tsx'
import { ACTIONS, idOfName, KINDS } from './state.ts'

export function FilterBar({ filters }: { readonly filters: Filters }) {
  const words = useWords()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const count = Object.keys(filters).length
  const change = (changes: Filters): void =>
    void navigate({ to: '/audit', search: filtersOf({ ...filters, ...changes }) })
  const actionWord = useActionWord()
  const names = useKeyNames()
  const isOfKeys = filters.kind === 'key' || filters.kind === 'token'
  const line = (name: 'name' | 'by') => {
    const hasKeys = name === 'by' || isOfKeys
    const id = filters[name] ?? ''
    const value = hasKeys ? (names.get(id) ?? id) : id
    return (
      <Line
        key={`${name} ${value}`}
        id={name === 'name' ? 'filter' : undefined}
        type="search"
        label={words(`audit.filter.${name}`)}
        hint={words(`audit.filter.${name}.hint`)}
        placeholder={words(`audit.filter.${name}`)}
        maxLength={name === 'name' ? 1_024 : 200}
        value={value}
        onValue={(text) => change({ [name]: hasKeys ? idOfName(names, text) : text })}
      />
    )
  }
  return (
    <>
      <Button
        className="md:hidden"
        aria-expanded={isOpen}
        icon={isOpen ? 'down' : 'right'}
        onClick={() => setOpen(!isOpen)}
      >
        {count === 0 ? words('audit.filters') : words('audit.filters.count', { n: count })}
      </Button>
      <search
        aria-label={words('audit.filters')}
        className={`${isOpen ? 'grid' : 'hidden'} order-last w-full grid-cols-2 items-center gap-2 md:order-none md:flex md:w-auto md:flex-wrap`}
      >
        <Choice
          label={words('audit.filter.kind')}
          any={words('audit.filter.kind.any')}
          value={filters.kind ?? ''}
          options={KINDS.map((kind) => [kind, words(`audit.kind.${kind}`)])}
          onValue={(kind) => change({ kind })}
        />
        <Choice
          label={words('audit.filter.action')}
          any={words('audit.filter.action.any')}
          value={filters.action ?? ''}
          options={ACTIONS.map((action) => [action, actionWord(action)])}
          onValue={(action) => change({ action })}
        />
        {line('name')}
        {line('by')}
        {(['created[gte]', 'created[lt]'] as const).map((name) => (
          <Line
            key={`${name} ${filters[name]}`}
            type="datetime-local"
            label={words(`audit.filter.${name}`)}
            value={localTime(filters[name])}
            onValue={(value) => change({ [name]: momentOf(value) })}
          />
        ))}
      </search>
      {count > 0 && (
        <Button look="quiet" onClick={() => void navigate({ to: '/audit' })}>
          {words('audit.clear')}
        </Button>
      )}
    </>
  )
}

interface ChoiceProps {
  readonly label: string
  /** Text of the option that removes the filter. */
  readonly any: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onValue: (value: string) => void
}

function Choice({ label, any, value, options, onValue }: ChoiceProps) {
  // The URL may have several values, or one that is not in the list.
  const isListed = value === '' || options.some(([option]) => option === value)
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ target }) => onValue(target.value)}
      className={`${INPUT} min-w-0 md:max-w-44 ${value === '' ? 'text-text-2' : ''}`}
    >
      <option value="">{any}</option>
      {!isListed && <option value={value}>{value}</option>}
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  )
}

interface LineProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value'> {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly onValue: (value: string) => void
}

function Line({ label, hint = label, value, onValue, ...attributes }: LineProps) {
  return (
    <label className="col-span-2 grid min-w-0 gap-x-1.5 gap-y-0.5 md:flex md:items-center">
      <span className={attributes.type === 'search' ? 'sr-only' : 'text-xs text-text-2'}>
        {label}
      </span>
      <input
        {...attributes}
        title={hint}
        spellCheck={false}
        defaultValue={value}
        onBlur={({ target }) => {
          if (target.value.trim() !== value) onValue(target.value.trim())
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter' || key === 'Escape') currentTarget.blur()
        }}
        className={`${INPUT} min-w-0 ${attributes.type === 'search' ? 'md:w-52' : 'md:w-44'}`}
      />
    </label>
  )
}
