/** Filters of the run list; a change is in the URL immediately. */

import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { loaded } from '../data/lazy-part.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { INPUT } from '../kit/field.tsx'
import { Icon } from '../kit/icons.tsx'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { exactTime } from '../text/format.ts'
import { Plain } from '../text/text.tsx'
import { type MenuName, wordOf } from './filter-words.ts'
import {
  type FilterName,
  type Filters,
  isRange,
  KINDS,
  listOf,
  type MetadataName,
  RANGES,
  STATUSES,
  toggled,
  WAITS,
  withFilters,
} from './filters.ts'

const FilterDialog = lazy(() => loaded(() => import('./filter-dialog.tsx')))

/** Filters that have a menu of their own on wide pages. */
const MENUS: readonly string[] = ['status', 'waiting_on', 'kind', 'since']

interface Props {
  readonly filters: Filters
}

export function FilterBar({ filters }: Props) {
  const words = useWords()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const change = (changes: Filters): void => {
    const search = withFilters(filters, changes)
    // Typing continues one step of the history.
    const isTyping = Object.keys(changes).join() === 'q' && filters.q !== undefined
    void navigate({ to: '/runs', search, replace: isTyping })
  }
  const count = Object.keys(filters).filter((name) => name !== 'q').length
  return (
    <>
      <Find text={filters.q ?? ''} onChange={(q) => change({ q })} />
      <div className="hidden gap-2 md:flex">
        <Choices name="status" values={STATUSES} {...{ filters, change }} />
        <Choices name="waiting_on" values={WAITS} {...{ filters, change }} />
        <Choices name="kind" values={KINDS} isSingle {...{ filters, change }} />
        <Choices name="since" values={Object.keys(RANGES)} isSingle {...{ filters, change }} />
      </div>
      <Button onClick={() => setOpen(true)}>
        <span className="md:hidden">
          {count === 0 ? words('runs.filters') : words('runs.filters.count', { n: count })}
        </span>
        <span className="hidden md:inline">{words('runs.filters.more')}</span>
      </Button>
      {Object.keys(filters).map((name) => (
        <Chip
          key={name}
          name={name as FilterName}
          filters={filters}
          onRemove={() => change({ [name]: '' })}
        />
      ))}
      {count + (filters.q ? 1 : 0) > 0 && (
        <Button look="quiet" onClick={() => void navigate({ to: '/runs' })}>
          {words('runs.clear')}
        </Button>
      )}
      {isOpen && (
        <Suspense>
          <FilterDialog filters={filters} onChange={change} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

const TYPING_MS = 300
const MAX_Q = 200

function Find({
  text,
  onChange,
}: {
  readonly text: string
  readonly onChange: (text: string) => void
}) {
  const words = useWords()
  const [draft, setDraft] = useState(text)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // Back and the removal of all filters change the URL.
  useEffect(() => setDraft((draft) => (draft.trim() === text ? draft : text)), [text])
  useEffect(() => () => clearTimeout(timer.current), [])
  const apply = (value: string): void => {
    clearTimeout(timer.current)
    if (value.trim() !== text) onChange(value.trim())
  }
  return (
    <input
      id="filter"
      type="search"
      aria-label={words('runs.find')}
      placeholder={words('runs.find')}
      title={words('runs.find.hint')}
      maxLength={MAX_Q}
      value={draft}
      onChange={({ target: { value } }) => {
        setDraft(value)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => apply(value), TYPING_MS)
      }}
      onKeyDown={({ key, nativeEvent, currentTarget }) => {
        if (key === 'Enter' && !nativeEvent.isComposing) apply(currentTarget.value)
        if (key === 'Escape') currentTarget.blur()
      }}
      className={`${INPUT} min-w-0 flex-1 md:w-56 md:flex-none`}
    />
  )
}

interface ChoicesProps extends Props {
  readonly name: MenuName
  readonly values: readonly string[]
  readonly isSingle?: boolean
  readonly change: (changes: Filters) => void
}

function Choices({ name, values, isSingle = false, filters, change }: ChoicesProps) {
  const words = useWords()
  const selection = listOf(filters[name])
  const label = words(`runs.filter.${name}`)
  const valueText = useValueText(name, filters)
  return (
    <Menu label={label} text={valueText === '' ? label : valueText}>
      {values.map((value) => {
        const word = wordOf(name, value)
        const isChosen = selection.includes(value)
        const next = isSingle ? (isChosen ? '' : value) : toggled(filters[name], value)
        return (
          <MenuItem
            key={value}
            checked={isChosen}
            isMultiple={!isSingle}
            onChoose={() => change({ [name]: next })}
          >
            {word ? words(word) : value}
          </MenuItem>
        )
      })}
    </Menu>
  )
}

function useValueText(name: FilterName | MetadataName, filters: Filters): string {
  const words = useWords()
  const value = filters[name] ?? ''
  if (name === 'created[gte]' || name === 'created[lt]')
    return Number.isNaN(Date.parse(value)) ? value : exactTime(value)
  if (!MENUS.includes(name)) return value
  return listOf(value)
    .map((item) => {
      const word = wordOf(name as MenuName, item)
      return word ? words(word) : item
    })
    .join(', ')
}

interface ChipProps extends Props {
  readonly name: FilterName
  readonly onRemove: () => void
}

/** An active filter with a button that removes it. */
function Chip({ name, filters, onRemove }: ChipProps) {
  const words = useWords()
  const value = useValueText(name, filters)
  if (name === 'q') return null
  const label = name.startsWith('metadata.') ? name.slice(9) : words(`runs.filter.${name}`)
  // A range that the URL contains but no menu shows is ignored by `filtersOf`.
  const isInMenu = MENUS.includes(name) && (name !== 'since' || isRange(filters.since))
  return (
    <span
      className={`inline-flex min-h-7 max-w-full items-center gap-1 rounded-md bg-sunken pl-2.5 text-sm pointer-coarse:min-h-11 ${isInMenu ? 'md:hidden' : ''}`}
    >
      <span className="max-w-60 truncate">
        <span className="text-text-2">
          <Plain text={label} />:
        </span>{' '}
        <Plain text={value} />
      </span>
      <button
        type="button"
        aria-label={words('runs.filter.remove', { name: label })}
        onClick={onRemove}
        className="inline-flex size-7 items-center justify-center rounded-md text-text-2 hover:text-text pointer-coarse:size-11"
      >
        <Icon name="close" size={12} />
      </button>
    </span>
  )
}
