/** Comparison of a run with another: settings, prompt, tools, layers, and steps. */

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { api, ProblemError, refetchOffline, type Schemas } from '../data/api.ts'
import { followAgain, type Live, useLive } from '../data/live.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Loading, Problem } from '../kit/notice.tsx'
import { Status } from '../kit/status.tsx'
import { compareRuns } from '../log/compare.ts'
import { endsRun, type RunView } from '../log/shape.ts'
import { amount, dollars, duration } from '../text/format.ts'
import { Plain } from '../text/text.tsx'
import { ChooseRun } from './compare-choose.tsx'
import { GivenDiff } from './compare-given.tsx'
import { StepsDiff, Summary } from './compare-steps.tsx'
import { RunLink } from './run-link.tsx'
import { targetOf } from './search.ts'
import { useRunState } from './state.ts'

type Run = Schemas['Run']

interface Props {
  readonly run: Run
  readonly live: Live
}

export default function Compare({ run, live }: Props) {
  const words = useWords()
  const { other } = useRunState()
  const target = targetOf(other, run.id)
  return (
    <div data-compare="" className="h-full overflow-y-auto">
      <div className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] gap-6 px-4 py-4 sm:px-6">
        {target.kind === 'run' ? (
          <WithOther key={target.id} {...{ run, live }} id={target.id} />
        ) : (
          <>
            {target.kind === 'same' && <Notice text={words('compare.same')} />}
            {target.kind === 'invalid' && (
              <Notice text={words('compare.invalid', { text: target.text.slice(0, 80) })} />
            )}
            <ChooseRun run={run} />
          </>
        )}
      </div>
    </div>
  )
}

function Notice({ text }: { readonly text: string }) {
  return (
    <p
      role="alert"
      className="rounded-lg bg-failed-tint px-3 py-2 text-sm text-failed [overflow-wrap:anywhere]"
    >
      <Plain text={text} />
    </p>
  )
}

const REFRESH_MS = 3_000

function WithOther({ run, live, id }: Props & { readonly id: string }) {
  const words = useWords()
  const { data, error, refetch } = useQuery({
    queryKey: ['run', id],
    queryFn: () => api.runs.get(id),
    refetchInterval: (query) =>
      query.state.data && !endsRun(query.state.data.status) ? REFRESH_MS : refetchOffline(query),
  })
  const isGone = error instanceof ProblemError && [404, 410].includes(error.status)
  if (isGone || (error && !data)) {
    return (
      <>
        <Problem error={error} onRetry={isGone ? undefined : () => void refetch()} />
        {isGone && <p className="text-sm text-text-2">{words('compare.gone')}</p>}
        <ChooseRun run={run} />
      </>
    )
  }
  if (!data) return <Loading />
  return <BothRuns left={run} right={data} live={live} />
}

interface BothProps {
  readonly left: Run
  readonly right: Run
  readonly live: Live
}

function BothRuns({ left, right, live }: BothProps) {
  const words = useWords()
  const otherLive = useLive(right.id)
  const [leftView, rightView] = [live.tree.runs[left.id], otherLive.tree.runs[right.id]]
  const comparison = useMemo(
    () => leftView && rightView && compareRuns(leftView, rightView),
    [leftView, rightView],
  )
  const isRead = isComplete(left, leftView) && isComplete(right, rightView)
  const isLive = !endsRun(left.status) || !endsRun(right.status)
  return (
    <>
      <section className="grid gap-2" aria-label={words('run.tab.compare')}>
        <Sides left={left} right={right} />
        {isLive && (
          <p role="status" className="text-sm text-text-2">
            {words('compare.live')}
          </p>
        )}
        {comparison && isRead && <Summary comparison={comparison} />}
      </section>
      <GivenDiff left={left} right={right} />
      <Problem error={otherLive.error} onRetry={() => followAgain(right.id)} />
      {comparison && isRead ? (
        <StepsDiff comparison={comparison} left={left.id} right={right.id} />
      ) : (
        !otherLive.error && !live.error && <Loading />
      )}
    </>
  )
}

/** Whether all steps that the run has according to the server have arrived. */
const isComplete = (run: Run, view: RunView | undefined): boolean =>
  view !== undefined && view.steps >= run.steps && (!endsRun(run.status) || endsRun(view.status))

function Sides({ left, right }: Pick<BothProps, 'left' | 'right'>) {
  const words = useWords()
  const { compareWith } = useRunState()
  return (
    <>
      <div className="grid gap-2 min-[900px]:grid-cols-2">
        <Side run={left} title={words('compare.left')} sign="−" look="bg-removed" />
        <Side run={right} title={words('compare.right')} sign="+" look="bg-added" />
      </div>
      <div className="flex flex-wrap gap-2">
        <Link
          to="/runs/$run"
          params={{ run: right.id }}
          search={{ tab: 'compare', with: left.id }}
          className="inline-flex min-h-7 items-center rounded-md border border-line bg-raised px-2.5 text-sm font-medium hover:bg-sunken pointer-coarse:min-h-11"
        >
          {words('compare.swap')}
        </Link>
        <Button onClick={() => compareWith(undefined)}>{words('compare.choose.other')}</Button>
      </div>
    </>
  )
}

interface SideProps {
  readonly run: Run
  readonly title: string
  readonly sign: string
  readonly look: string
}

/** Shows a run in one line, with the sign and color of its lines in the differences. */
function Side({ run, title, sign, look }: SideProps) {
  const words = useWords()
  const { started_at, ended_at, usage, steps, cost, stop_reason, label, agent, input } = run
  const ms = started_at && ended_at ? Date.parse(ended_at) - Date.parse(started_at) : undefined
  const tokens = usage.input_tokens + usage.output_tokens
  return (
    <div className="flex min-w-0 gap-3 rounded-lg border border-line p-3">
      <span
        aria-hidden="true"
        className={`flex size-6 shrink-0 items-center justify-center rounded font-mono ${look}`}
      >
        {sign}
      </span>
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="flex min-w-0 items-baseline gap-2 text-sm">
          <span className="shrink-0 text-xs text-text-2">{title}</span>
          <span className="min-w-0 truncate font-medium" title={input}>
            <RunLink run={run.id} text={label ?? agent} />{' '}
            <span className="font-normal text-text-2">
              <Plain text={input} />
            </span>
          </span>
        </p>
        <p className="flex flex-wrap items-center gap-x-3 text-xs text-text-2">
          <Status state={run.status} />
          {stop_reason !== null && stop_reason !== 'end_turn' && <span>{stop_reason}</span>}
          <span>{words('chat.steps', { n: steps })}</span>
          {ms !== undefined && <span>{duration(ms)}</span>}
          {tokens > 0 && <span>{words('chat.tokens', { n: amount(tokens) })}</span>}
          {cost !== null && <span>{dollars(cost)}</span>}
        </p>
        {run.error && (
          <p className="text-xs text-failed [overflow-wrap:anywhere]">
            <Plain text={run.error.message} />
          </p>
        )}
      </div>
    </div>
  )
}
