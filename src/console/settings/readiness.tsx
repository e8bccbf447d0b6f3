/** Readiness of the deployment: whether storage responds, and whether the clock wakes runs. */

import { useQuery } from '@tanstack/react-query'
import { Fact } from '../approvals/why.tsx'
import { api } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Loading, Problem } from '../kit/notice.tsx'
import { Status } from '../kit/status.tsx'
import { duration } from '../text/format.ts'

const EVERY_MS = 10_000
/** The clock ticks once a minute; later, runs that wait for it are late. */
const LATE_SECONDS = 120

export function Readiness() {
  const words = useWords()
  const { data, error, refetch } = useQuery({
    queryKey: ['readiness'],
    queryFn: () => api.health.ready(),
    refetchInterval: EVERY_MS,
  })
  // A failed check is the answer, also if an earlier one succeeded.
  if (error) return <Problem error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const { ticked_seconds_ago: ticked, oldest_due_seconds: due } = data.clock
  const isLate = ticked === null || ticked > LATE_SECONDS || (due ?? 0) > LATE_SECONDS
  return (
    <>
      <p className="max-w-3xl text-sm text-text-2">{words('settings.readiness.hint')}</p>
      <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
        <Fact name={words('settings.storage')}>
          <Status state="completed" text={words('settings.storage.ready')} />
        </Fact>
        <Fact name={words('settings.clock')}>
          <Status
            state={isLate ? 'timed_out' : 'completed'}
            text={words(isLate ? 'settings.clock.late' : 'settings.clock.ticks')}
          />
        </Fact>
        <Fact name={words('settings.clock.last')}>
          {ticked === null
            ? words('settings.clock.never')
            : words('settings.ago', { time: duration(ticked * 1_000) })}
        </Fact>
        {due !== null && (
          <Fact name={words('settings.clock.due')}>
            {due === 0 ? words('none') : duration(due * 1_000)}
          </Fact>
        )}
      </dl>
      {isLate && <p className="max-w-3xl text-sm text-late">{words('settings.clock.hint')}</p>}
    </>
  )
}
