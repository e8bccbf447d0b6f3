/** Page of the effective configuration: what a run with the chosen layers gets, from where, and why. */

import { Link } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Forbidden, Loading, PollProblem, Problem } from '../kit/notice.tsx'
import { OfflineLine } from '../kit/offline-line.tsx'
import { useKeys } from '../kit/shortcuts.ts'
import { useTitle } from '../kit/title.ts'
import { moved } from '../runs/marks.ts'
import { CopyButton, Inline, Plain } from '../text/text.tsx'
import { ChoiceFields } from './choice.tsx'
import { CompareButton, Comparison } from './compare.tsx'
import { Detail } from './detail.tsx'
import { type Entries, entriesOf, matching } from './entries.ts'
import { Find } from './find.tsx'
import { Rows, rowId, Tabs } from './list.tsx'
import { Reload } from './reload.tsx'
import { ScheduleActions } from './schedule.tsx'
import { ServerActions } from './server.tsx'
import { TABS, type Tab } from './state.ts'
import { LastSwitch, Switch, useSwitches } from './switch.tsx'
import { useAddress, useConfiguration } from './use-effective.ts'

type Address = ReturnType<typeof useAddress>

export default function Effective() {
  const words = useWords()
  const may = useMay('layers:read')
  useTitle(words('effective.title'))
  if (may) return <Configuration />
  return (
    <div className="grid gap-3 p-4">
      <h1 className="text-xl font-semibold">{words('effective.title')}</h1>
      <Forbidden scope="layers:read" />
    </div>
  )
}

function Configuration() {
  const words = useWords()
  const address = useAddress()
  const { search, choice, change } = address
  const { cmp, q = '' } = search
  const { resolved, tools, isStale, error, retry } = useConfiguration(choice)
  const all = useMemo(
    () => (resolved && tools ? entriesOf(resolved, tools) : undefined),
    [resolved, tools],
  )
  const endComparison = (): void => change({ cmp: '' })
  useKeys({
    ...Object.fromEntries(
      TABS.map((tab, index) => {
        const show = () => change({ kind: tab, name: '', cmp: '' })
        return [String(index + 1), show]
      }),
    ),
    Escape: cmp === undefined ? undefined : endComparison,
  })
  // The detail covers narrow pages.
  const isOpen = search.name !== undefined && cmp === undefined && all !== undefined
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header
        className={`flex flex-wrap items-center gap-x-4 gap-y-2 px-4 pt-2 ${cmp === undefined ? '' : 'pb-2'}`}
      >
        <h1 className="sr-only font-semibold lg:not-sr-only">{words('effective.title')}</h1>
        <div className={isOpen ? 'hidden md:contents' : 'contents'}>
          <ChoiceFields choice={choice} onChange={(changes) => change({ ...changes, name: '' })} />
          <CompareButton cmp={cmp} onCompare={(side) => change({ cmp: side, name: '' })} />
          {resolved && <Layers {...{ resolved, isStale }} />}
          <Link
            to="/layers"
            className="inline-flex items-center text-sm text-accent hover:underline pointer-coarse:min-h-11"
          >
            {words('effective.files')}
          </Link>
        </div>
      </header>
      {cmp === undefined ? (
        <Content {...{ all, q, isOpen, address, error, retry }} layers={resolved?.layers ?? []} />
      ) : (
        <>
          <OfflineLine />
          <Comparison {...{ choice, search, cmp }} onClose={endComparison} />
        </>
      )}
    </div>
  )
}

interface Props {
  readonly all: Entries | undefined
  readonly q: string
  readonly isOpen: boolean
  readonly address: Address
  readonly layers: readonly { readonly layer: string }[]
  readonly error: Error | null
  readonly retry: () => void
}

/** Tabs, filter, and entries of the chosen layers. */
function Content({ all, q, isOpen, address, layers, error, retry }: Props) {
  const words = useWords()
  const { search, change } = address
  const entries = useMemo(() => all && filtered(all, q), [all, q])
  const tab: Tab = search.kind ?? 'agents'
  return (
    <>
      <div
        className={`flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 md:flex-nowrap ${isOpen ? 'hidden md:flex' : 'flex'}`}
      >
        <Tabs {...{ tab, search, entries }} />
        <div className="flex w-full flex-1 items-center justify-end gap-4 pb-1.5 md:w-auto md:pb-0">
          <p className="hidden text-xs whitespace-nowrap text-text-3 2xl:block pointer-coarse:hidden">
            <Inline text={words('effective.shortcuts')} />
          </p>
          <Find text={q} onChange={(text, isTyping) => change({ q: text }, isTyping)} />
        </div>
      </div>
      <OfflineLine />
      <div className={error ? 'p-4 empty:hidden' : 'hidden'}>
        <PollProblem error={error} hasData={all !== undefined} onRetry={retry} />
      </div>
      {!entries && !error && <Loading />}
      {entries && all && (
        <TabContent
          key={tab}
          {...{ tab, entries, all, address }}
          layers={layers.map(({ layer }) => layer)}
        />
      )}
    </>
  )
}

const filtered = (entries: Entries, text: string): Entries =>
  Object.fromEntries(TABS.map((tab) => [tab, matching(entries[tab], text)])) as Entries

interface LayersProps {
  readonly resolved: NonNullable<ReturnType<typeof useConfiguration>['resolved']>
  readonly isStale: boolean
}

function Layers({ resolved: { layers, digest }, isStale }: LayersProps) {
  const words = useWords()
  return (
    <div
      className={`flex min-w-0 flex-wrap items-center gap-x-3 font-mono text-xs text-text-2 ${isStale ? 'opacity-50' : ''}`}
    >
      <span title={words('effective.layers')} className="[overflow-wrap:anywhere]">
        <span className="sr-only">{words('effective.layers')} </span>
        <Plain text={layers.map(({ layer }) => layer).join(' › ')} />
      </span>
      <span className="inline-flex items-center gap-1" title={digest}>
        {words('effective.digest', { digest: digest.slice(0, 8) })}
        <CopyButton text={digest} />
      </span>
      <Reload />
    </div>
  )
}

interface ContentProps {
  readonly tab: Tab
  readonly entries: Entries
  /** Entries without the filter. */
  readonly all: Entries
  readonly address: Address
  readonly layers: readonly string[]
}

function TabContent({ tab, entries, all, address, layers }: ContentProps) {
  const words = useWords()
  const { search, change } = address
  const switches = useSwitches(tab, layers)
  const [focused, setFocused] = useState<string>()
  const rows = entries[tab]
  const { name } = search
  // The filter hides rows, but not the entry that is open.
  const entry = all[tab].find(({ id }) => id === name)
  const isOpen = name !== undefined
  const current = name ?? focused
  const ids = rows.map(({ id }) => id)
  const move = (step: 1 | -1): void => {
    const next = moved(ids, current, step)
    setFocused(next)
    if (isOpen && next !== undefined) change({ name: next }, true)
  }
  const close = (): void => {
    setFocused(name)
    change({ name: '' })
  }
  useKeys({ j: () => move(1), k: () => move(-1), Escape: isOpen ? close : undefined })
  useEffect(() => {
    if (focused === undefined) return
    const row = document.getElementById(rowId(focused))
    row?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
  }, [focused])
  const label = words(`effective.tab.${tab}`)
  return (
    <div className="flex min-h-0 flex-1">
      <div
        className={`min-h-0 min-w-0 flex-1 flex-col md:flex ${isOpen ? 'hidden md:max-w-md md:border-r md:border-line' : 'flex'}`}
      >
        <div className="min-h-0 flex-1 overflow-y-auto">
          <div className="p-4 empty:hidden">
            <Problem error={switches.error} />
          </div>
          {rows.length === 0 && <Empty {...{ tab, isFiltered: all[tab].length > 0 }} />}
          <Rows
            {...{ entries: rows, label, current }}
            isNarrow={isOpen}
            control={
              switches.isOffered ? (row) => <Switch entry={row} switches={switches} /> : undefined
            }
            onOpen={(id) => {
              setFocused(id)
              change({ name: id }, isOpen)
            }}
          />
          {tab === 'tools' && (
            <p className="px-4 py-3 text-xs text-text-3">{words('effective.tools.hint')}</p>
          )}
        </div>
        <LastSwitch
          last={switches.last}
          entry={all[tab].find((row) => row.name === switches.last?.name)}
        />
      </div>
      {isOpen && (
        <section
          aria-label={words('effective.entry')}
          className="min-h-0 min-w-0 flex-1 overflow-y-auto"
        >
          {entry ? (
            <Detail
              key={entry.id}
              entry={entry}
              onClose={close}
              onFollow={(target) => change({ kind: target.tab, name: target.name })}
              actions={
                tab === 'servers' ? (
                  <ServerActions entry={entry} />
                ) : tab === 'schedules' ? (
                  <ScheduleActions name={entry.name} choice={address.choice} />
                ) : undefined
              }
            />
          ) : (
            <Absent name={name} onClose={close} />
          )}
        </section>
      )}
    </div>
  )
}

function Absent({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const words = useWords()
  return (
    <div className="grid justify-items-start gap-3 p-4">
      <p className="text-sm text-text-2 [overflow-wrap:anywhere]">
        <Plain text={words('effective.gone', { name })} />
      </p>
      <Button onClick={onClose}>{words('close')}</Button>
    </div>
  )
}

function Empty({ tab, isFiltered }: { readonly tab: Tab; readonly isFiltered: boolean }) {
  const words = useWords()
  return (
    <p className="p-4 text-text-2">
      <Inline text={words(isFiltered ? 'effective.filter.none' : `effective.empty.${tab}`)} />
    </p>
  )
}
