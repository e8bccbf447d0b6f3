/** Confirmation before marked runs are cancelled or deleted, loaded when it first opens. */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Problem } from '../kit/notice.tsx'
import { endsRun } from '../log/shape.ts'
import type { Run } from './use-runs.ts'

interface Props {
  readonly runs: readonly Run[]
  readonly onDeleted: (ids: ReadonlySet<string>) => void
  readonly onChanged: () => void
  readonly action: 'cancel' | 'delete'
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Requests that are sent at the same time. */
const AT_ONCE = 4

export default function Confirm({ runs, action, onDeleted, onChanged, onDone, onClose }: Props) {
  const words = useWords()
  // Runs that end meanwhile change neither the question nor the requests.
  const [subjects] = useState(() =>
    runs.filter((run) => endsRun(run.status) === (action === 'delete')),
  )
  const [skippedCount] = useState(runs.length - subjects.length)
  const perform = useMutation({
    mutationFn: async () => {
      const succeeded = new Set<string>()
      const errors: unknown[] = []
      for (let at = 0; at < subjects.length; at += AT_ONCE)
        await Promise.all(
          subjects.slice(at, at + AT_ONCE).map(async ({ id }) => {
            try {
              await (action === 'cancel' ? api.runs.cancel(id, {}) : api.runs.delete(id))
              succeeded.add(id)
            } catch (error) {
              errors.push(error)
            }
          }),
        )
      if (action === 'delete') onDeleted(succeeded)
      onChanged()
      return { errors }
    },
    onSuccess: ({ errors }) => errors.length === 0 && onDone(),
  })
  const errors = perform.data?.errors ?? []
  const n = subjects.length
  return (
    <Dialog title={words(`runs.${action}.title`, { n })} open onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-sm">{words(`runs.${action}.sure`, { n })}</p>
        {skippedCount > 0 && (
          <p className="text-sm text-text-2">
            {words(`runs.${action}.skipped`, { n: skippedCount })}
          </p>
        )}
        {errors.length > 0 && (
          <>
            <p className="text-sm">{words('runs.failures', { n: errors.length })}</p>
            <Problem error={errors[0]} />
          </>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words('close')}</Button>
          <Button look="danger" busy={perform.isPending} onClick={() => perform.mutate()}>
            {words(`runs.${action}.title`, { n })}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
