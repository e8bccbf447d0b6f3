/** Actions on marked runs: copy their IDs, cancel, and delete. */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Problem } from '../kit/notice.tsx'
import { isLive } from './list.ts'
import type { Run } from './use-runs.ts'

interface Props {
  readonly runs: readonly Run[]
  readonly onUnmark: () => void
  readonly onDeleted: (ids: ReadonlySet<string>) => void
  readonly onChanged: () => void
}

const COPIED_MS = 1_500

export function MarkedBar({ runs, onUnmark, onDeleted, onChanged }: Props) {
  const words = useWords()
  const may = useMay('runs:write')
  const [action, choose] = useState<'cancel' | 'delete'>()
  const [isCopied, setCopied] = useState(false)
  if (runs.length === 0) return null
  const copy = (): void => {
    const text = runs.map(({ id }) => id).join('\n')
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), COPIED_MS)
    })
  }
  const hasLive = runs.some(isLive)
  const hasEnded = !runs.every(isLive)
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line bg-subtle px-4 py-2 text-sm">
      <div className="flex w-full items-center gap-1 md:w-auto md:flex-1">
        <span role="status" className="font-medium">
          {words('runs.marked', { n: runs.length })}
        </span>
        <IconButton icon="close" size={14} label={words('runs.unmark')} onClick={onUnmark} />
      </div>
      <Button icon={isCopied ? 'check' : 'copy'} onClick={copy}>
        {words(isCopied ? 'copied' : 'runs.copy')}
      </Button>
      {may && (
        <>
          <Button icon="stop" disabled={!hasLive} onClick={() => choose('cancel')}>
            {words('cancel')}
          </Button>
          <Button icon="trash" look="danger" disabled={!hasEnded} onClick={() => choose('delete')}>
            {words('delete')}
          </Button>
        </>
      )}
      {action && (
        <Confirm
          key={action}
          {...{ runs, action, onDeleted, onChanged }}
          onDone={() => {
            choose(undefined)
            onUnmark()
          }}
          onClose={() => choose(undefined)}
        />
      )}
    </div>
  )
}

interface ConfirmProps extends Pick<Props, 'runs' | 'onDeleted' | 'onChanged'> {
  readonly action: 'cancel' | 'delete'
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Requests that are sent at the same time. */
const AT_ONCE = 4

function Confirm({ runs, action, onDeleted, onChanged, onDone, onClose }: ConfirmProps) {
  const words = useWords()
  // Runs that end meanwhile change neither the question nor the requests.
  const [subjects] = useState(() => runs.filter((run) => isLive(run) === (action === 'cancel')))
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
