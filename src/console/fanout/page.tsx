/** Page of a fan-out: its progress, budget, and deadline, a square for each task, and the tasks. */

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { api, type Schemas } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Forbidden, Loading, PollProblem, Problem } from '../kit/notice.tsx'
import { OfflineLine } from '../kit/offline-line.tsx'
import { useKeys } from '../kit/shortcuts.ts'
import { Status } from '../kit/status.tsx'
import { useTitle } from '../kit/title.ts'
import { RunLink } from '../run/run-link.tsx'
import { dollars, duration } from '../text/format.ts'
import { Plain } from '../text/text.tsx'
import { Since } from '../transcript/elapsed-time.tsx'
import { Actions } from './actions.tsx'
import { Compare, MarkedTasks } from './compare.tsx'
import { TaskList } from './list.tsx'
import { FanoutLog } from './log.tsx'
import { Matrix } from './matrix.tsx'
import { Budget, Deadline, Progress } from './progress.tsx'
import { endedOf, type FanoutSearch, fanoutSearch, marksIn, withTaskMark } from './state.ts'
import { useTasks } from './tasks.ts'

const EVERY_MS = 3_000
/** Tasks that a warning names; of more it has the number. */
const MAX_TASKS = 8

/** Changed members of the address; undefined removes a member. */
type Changes = { readonly [M in keyof FanoutSearch]?: FanoutSearch[M] | undefined }

export default function FanoutPage() {
  const { fanout } = useParams({ strict: false })
  const may = useMay('runs:read')
  if (fanout === undefined) return null
  if (may) return <FanoutDetails key={fanout} id={fanout} />
  return (
    <div className="p-4">
      <Forbidden scope="runs:read" />
    </div>
  )
}

function FanoutDetails({ id }: { readonly id: string }) {
  const words = useWords()
  const navigate = useNavigate({ from: '/fanouts/$fanout' })
  // The router also passes parameters that the route has dropped.
  const search = fanoutSearch(useSearch({ strict: false }))
  const { status, sel, marked, view } = search
  const marks = useMemo(() => marksIn(marked), [marked])
  const query = useQuery({
    queryKey: ['fanouts', id],
    queryFn: () => api.fanouts.get(id),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? EVERY_MS : false),
  })
  const fanout = query.data
  const isLive = fanout?.status === 'running'
  const tasks = useTasks(id, isLive)
  const change = ({ ...changed }: Changes): void => {
    const next = Object.entries({ ...search, ...changed }).filter(
      ([, value]) => value !== undefined,
    )
    void navigate({ to: '.', replace: true, search: fanoutSearch(Object.fromEntries(next)) })
  }
  const mark = (index: number): void => change({ marked: withTaskMark(marked, index) })
  const compare = (): void => change({ view: view === 'compare' ? undefined : 'compare' })
  useKeys({
    x: sel === undefined ? undefined : () => mark(sel),
    v: marks.length > 1 || view === 'compare' ? compare : undefined,
  })
  useTitle(`${fanout?.label ?? words('fanouts.one')} · ${words('fanouts.title')}`)
  if (!fanout) {
    return query.error ? (
      <div className="mx-auto w-full max-w-3xl p-6">
        <Problem error={query.error} onRetry={() => void query.refetch()} />
      </div>
    ) : (
      <Loading />
    )
  }
  const { children } = fanout
  return (
    <div className="h-full overflow-y-auto">
      <OfflineLine />
      <Head fanout={fanout} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 px-4 pb-6 sm:px-6">
        <PollProblem error={query.error} hasData />
        <Bars fanout={fanout} />
        {fanout.output && (
          <section className="grid gap-1">
            <h2 className="font-semibold">{words('fanouts.output')}</h2>
            <p className="line-clamp-6 text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
              <Plain text={fanout.output.text} />
            </p>
          </section>
        )}
        <section className="grid gap-2">
          {tasks.isPending ? (
            <Loading />
          ) : (
            <Matrix
              tasks={tasks.items}
              selection={sel}
              marks={marks}
              onSelect={(index) => change({ sel: index })}
            />
          )}
          <PollProblem error={tasks.error} hasData={tasks.hasData} onRetry={tasks.reload} />
          {tasks.items.length < children.total && (
            <p className="flex items-center gap-3 text-xs text-text-2">
              <span role="status">
                {words('fanouts.loaded', { n: tasks.items.length, of: children.total })}
              </span>
              {tasks.hasMore && <Button onClick={tasks.loadMore}>{words('fanouts.load')}</Button>}
            </p>
          )}
        </section>
        <MarkedTasks
          count={marks.length}
          isComparing={view === 'compare'}
          onCompare={compare}
          onUnmark={() => change({ marked: undefined, view: undefined })}
        />
        {view === 'compare' && marks.length > 1 ? (
          <Compare marks={marks} tasks={tasks.items} />
        ) : (
          <TaskList
            {...{ id, isLive, counts: children, status, marks, onMark: mark }}
            onStatus={(next) => change({ status: next })}
          />
        )}
        <FanoutLog id={id} />
      </div>
    </div>
  )
}

interface Props {
  readonly fanout: Schemas['FanoutBase']
}

function Head({ fanout }: Props) {
  const words = useWords()
  const { id, label, status, usage, created_at, ended_at, closing_run_id, error } = fanout
  const { warnings = [] } = fanout
  return (
    <header className="grid grid-cols-[minmax(0,1fr)] gap-1.5 px-4 pt-3 pb-3 sm:px-6">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="flex min-w-0 flex-1 basis-60 items-baseline gap-2 text-lg font-semibold">
          <Link to="/fanouts" className="shrink-0 text-sm font-normal text-accent hover:underline">
            {words('fanouts.back')}
          </Link>
          <span className="truncate">
            <Plain text={label ?? id} />
          </span>
        </h1>
        <Actions fanout={fanout} />
      </div>
      <p className="flex flex-wrap items-center gap-x-3 text-xs text-text-2">
        <Status state={status} />
        {status === 'running' && <Since at={created_at} />}
        {ended_at !== null && (
          <span>{duration(Date.parse(ended_at) - Date.parse(created_at))}</span>
        )}
        <JoinText fanout={fanout} />
        {usage.list_price !== undefined && <span>{dollars(usage.list_price)}</span>}
        {fanout.open && <span>{words('fanouts.open', { n: fanout.pages ?? 0 })}</span>}
        {closing_run_id !== null && (
          <RunLink run={closing_run_id} text={words('fanouts.closing')} />
        )}
        {fanout.parent_fanout_id !== null && (
          <Link
            to="/fanouts/$fanout"
            params={{ fanout: fanout.parent_fanout_id }}
            className="text-accent hover:underline"
          >
            {words('fanouts.parent')}
          </Link>
        )}
      </p>
      {error && (
        <p className="rounded-md bg-failed-tint px-3 py-1.5 text-xs text-failed [overflow-wrap:anywhere]">
          <Plain text={error.message} /> <code className="font-mono">{error.code}</code>
        </p>
      )}
      {warnings.map(({ code, message, hint, tasks }) => (
        <p key={code + message} className="text-xs text-asks [overflow-wrap:anywhere]">
          <Plain text={[message, hint].filter(Boolean).join(' ')} />{' '}
          <span className="font-mono">
            {tasks.length > MAX_TASKS
              ? words('fanouts.tasks.count', { n: tasks.length })
              : tasks.map((index) => `#${index}`).join(' ')}
          </span>
        </p>
      ))}
    </header>
  )
}

function JoinText({ fanout: { join, released_by } }: Props) {
  const words = useWords()
  const { policy } = join
  return (
    <>
      <span>
        {typeof policy === 'string'
          ? words(`fanouts.join.${policy}`)
          : words('fanouts.join.quorum', { n: policy.quorum })}
      </span>
      {(released_by === 'deadline' || released_by === 'budget') && (
        <span className="text-late">{words(`fanouts.released.${released_by}`)}</span>
      )}
    </>
  )
}

function Bars({ fanout }: Props) {
  const words = useWords()
  const { children, budget } = fanout
  const unsuccessful = children.failed + children.timed_out + children.cancelled
  return (
    <section
      aria-label={words('fanouts.progress')}
      className="grid gap-x-8 gap-y-3 md:grid-cols-2 xl:grid-cols-3"
    >
      <div className="grid gap-1 text-xs md:col-span-full">
        <span className="flex flex-wrap justify-between gap-3">
          <span>{words('fanouts.ended', { n: endedOf(children), of: children.total })}</span>
          {unsuccessful > 0 && (
            <span className="text-failed">
              {words('fanouts.unsuccessful', { n: unsuccessful })}
            </span>
          )}
        </span>
        <Progress counts={children} />
      </div>
      {budget && <Budget budget={budget} />}
      <Deadline fanout={fanout} />
    </section>
  )
}
