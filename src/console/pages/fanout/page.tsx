/** A fan-out: a field for each task that fills as they end, and their results side by side. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Schemas } from '../../app/api.ts'
import { useMay } from '../../app/session.ts'
import { useTitle } from '../../app/title.ts'
import { useWords } from '../../app/words.ts'
import { Status } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { amount, Prose } from '../../ui/text.tsx'
import { Matrix } from './matrix.tsx'
import { Progress } from './progress.tsx'
import { useTasks } from './tasks.ts'

type Task = Schemas['TaskResult']
const EVERY_MS = 2_000

/** So many results are drawn at once: each may be a page of Markdown. */
const RESULTS = 30

export default function FanoutPage() {
  const { fanout: id = '' } = useParams({ strict: false })
  return <One key={id} id={id} />
}

function One({ id }: { readonly id: string }) {
  const words = useWords()
  const cache = useQueryClient()
  const may = useMay('runs:write')
  const found = useQuery({
    queryKey: ['fanouts', id],
    queryFn: () => api.fanouts.get(id),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? EVERY_MS : false),
  })
  const isLive = found.data?.status === 'running'
  const tasks = useTasks(id, isLive)
  const cancel = useMutation({
    mutationFn: () => api.fanouts.cancel(id, {}),
    onSettled: () => cache.invalidateQueries({ queryKey: ['fanouts', id] }),
  })
  const fanout = found.data
  useTitle(fanout?.label ? `${fanout.label} · ${words('fanout.title')}` : undefined)
  if (!fanout) {
    return (
      <Page title={words('fanout.title')}>
        {found.isPending ? (
          <Loading />
        ) : (
          <Problem error={found.error} onRetry={() => void found.refetch()} />
        )}
      </Page>
    )
  }
  const { children } = fanout
  return (
    <Page
      wide
      title={
        <span className="flex items-center gap-3">
          <Status status={fanout.status} />
          <span className="truncate">{fanout.label ?? words('fanout.title')}</span>
        </span>
      }
      actions={
        may &&
        isLive && (
          <Button look="danger" icon="stop" busy={cancel.isPending} onClick={() => cancel.mutate()}>
            {words('run.cancel')}
          </Button>
        )
      }
    >
      <Problem error={cancel.error} />
      <Card
        title={words('fanout.progress', {
          n: amount(children.total - children.queued - children.live),
          total: amount(children.total),
        })}
      >
        <div className="mb-3">
          <Progress counts={children} />
        </div>
        <Matrix tasks={tasks.items} />
        <div className="mt-3 flex flex-wrap items-center gap-3 text-xs text-muted">
          <span role="status">
            {words('fanout.loaded', {
              n: amount(tasks.items.length),
              total: amount(children.total),
            })}
          </span>
          {tasks.hasMore && <Button onClick={tasks.onMore}>{words('fanout.more')}</Button>}
        </div>
        <Problem error={tasks.error} onRetry={tasks.onRetry} />
        {fanout.error && <p className="mt-3 text-sm text-bad">{fanout.error.message}</p>}
      </Card>
      {fanout.output && (
        <Card title={words('run.output')}>
          <Prose text={fanout.output.text} />
        </Card>
      )}
      <Results tasks={tasks.items} />
    </Page>
  )
}

function Results({ tasks }: { readonly tasks: readonly Task[] }) {
  const words = useWords()
  const [only, setOnly] = useState(false)
  const [most, setMost] = useState(RESULTS)
  const all = tasks.filter(({ status }) => !only || status !== 'completed')
  const shown = all.slice(0, most)
  return (
    <>
      <div className="mb-3 flex items-center justify-between gap-3">
        <h2 className="text-sm font-semibold">{words('fanout.results')}</h2>
        <Button aria-pressed={only} onClick={() => setOnly(!only)}>
          {words('fanout.failed')}
        </Button>
      </div>
      <ul aria-label={words('fanout.results')} className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {shown.map(({ index, run_id, status, label, task, result, error }) => (
          <li
            key={index}
            className="grid max-h-80 content-start gap-2 overflow-y-auto rounded-xl border border-line bg-surface p-3 text-sm"
          >
            <span className="flex items-center gap-2">
              <Status status={status === 'live' ? 'running' : status} />
              {run_id !== null && (
                <Link
                  to="/runs/$run"
                  params={{ run: run_id }}
                  className="truncate text-accent underline"
                >
                  {label ?? `${index + 1}`}
                </Link>
              )}
            </span>
            <p className="line-clamp-2 text-xs text-muted">{task}</p>
            {error && <p className="text-bad [overflow-wrap:anywhere]">{error.message}</p>}
            {result !== null && <Prose text={result} />}
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className="text-sm text-muted">{words('fanout.none')}</p>}
      {shown.length < all.length && (
        <div className="py-3">
          <Button onClick={() => setMost(most + RESULTS)}>
            {words('fanout.results.more')} ({amount(all.length - shown.length)})
          </Button>
        </div>
      )}
    </>
  )
}
