/** The fields of the filters; what one says stands in the address as soon as it is meant. */

import { useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState } from 'react'
import { useWords, type Word } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { BareSelect, INPUT } from '../../ui/field.tsx'
import {
  type FilterName,
  type Filters,
  filtersOf,
  isNever,
  isSpan,
  KINDS,
  pairOf,
  SPANS,
  STATUSES,
} from './filters.ts'

type Changes = Readonly<Partial<Record<FilterName, string>>>
const TASKS = 'tasks'
const CUSTOM = 'custom'

function useSetFilters(filters: Filters): (changes: Changes) => void {
  const navigate = useNavigate()
  return (changes) =>
    void navigate({
      to: '/runs',
      search: filtersOf({ ...filters, ...changes }) as never,
      replace: true,
    })
}

/** The text first; the rest beside it, or behind a button where there is no room. */
export function FilterBar({ filters }: { readonly filters: Filters }) {
  const words = useWords()
  const navigate = useNavigate()
  const id = useId()
  const { q, ...rest } = filters
  const count = Object.keys(rest).length
  const [isOpen, setOpen] = useState(count > 0)
  const fields = { filters, set: useSetFilters(filters) }
  return (
    <>
      <TextFilter {...fields} name="q" word="runs.find" hint="runs.find.hint" whileTyping />
      <Button
        aria-expanded={isOpen}
        aria-controls={id}
        className="md:hidden"
        onClick={() => setOpen(!isOpen)}
      >
        {words('runs.more')}
        {count > 0 && ` (${count})`}
      </Button>
      <div
        id={id}
        className={`${isOpen ? 'grid' : 'hidden'} w-full grid-cols-2 items-start gap-2 md:contents`}
      >
        <Choices {...fields} />
      </div>
      {(q !== undefined || count > 0) && (
        <Button look="quiet" icon="close" onClick={() => void navigate({ to: '/runs' })}>
          {words('runs.clear')}
        </Button>
      )}
    </>
  )
}

function Choices(fields: Fields) {
  const words = useWords()
  const navigate = useNavigate()
  const { filters, set } = fields
  return (
    <>
      <BareSelect
        label={words('runs.status')}
        value={filters.status ?? ''}
        options={[
          ['', words('runs.status.every')],
          ...STATUSES.map((one) => [one, words(`status.${one}`)] as const),
        ]}
        onChange={({ target }) => set({ status: target.value })}
      />
      <BareSelect
        label={words('runs.kind')}
        value={filters.kind ?? ''}
        options={[
          ['', words('runs.kind.every')],
          ...KINDS.map((one) => [one, words(`runs.kind.${one}`)] as const),
          [TASKS, words('runs.kind.tasks')],
        ]}
        onChange={({ target }) =>
          // Tasks stand under their fan-out.
          target.value === TASKS ? void navigate({ to: '/fanouts' }) : set({ kind: target.value })
        }
      />
      <Times {...fields} />
      <TextFilter {...fields} name="agent" word="runs.agent" />
      <TextFilter {...fields} name="label" word="runs.label" />
      <TextFilter {...fields} name="session_id" word="runs.session" hint="runs.session.hint" />
      <TextFilter {...fields} name="metadata" word="runs.metadata" wrong={wrongPair} />
    </>
  )
}

const wrongPair = (text: string): Word | undefined =>
  text.trim() === '' || pairOf(text) ? undefined : 'runs.metadata.wrong'

interface Fields {
  readonly filters: Filters
  readonly set: (changes: Changes) => void
}

interface TextProps extends Fields {
  readonly name: FilterName
  readonly word: Word
  readonly hint?: Word
  readonly whileTyping?: boolean
  /** A sentence about what is no filter. */
  readonly wrong?: (text: string) => Word | undefined
}

const TYPING_MS = 350
const WIDTHS: Readonly<Partial<Record<FilterName, string>>> = { q: 'md:w-56', metadata: 'md:w-44' }

function TextFilter({ filters, set, name, word, hint, whileTyping, wrong }: TextProps) {
  const words = useWords()
  const id = useId()
  const value = filters[name] ?? ''
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The address has changed under the field, as by the keys that lead here.
  useEffect(() => setText((now) => (now.trim() === value ? now : value)), [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const apply = (given: string): void => {
    clearTimeout(timer.current)
    if (given.trim() !== value) set({ [name]: given.trim() })
  }
  const fault = wrong?.(text)
  return (
    <span className={`grid min-w-0 gap-0.5 ${name === 'q' ? 'max-md:min-w-32 max-md:flex-1' : ''}`}>
      <input
        type={name === 'q' ? 'search' : 'text'}
        aria-label={words(word)}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault && id}
        title={words(hint ?? word)}
        placeholder={words(word)}
        maxLength={200}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          clearTimeout(timer.current)
          if (whileTyping) timer.current = setTimeout(apply, TYPING_MS, target.value)
        }}
        onBlur={() => apply(text)}
        onKeyDown={({ key }) => key === 'Enter' && apply(text)}
        className={`${INPUT} ${WIDTHS[name] ?? 'md:w-36'} w-full`}
      />
      {fault && (
        <span id={id} role="alert" className="text-xs text-bad">
          {words(fault)}
        </span>
      )}
    </span>
  )
}

function Times({ filters, set }: Fields) {
  const words = useWords()
  const { since, from, until } = filters
  const [isOpen, setOpen] = useState(false)
  const isCustom = isOpen || from !== undefined || until !== undefined
  const span = isSpan(since) ? since : ''
  return (
    <>
      <BareSelect
        label={words('runs.since')}
        value={isCustom ? CUSTOM : span}
        options={[
          ['', words('runs.since.ever')],
          ...Object.keys(SPANS).map((one) => [one, words(`runs.since.${one}` as Word)] as const),
          [CUSTOM, words('runs.since.custom')],
        ]}
        onChange={({ target }) => {
          setOpen(target.value === CUSTOM)
          set(
            target.value === CUSTOM ? { since: '' } : { since: target.value, from: '', until: '' },
          )
        }}
      />
      {isCustom && <Moment name="from" word="runs.from" {...{ filters, set }} />}
      {isCustom && <Moment name="until" word="runs.until" {...{ filters, set }} />}
      {isNever(filters) && (
        <span role="alert" className="text-xs text-bad max-md:col-span-2">
          {words('runs.times.wrong')}
        </span>
      )}
    </>
  )
}

interface MomentProps extends Fields {
  readonly name: 'from' | 'until'
  readonly word: Word
}

function Moment({ filters, set, name, word }: MomentProps) {
  const words = useWords()
  return (
    <label className="flex items-center gap-1.5 text-xs text-muted max-md:col-span-2">
      {words(word)}
      <input
        type="datetime-local"
        key={filters[name] ?? ''}
        defaultValue={localOf(filters[name])}
        onBlur={({ target }) => set({ [name]: momentOf(target.value) })}
        onKeyDown={({ key, currentTarget }) =>
          key === 'Enter' && set({ [name]: momentOf(currentTarget.value) })
        }
        className={`${INPUT} min-w-0 flex-1 text-text`}
      />
    </label>
  )
}

const momentOf = (local: string): string => {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? '' : at.toISOString()
}

/** As the field writes it, in the reader's own time. */
function localOf(moment: string | undefined): string {
  const at = new Date(moment ?? '')
  if (Number.isNaN(at.getTime())) return ''
  const shifted = at.getTime() - at.getTimezoneOffset() * 60_000
  return new Date(shifted).toISOString().slice(0, 16)
}
