/** Past slots of a schedule: a strip of squares, the count of each outcome, and the reasons. */

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { More, usePages } from '../kit/more.tsx'
import { Loading } from '../kit/notice.tsx'
import { type State, StateIcon } from '../kit/status.tsx'
import { exactTime } from '../text/format.ts'
import { Ago, Plain } from '../text/text.tsx'
import { type Fire, isUnusual, type Outcome, outcomeCounts } from './state.ts'

const EVERY_MS = 10_000
const PAGE = 50

interface Look {
  readonly icon: State | '»' | '!'
  readonly color: string
  readonly frame: string
}

/** Looks of squares; a missed slot has a broken frame, because nothing happened at its time. */
const LOOKS: Readonly<Record<Outcome, Look>> = {
  completed: { icon: 'completed', color: 'text-done', frame: 'border-transparent bg-done-tint' },
  failed: { icon: 'failed', color: 'text-failed', frame: 'border-transparent bg-failed-tint' },
  timed_out: { icon: 'timed_out', color: 'text-late', frame: 'border-transparent bg-late-tint' },
  cancelled: {
    icon: 'cancelled',
    color: 'text-queued',
    frame: 'border-transparent bg-queued-tint',
  },
  started: { icon: 'running', color: 'text-running', frame: 'border-transparent bg-running-tint' },
  waiting: { icon: 'waiting', color: 'text-waiting', frame: 'border-transparent bg-waiting-tint' },
  skipped: { icon: '»', color: 'text-text-2', frame: 'border-control' },
  missed: { icon: '!', color: 'text-late', frame: 'border-dashed border-late' },
}

const lookOf = (outcome: Outcome): string => `${LOOKS[outcome].frame} ${LOOKS[outcome].color}`

export function Fires({ id }: { readonly id: string }) {
  const words = useWords()
  const pages = usePages<Fire>(
    ['schedules', 'fires', id],
    (cursor) => api.schedules.runs(id, { limit: PAGE, cursor }),
    EVERY_MS,
  )
  const fires = pages.items
  const unusual = fires.filter(isUnusual)
  return (
    <section aria-label={words('schedules.fires')} className="grid gap-2">
      <h3 className="text-sm font-medium">{words('schedules.fires')}</h3>
      {pages.isPending && !pages.error && <Loading />}
      {pages.isSuccess && fires.length === 0 && (
        <p className="text-sm text-text-2">{words('schedules.fires.none')}</p>
      )}
      {fires.length > 0 && (
        <>
          <Strip fires={fires} />
          <Counts fires={fires} />
          {unusual.length > 0 && <Reasons fires={unusual} />}
        </>
      )}
      <More of={pages} />
    </section>
  )
}

interface Props {
  readonly fires: readonly Fire[]
}

const keyOf = ({ slot, run_id, outcome }: Fire): string => `${slot} ${run_id ?? outcome}`

/** Squares of the slots, the newest last. */
function Strip({ fires }: Props) {
  const words = useWords()
  return (
    <ul aria-label={words('schedules.strip')} className="flex flex-wrap gap-1">
      {fires.toReversed().map((fire) => (
        <li key={keyOf(fire)}>
          <Square fire={fire} />
        </li>
      ))}
    </ul>
  )
}

const SQUARE = 'flex size-6 items-center justify-center rounded-sm border pointer-coarse:size-8'

function Square({ fire }: { readonly fire: Fire }) {
  const text = useFireText(fire)
  const { outcome, run_id } = fire
  const look = `${SQUARE} ${lookOf(outcome)}`
  if (run_id === null)
    return (
      <span role="img" aria-label={text} title={text} className={look}>
        <Mark outcome={outcome} />
      </span>
    )
  return (
    <Link
      to="/runs/$run"
      params={{ run: run_id }}
      aria-label={text}
      title={text}
      className={`${look} hover:border-control`}
    >
      <Mark outcome={outcome} />
    </Link>
  )
}

function Mark({ outcome }: { readonly outcome: Outcome }): ReactNode {
  const { icon } = LOOKS[outcome]
  if (icon === '»' || icon === '!')
    return (
      <span aria-hidden="true" className="text-xs font-semibold">
        {icon}
      </span>
    )
  return <StateIcon state={icon} size={12} />
}

/** Returns a slot's time and outcome on one line. */
function useFireText(fire: Fire): string {
  const words = useWords()
  const outcome = useOutcomeText()(fire)
  const manual = fire.manual ? ` · ${words('schedules.manual')}` : ''
  return `${exactTime(fire.slot)} · ${outcome}${manual}`
}

function useOutcomeText(): (fire: Fire) => string {
  const words = useWords()
  return ({ outcome, count, more }) => {
    if (outcome !== 'missed' || count <= 1) return words(`schedules.outcome.${outcome}`)
    return words(more ? 'schedules.missed.more' : 'schedules.missed', { n: count })
  }
}

function Counts({ fires }: Props) {
  const words = useWords()
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-text-2">
      {outcomeCounts(fires).map(([outcome, n]) => (
        <li key={outcome} className="flex items-center gap-1.5">
          <span
            className={`flex size-4 items-center justify-center rounded-sm border ${lookOf(outcome)}`}
          >
            <Mark outcome={outcome} />
          </span>
          {words(`schedules.outcome.${outcome}`)} {n}
        </li>
      ))}
    </ul>
  )
}

/** Slots without a completed run, the newest first. */
function Reasons({ fires }: Props) {
  const words = useWords()
  const outcomeText = useOutcomeText()
  return (
    <ul aria-label={words('schedules.reasons')} className="text-sm">
      {fires.map((fire) => (
        <li key={keyOf(fire)} className="grid gap-0.5 border-t border-line py-1.5">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
            <span className={`flex items-center gap-1.5 ${LOOKS[fire.outcome].color}`}>
              <Mark outcome={fire.outcome} />
              <span className="text-xs font-medium">{outcomeText(fire)}</span>
            </span>
            <span className="flex-1 text-xs text-text-2">
              {exactTime(fire.slot)} (<Ago at={fire.slot} />)
            </span>
            {fire.run_id !== null && (
              <Link
                to="/runs/$run"
                params={{ run: fire.run_id }}
                className="text-xs text-accent hover:underline"
              >
                {words('schedules.run.open')}
              </Link>
            )}
          </span>
          {fire.reason !== null && (
            <span className="text-xs [overflow-wrap:anywhere]">
              <Plain text={fire.reason} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
