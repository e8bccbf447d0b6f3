/** Action of a schedule that a file defines: it starts to run at its times in these layers. */

import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../data/api.ts'
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
    mutationFn: () => api.schedules.putSource(name, inputOf(choice)),
  })
  if (!may) return <Forbidden scope="schedules:write" />
  return (
    <div className="grid justify-items-start gap-2">
      <Button icon="clock" busy={enable.isPending} onClick={() => enable.mutate()}>
        {words('effective.schedule')}
      </Button>
      <Problem error={enable.error} />
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
