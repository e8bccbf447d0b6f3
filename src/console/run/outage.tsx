/** Outage of the model that a run waits for: since when, until when, why, and a retry on request. */

import { useMutation } from '@tanstack/react-query'
import { api, queries, type Schemas } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Problem } from '../kit/notice.tsx'
import { exactTime, relativeTime, shortTime } from '../text/format.ts'
import { Plain } from '../text/text.tsx'

type Props = Readonly<Record<'id', string>> & {
  readonly outage: NonNullable<Schemas['Run']['outage']>
}

export function Outage({ id, outage }: Props) {
  const words = useWords()
  const mayWrite = useMay('runs:write')
  const { since, retry_at, gives_up_at, attempts, error } = outage
  const retry = useMutation({
    mutationFn: () => api.runs.retry(id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['run', id] }),
  })
  return (
    <div className="grid gap-2 rounded-md bg-late-tint px-3 py-2 text-xs text-late">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span title={exactTime(since)}>
          {words('run.outage.since', { at: shortTime(since), n: attempts })}
        </span>
        <span>
          {retry_at === null
            ? words('run.outage.now')
            : words('run.outage.next', { at: relativeTime(retry_at) })}
        </span>
        {gives_up_at !== null && (
          <span title={exactTime(gives_up_at)}>
            {words('run.outage.until', { at: shortTime(gives_up_at) })}
          </span>
        )}
        {mayWrite && (
          <Button busy={retry.isPending} onClick={() => retry.mutate()}>
            {words('run.outage.retry')}
          </Button>
        )}
      </p>
      <p className="[overflow-wrap:anywhere]">
        <Plain text={error.message} /> <code className="font-mono">{error.code}</code>
      </p>
      <Problem error={retry.error} />
    </div>
  )
}
