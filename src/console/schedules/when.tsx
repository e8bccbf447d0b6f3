/** When a schedule is due: its timing in words, its state, and its next slots in two zones. */

import { useQuery } from '@tanstack/react-query'
import { api, type Schemas } from '../data/api.ts'
import { useLanguage, useWords } from '../i18n/words.ts'
import { Loading, Problem } from '../kit/notice.tsx'
import { type State, Status } from '../kit/status.tsx'
import { exactTime } from '../text/format.ts'
import { Plain } from '../text/text.tsx'
import { intervalText, type Schedule, shortCron } from './state.ts'

/** Returns the timing on one line, such as `0 7 * * 1-5 Europe/Berlin`. */
export function useTimingText({ cron, timezone, at, every_seconds }: Schedule): string {
  const words = useWords()
  if (cron !== null) return `${shortCron(cron)} · ${timezone ?? 'UTC'}`
  if (at !== null) return words('schedules.once', { time: exactTime(at) })
  return words('schedules.every', { interval: intervalText(every_seconds ?? 0) })
}

const STATES = {
  ...({ active: 'completed', failing: 'failed' } as const),
  ...({ paused: 'waiting', ended: 'cancelled' } as const),
} as const satisfies Record<string, State>

export function ScheduleState({ schedule }: { readonly schedule: Schedule }) {
  const words = useWords()
  const { status, failures } = schedule
  const state = status === 'active' && failures > 0 ? 'failing' : status
  return <Status state={STATES[state]} text={words(`schedules.status.${state}`)} />
}

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

interface Slot {
  readonly at: string
  /** The same time in the zone of the schedule, with its offset; absent without such a zone. */
  readonly local?: string | undefined
}

const FORMAT = {
  ...({ weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' } as const),
  ...({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const),
}

interface SlotsProps {
  readonly slots: readonly Slot[]
  /** Zone of the schedule; null if its timing has none. */
  readonly zone: string | null
}

/** Table of slots. The server computes the times in the zone of the schedule. */
export function Slots({ slots, zone }: SlotsProps) {
  const words = useWords()
  const language = useLanguage()
  const ownZone = browserZone()
  const hasZone = zone !== null && zone !== ownZone
  const inBrowser = new Intl.DateTimeFormat(language, { ...FORMAT, timeZoneName: 'short' })
  // The text has the digits of a clock in the zone; no zone of the browser may move them.
  const onClock = new Intl.DateTimeFormat(language, { ...FORMAT, timeZone: 'UTC' })
  return (
    <table className="w-full text-left text-sm tabular-nums">
      <thead className="text-xs text-text-2">
        <tr>
          {hasZone && <th className="py-1 pr-4 font-medium">{zone}</th>}
          <th className="py-1 font-medium">{words('schedules.zone.browser', { zone: ownZone })}</th>
        </tr>
      </thead>
      <tbody>
        {slots.map(({ at, local }) => (
          <tr key={at} className="border-t border-line">
            {hasZone && (
              <td className="py-1 pr-4">
                {local && (
                  <time dateTime={local}>
                    {onClock.format(new Date(`${local.slice(0, 19)}Z`))}{' '}
                    <span className="text-xs text-text-2">{local.slice(19)}</span>
                  </time>
                )}
              </td>
            )}
            <td className="py-1">
              <time dateTime={at}>{inBrowser.format(new Date(at))}</time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function Findings({ of }: { readonly of: Schemas['SchedulePreview']['findings'] }) {
  if (of.length === 0) return null
  return (
    <ul className="grid gap-1 text-xs text-late">
      {of.map(({ code, message, at }) => (
        <li key={`${code} ${at}`} className="[overflow-wrap:anywhere]">
          <Plain text={message} />
        </li>
      ))}
    </ul>
  )
}

const MOST_SLOTS = 5

/** The next slots of a stored schedule. */
export function NextSlots({ schedule }: { readonly schedule: Schedule }) {
  const words = useWords()
  const { status, cron, timezone, ends_at, upcoming } = schedule
  // Slots of a cron expression depend on no creation time, so the preview has the same slots.
  const { data, error } = useQuery({
    queryKey: ['schedules', 'slots', cron, timezone, ends_at, upcoming[0]],
    queryFn: () => api.schedules.preview({ cron, timezone, ends_at, count: MOST_SLOTS }),
    enabled: cron !== null && upcoming.length > 0,
  })
  if (upcoming.length === 0) {
    const word = status === 'active' ? 'schedules.slots.none' : `schedules.slots.${status}`
    return <p className="text-sm text-text-2">{words(word as 'schedules.slots.none')}</p>
  }
  if (cron !== null && !data) return error ? <Problem error={error} /> : <Loading />
  const locals = new Map(data?.upcoming.map(({ at, local }) => [at, local]))
  const slots = upcoming.slice(0, MOST_SLOTS).map((at) => ({ at, local: locals.get(at) }))
  return (
    <>
      <Slots slots={slots} zone={timezone} />
      {data && <Findings of={data.findings.filter(({ code }) => code !== 'ends')} />}
    </>
  )
}
