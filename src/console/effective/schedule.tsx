/** Action of a schedule that a file defines: enabling it in the chosen layers. */

import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, ProblemError } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Forbidden, Problem } from '../kit/notice.tsx'
import { type Choice, inputOf } from './state.ts'

interface Props {
  readonly name: string
  readonly choice: Choice
}

export function ScheduleActions({ name, choice }: Props) {
  const words = useWords()
  const may = useMay('schedules:write')
  const enable = useMutation({
    // A schedule of the same name may exist; it is replaced only on request.
    mutationFn: (isReplacing: boolean) =>
      api.schedules.putSource(name, inputOf(choice), isReplacing ? {} : { ifNoneMatch: '*' }),
  })
  const isTaken = enable.error instanceof ProblemError && enable.error.status === 412
  if (!may) return <Forbidden scope="schedules:write" />
  return (
    <div className="grid justify-items-start gap-2">
      <Button icon="clock" busy={enable.isPending} onClick={() => enable.mutate(false)}>
        {words('effective.schedule')}
      </Button>
      {isTaken ? (
        <div role="alert" className="grid justify-items-start gap-2 text-sm text-asks">
          <p>{words('effective.schedule.exists', { name })}</p>
          <Button busy={enable.isPending} onClick={() => enable.mutate(true)}>
            {words('effective.schedule.replace')}
          </Button>
        </div>
      ) : (
        <Problem error={enable.error} />
      )}
      {enable.data && (
        <p role="status" className="text-sm">
          {words('effective.scheduled')}{' '}
          <Link
            to="/schedules"
            search={{ sel: enable.data.id }}
            className="text-accent hover:underline"
          >
            {words('schedules.title')}
          </Link>
        </p>
      )}
    </div>
  )
}
