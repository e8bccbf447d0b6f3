/** The selected schedule: its next and past slots, what it starts, and where it is defined. */

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fact } from '../approvals/why.tsx'
import { api, ProblemError } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Forbidden, Loading, PollProblem, Problem } from '../kit/notice.tsx'
import { RunLink } from '../run/run-link.tsx'
import { exactTime } from '../text/format.ts'
import { Ago, Code, CopyButton, Plain } from '../text/text.tsx'
import { ScheduleActions } from './actions.tsx'
import { Fires } from './fires.tsx'
import type { Schedule } from './state.ts'
import { NextSlots, ScheduleState, useTimingText } from './when.tsx'

const EVERY_MS = 10_000

const isMissing = (error: unknown): boolean => error instanceof ProblemError && error.status === 404

interface Props {
  readonly id: string
  /** Reads schedules again. */
  readonly onChanged: () => Promise<void>
  readonly onDeleted: () => void
}

export function ScheduleDetail({ id, onChanged, onDeleted }: Props) {
  const words = useWords()
  const mayWrite = useMay('schedules:write')
  const { data, error, refetch } = useQuery({
    queryKey: ['schedules', 'one', id],
    queryFn: () => api.schedules.getWithEtag(id),
    refetchInterval: ({ state }) => !isMissing(state.error) && EVERY_MS,
  })
  const retry = () => void refetch()
  if (isMissing(error))
    return <p className="text-sm text-text-2">{words('schedules.gone', { name: id })}</p>
  if (!data) return error ? <Problem error={error} onRetry={retry} /> : <Loading />
  const { schedule, etag } = data
  return (
    <article aria-label={schedule.name} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PollProblem error={error} hasData onRetry={retry} />
      <div className="flex flex-wrap items-center gap-x-3">
        <h2 className="font-semibold [overflow-wrap:anywhere]">
          <Plain text={schedule.name} />
        </h2>
        <ScheduleState schedule={schedule} />
      </div>
      {schedule.description !== null && (
        <p className="text-sm [overflow-wrap:anywhere]">
          <Plain text={schedule.description} />
        </p>
      )}
      <Pause schedule={schedule} />
      <Source schedule={schedule} />
      {mayWrite ? (
        <ScheduleActions {...{ schedule, etag, onChanged, onDeleted }} />
      ) : (
        <Forbidden scope="schedules:write" />
      )}
      <section aria-label={words('schedules.slots')} className="grid gap-1">
        <h3 className="text-sm font-medium">{words('schedules.slots')}</h3>
        <NextSlots schedule={schedule} />
      </section>
      <Fires id={id} />
      <Facts schedule={schedule} />
    </article>
  )
}

interface ScheduleProps {
  readonly schedule: Schedule
}

/** Says since when and why a schedule is paused, or that its last runs failed. */
function Pause({ schedule: { pause, failures } }: ScheduleProps) {
  const words = useWords()
  if (!pause && failures === 0) return null
  return (
    <div className="grid gap-0.5 rounded-lg bg-waiting-tint px-3 py-2 text-sm text-waiting">
      {!pause && <p>{words('schedules.failures', { n: failures })}</p>}
      {pause && (
        <p>
          {words(`schedules.pause.${pause.reason}`)} <Ago at={pause.at} />
        </p>
      )}
      {pause?.detail && (
        <p className="[overflow-wrap:anywhere]">
          <Plain text={pause.detail} />
        </p>
      )}
    </div>
  )
}

/** Names the file that defines the schedule; only the file can change it. */
function Source({ schedule: { source } }: ScheduleProps) {
  const words = useWords()
  if (!source) return null
  const { key, read_at } = source
  return (
    <p className="rounded-lg bg-subtle px-3 py-2 text-sm [overflow-wrap:anywhere]">
      {words('schedules.source')}{' '}
      <Link
        to="/layers"
        search={{ file: key }}
        className="font-mono text-xs text-accent hover:underline"
      >
        <Plain text={key} />
      </Link>{' '}
      <span className="text-xs text-text-2">
        ({words('schedules.source.read')} <Ago at={read_at} />)
      </span>
    </p>
  )
}

function Facts({ schedule }: ScheduleProps) {
  const words = useWords()
  const timing = useTimingText(schedule)
  const { id, run, overlap, catch_up, jitter_seconds, ends_at, running } = schedule
  const { input, ...settings } = run
  return (
    <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
      <Fact name={words('schedules.when')}>
        <code className="font-mono text-xs">{timing}</code>
      </Fact>
      {running.length > 0 && (
        <Fact name={words('schedules.running')}>
          <ul>
            {running.map(({ run_id, reason }) => (
              <li key={run_id}>
                {reason === null ? (
                  <RunLink run={run_id} text={run_id} />
                ) : (
                  <span className="text-late">{reason}</span>
                )}
              </li>
            ))}
          </ul>
        </Fact>
      )}
      {run.session_id !== undefined && (
        <Fact name={words('webhooks.run.session_id')}>
          <Link
            to="/chat/$session"
            params={{ session: run.session_id }}
            className="font-mono text-xs text-accent hover:underline"
          >
            {run.session_id}
          </Link>
        </Fact>
      )}
      {schedule.created_by_run_id !== null && (
        <Fact name={words('schedules.created_by')}>
          <RunLink run={schedule.created_by_run_id} text={schedule.created_by_run_id} />
        </Fact>
      )}
      <Fact name={words('schedules.input')}>
        <Code text={input} label={words('schedules.input')} />
      </Fact>
      <Fact name={words('schedules.run')}>
        <Code text={JSON.stringify(settings, null, 2)} label={words('schedules.run')} />
      </Fact>
      <Fact name={words('schedules.overlap')}>{words(`schedules.overlap.${overlap}`)}</Fact>
      <Fact name={words('schedules.catch_up')}>{words(`schedules.catch_up.${catch_up}`)}</Fact>
      {jitter_seconds > 0 && (
        <Fact name={words('schedules.jitter')}>
          {words('schedules.seconds', { n: jitter_seconds })}
        </Fact>
      )}
      {ends_at !== null && <Fact name={words('schedules.ends')}>{exactTime(ends_at)}</Fact>}
      <Fact name={words('webhooks.created')}>
        {exactTime(schedule.created_at)} (<Ago at={schedule.created_at} />)
      </Fact>
      <Fact name={words('webhooks.id')}>
        <span className="flex items-center gap-1 font-mono text-xs">
          {id}
          <CopyButton text={id} />
        </span>
      </Fact>
    </dl>
  )
}
