/** Page of schedules: the list, with the selected schedule beside it. */

import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, queries } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { MissingScope } from '../kit/missing-scope.tsx'
import { More, usePages } from '../kit/more.tsx'
import { Loading } from '../kit/notice.tsx'
import { OfflineLine } from '../kit/offline-line.tsx'
import { useSelection } from '../kit/selected-row.ts'
import { useKeys } from '../kit/shortcuts.ts'
import { useTitle } from '../kit/title.ts'
import { Ago, Code } from '../text/text.tsx'
import { Panes } from '../webhooks/panes.tsx'
import { Row } from '../webhooks/row.tsx'
import { ScheduleDetail } from './detail.tsx'
import { ScheduleForm } from './form.tsx'
import { type ScheduleSearch, scheduleSearch } from './search.ts'
import type { Schedule } from './state.ts'
import { ScheduleState, useTimingText } from './when.tsx'

const EVERY_MS = 10_000
const PAGE = 50
const SCHEDULES = ['schedules'] as const

export default function Schedules() {
  const words = useWords()
  const may = useMay('schedules:read')
  const mayWrite = useMay('schedules:write')
  const [isCreating, setCreating] = useState(false)
  // The router also passes parameters that the route has dropped.
  const search = scheduleSearch(useSearch({ strict: false }))
  useTitle(words('schedules.title'))
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header
        className={`flex flex-wrap items-center gap-x-4 border-line px-4 ${search.sel ? 'md:border-b' : 'border-b'}`}
      >
        <h1 className="sr-only text-xl font-semibold lg:not-sr-only">{words('schedules.title')}</h1>
        <Kinds search={search} />
        {mayWrite && search.kind === undefined && (
          <span className={`ml-auto py-1.5 ${search.sel ? 'hidden md:inline' : ''}`}>
            <Button icon="plus" onClick={() => setCreating(true)}>
              {words('schedules.new')}
            </Button>
          </span>
        )}
      </header>
      {may ? (
        <List key={search.kind} search={search} isCreating={isCreating} onForm={setCreating} />
      ) : (
        <MissingScope scope="schedules:read" />
      )}
    </div>
  )
}

function Kinds({ search }: { readonly search: ScheduleSearch }) {
  const words = useWords()
  return (
    <nav
      aria-label={words('schedules.kinds')}
      className={`gap-1 ${search.sel ? 'hidden md:flex' : 'flex'}`}
    >
      {([undefined, 'wakeup'] as const).map((kind) => (
        <Link
          key={kind ?? 'schedule'}
          to="/schedules"
          search={kind ? { kind } : {}}
          aria-current={kind === search.kind ? 'page' : undefined}
          className={`-mb-px inline-flex min-h-10 items-center border-b-2 px-2 text-sm pointer-coarse:min-h-11 ${
            kind === search.kind
              ? 'border-accent font-medium text-text'
              : 'border-transparent text-text-2 hover:text-text'
          }`}
        >
          {words(kind ? 'schedules.wakeups' : 'schedules.title')}
        </Link>
      ))}
    </nav>
  )
}

interface ListProps {
  readonly search: ScheduleSearch
  readonly isCreating: boolean
  readonly onForm: (isOpen: boolean) => void
}

function List({ search: { kind, sel }, isCreating, onForm }: ListProps) {
  const words = useWords()
  const pages = usePages<Schedule>(
    [...SCHEDULES, 'list', kind],
    (cursor) => api.schedules.list({ kind, limit: PAGE, cursor }),
    EVERY_MS,
  )
  const schedules = pages.items
  // A link can select a schedule by its name.
  const selection = schedules.find(({ id, name }) => id === sel || name === sel)?.id ?? sel
  const { select, move } = useSelection(
    schedules.map(({ id }) => id),
    selection,
  )
  useKeys({
    ...{ j: () => move(1), k: () => move(-1) },
    Escape: sel === undefined ? undefined : () => select(undefined, true),
  })
  const reload = () => queries.invalidateQueries({ queryKey: SCHEDULES })
  return (
    <>
      <OfflineLine />
      <Panes
        label={words('schedules.entry')}
        isEmpty={schedules.length === 0}
        onBack={() => select(undefined, true)}
        list={
          <>
            {pages.isPending && !pages.error && <Loading />}
            {pages.isSuccess && schedules.length === 0 && <Empty kind={kind} />}
            <ul aria-label={words(kind ? 'schedules.wakeups' : 'schedules.title')}>
              {schedules.map((schedule) => (
                <ScheduleRow
                  key={schedule.id}
                  schedule={schedule}
                  isSelected={schedule.id === selection}
                  onSelect={() => select(schedule.id)}
                />
              ))}
            </ul>
            <div className="px-4">
              <More of={pages} />
            </div>
          </>
        }
        entry={
          sel === undefined ? undefined : (
            // A name in the link stays the key, so that the list does not close an open dialog.
            <ScheduleDetail
              key={sel}
              id={sel}
              onChanged={reload}
              onDeleted={() => select(undefined, true)}
            />
          )
        }
      />
      {isCreating && (
        <ScheduleForm
          onSaved={(id) => {
            onForm(false)
            void reload()
            select(id)
          }}
          onClose={() => onForm(false)}
        />
      )}
    </>
  )
}

interface RowProps {
  readonly schedule: Schedule
  readonly isSelected: boolean
  readonly onSelect: () => void
}

function ScheduleRow({ schedule, isSelected, onSelect }: RowProps) {
  const timing = useTimingText(schedule)
  const { id, name, next_at, description } = schedule
  return (
    <Row
      id={id}
      isSelected={isSelected}
      onSelect={onSelect}
      name={name}
      state={<ScheduleState schedule={schedule} />}
      about={description ? `${timing} · ${description}` : timing}
      end={next_at === null ? undefined : <Ago at={next_at} />}
    />
  )
}

function Empty({ kind }: { readonly kind: ScheduleSearch['kind'] | undefined }) {
  const words = useWords()
  return (
    <div className="grid max-w-2xl gap-3 p-4">
      <p className="text-text-2">{words(kind ? 'schedules.empty.wakeups' : 'schedules.empty')}</p>
      {!kind && <Code label="curl" text={curlCommand()} />}
    </div>
  )
}

const curlCommand = (): string =>
  [
    `curl ${location.origin}/v1/schedules \\`,
    '  -H "Authorization: Bearer $STRATA_API_KEY" \\',
    `  --json '{"cron": "0 7 * * 1-5", "input": "Write the digest of {{slot.date}}."}'`,
  ].join('\n')
