/** Page of a run: its timeline with all subagents, transcript, events, configuration, and usage. */

import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo, useRef } from 'react'
import { api, ProblemError } from '../data/api.ts'
import { loaded } from '../data/lazy-part.ts'
import { followAgain, type Live, useLive } from '../data/live.ts'
import { useWords, type Word } from '../i18n/words.ts'
import { Loading, Problem } from '../kit/notice.tsx'
import { useKeys } from '../kit/shortcuts.ts'
import { useTitle } from '../kit/title.ts'
import { endsRun } from '../log/shape.ts'
import { timeOfDay } from '../text/format.ts'
import { Configuration } from './configuration.tsx'
import { Events } from './events.tsx'
import { RunHead } from './head.tsx'
import { Inspector } from './inspector.tsx'
import { Raw } from './raw.tsx'
import { TABS, type Tab } from './search.ts'
import { useRunState } from './state.ts'
import { Timeline } from './timeline.tsx'
import { RunTranscript } from './transcript.tsx'
import { UsageTable } from './usage.tsx'

const Compare = lazy(() => loaded(() => import('./compare.tsx')))

const REFRESH_MS = 3_000
/** Tabs that have no room for the selected event beside them. */
const WHOLE_TABS: readonly Tab[] = ['transcript', 'compare']

export default function RunPage() {
  const { run } = useParams({ strict: false })
  return run === undefined ? null : <RunDetails key={run} id={run} />
}

function RunDetails({ id }: { readonly id: string }) {
  const words = useWords()
  const live = useLive(id)
  const { data: run, error } = useQuery({
    queryKey: ['run', id],
    queryFn: () => api.runs.get(id),
    refetchInterval: ({ state }) =>
      isMissing(state.error) || (state.data && endsRun(state.data.status)) ? false : REFRESH_MS,
  })
  const { tab, show, selection, select } = useRunState()
  useTitle(run ? `${run.label ?? run.agent} · ${words('run.title')}` : words('run.title'))
  useKeys({
    ...Object.fromEntries(TABS.map((name, index) => [String(index + 1), () => show(name)])),
    e: selection && (() => show('events')),
    Escape: selection && (() => select(undefined)),
  })
  if (!run || isMissing(error)) return error ? <Failure error={error} /> : <Loading />
  return (
    <div className="relative flex h-full min-h-0 flex-col">
      <RunHead run={run} view={live.tree.runs[id]} />
      <Tabs tab={tab} events={live.events.length} onShow={show} />
      <Connection live={live} id={id} />
      <div className="flex min-h-0 flex-1">
        <div
          role="tabpanel"
          aria-label={words(`run.tab.${tab}`)}
          className="min-h-0 min-w-0 flex-1"
        >
          <Content tab={tab} id={id} live={live} run={run} />
        </div>
        {selection && !WHOLE_TABS.includes(tab) && (
          <Inspector selection={selection} events={live.events} onClose={() => select(undefined)} />
        )}
      </div>
    </div>
  )
}

/** Whether the run does not exist, or was deleted while the page was open. */
const isMissing = (error: unknown): boolean =>
  error instanceof ProblemError && (error.status === 404 || error.status === 410)

interface ContentProps {
  readonly tab: Tab
  readonly id: string
  readonly live: Live
  readonly run: Awaited<ReturnType<typeof api.runs.get>>
}

function Content({ tab, id, live, run }: ContentProps) {
  switch (tab) {
    case 'transcript':
      return <RunTranscript id={id} tree={live.tree} />
    case 'events':
      return <Events events={live.events} root={id} />
    case 'given':
      return <Configuration id={id} />
    case 'usage':
      return <UsageTable id={id} tree={live.tree} events={live.events} />
    case 'compare':
      return (
        <Suspense fallback={<Loading />}>
          <Compare run={run} live={live} />
        </Suspense>
      )
    case 'raw':
      return <Raw run={run} />
    default:
      return <Timeline id={id} events={live.events} isOver={endsRun(run.status)} />
  }
}

interface TabsProps {
  readonly tab: Tab
  /** Number of events that have arrived. */
  readonly events: number
  readonly onShow: (tab: Tab) => void
}

function Tabs({ tab, events, onShow }: TabsProps) {
  const words = useWords()
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a tab that is chosen by key is shown.
  useEffect(() => {
    const selectedTab = list.current?.querySelector('[aria-selected=true]')
    selectedTab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [tab])
  const names = useMemo(() => TABS.map((name) => [name, `run.tab.${name}` as Word] as const), [])
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={words('run.tabs')}
      className="flex gap-1 overflow-x-auto border-b border-line px-4 sm:px-6"
    >
      {names.map(([name, word], index) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={name === tab}
          title={`${words(word)} (${index + 1})`}
          onClick={() => onShow(name)}
          className={`-mb-px min-h-9 border-b-2 px-2 text-sm whitespace-nowrap pointer-coarse:min-h-11 ${
            name === tab
              ? 'border-accent font-medium text-text'
              : 'border-transparent text-text-2 hover:text-text'
          }`}
        >
          {words(word)}
          {name === 'events' && events > 0 && <span className="pl-1 text-text-3">{events}</span>}
        </button>
      ))}
    </div>
  )
}

/** Shows a lost connection, or the reason why the page stopped following the run. */
function Connection({ live, id }: { readonly live: Live; readonly id: string }) {
  const words = useWords()
  if (live.lostAt !== undefined) {
    return (
      <p role="status" className="bg-late-tint px-4 py-1.5 text-xs text-late sm:px-6">
        {words('error.offline.since', { time: timeOfDay(live.lostAt) })}
      </p>
    )
  }
  if (live.error === undefined) return null
  return (
    <div className="px-4 pt-3 sm:px-6">
      <Problem error={live.error} onRetry={() => followAgain(id)} />
    </div>
  )
}

function Failure({ error }: { readonly error: unknown }) {
  return (
    <div className="mx-auto w-full max-w-3xl p-6">
      <Problem error={error} />
    </div>
  )
}
