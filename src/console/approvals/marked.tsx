/** Marked approvals: how many, and a dialog that lists them before all are approved. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { api, queries, type Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { PollProblem, Problem } from '../kit/notice.tsx'
import { StateIcon } from '../kit/status.tsx'
import { Arguments } from '../text/arguments.tsx'
import { objectIn, summaryOf, unshownIn } from '../text/json.ts'
import { Plain } from '../text/text.tsx'
import { pathOf } from './selection.ts'
import { type Approval, approvalQuery } from './use-approvals.ts'

type Outcome = Schemas['ApprovalOutcome']

interface BarProps {
  readonly count: number
  /** Number of marked approvals that were decided elsewhere or have expired. */
  readonly missingCount: number
  readonly onUnmark: () => void
  readonly onApprove: () => void
}

export function MarkedBar({ count, missingCount, onUnmark, onApprove }: BarProps) {
  const words = useWords()
  if (count + missingCount === 0) return null
  return (
    <div className="flex items-center gap-2 border-t border-line bg-subtle px-4 py-2 text-sm">
      <span role="status" className="font-medium">
        {words('approvals.marked', { n: count })}
        {missingCount > 0 && (
          <span className="pl-2 text-xs font-normal text-text-2">
            {words('approvals.skipped', { n: missingCount })}
          </span>
        )}
      </span>
      <IconButton icon="close" size={14} label={words('approvals.unmark')} onClick={onUnmark} />
      <span className="flex-1" />
      <Button look="primary" disabled={count === 0} onClick={onApprove}>
        {words('approvals.approve', { n: count })}
      </Button>
    </div>
  )
}

/** Limit `approvals_per_decision` of the API. */
const AT_ONCE = 100

interface Props {
  readonly approvals: readonly Approval[]
  readonly onDecided: (ids: readonly string[]) => void
  readonly onClose: () => void
}

export function ApproveMarked({ approvals, onDecided, onClose }: Props) {
  const words = useWords()
  // Decisions of others change neither the list nor the request.
  const [subjects] = useState(approvals)
  const button = useRef<HTMLSpanElement>(null)
  useEffect(() => button.current?.querySelector('button')?.focus(), [])
  const approve = useMutation({
    mutationFn: async () => {
      const outcomes: Outcome[] = []
      for (let at = 0; at < subjects.length; at += AT_ONCE) {
        const ids = subjects.slice(at, at + AT_ONCE).map(({ id }) => id)
        const { data } = await api.approvals.decideMany({ ids, decision: 'approve' })
        outcomes.push(...data)
      }
      return outcomes
    },
    onSuccess: (outcomes) =>
      onDecided(outcomes.filter(({ status }) => status !== 'pending').map(({ id }) => id)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['approvals'] }),
  })
  const outcomes = new Map(approve.data?.map((outcome) => [outcome.id, outcome]))
  const n = subjects.length
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!approve.isPending && !approve.data) approve.mutate()
  }
  return (
    <Dialog title={words('approvals.approve', { n })} open onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        {!approve.data && <p className="text-sm">{words('approvals.approve.sure', { n })}</p>}
        <ul
          aria-label={words('approvals.outcomes')}
          tabIndex={0}
          className="grid max-h-[50dvh] overflow-y-auto rounded-md border border-line"
        >
          {subjects.map((approval) => (
            <Subject
              key={approval.id}
              approval={approval}
              outcome={outcomes.get(approval.id)}
              isDeciding={approve.isPending}
            />
          ))}
        </ul>
        <Problem error={approve.error} />
        <span ref={button} className="flex flex-row-reverse gap-2">
          {approve.data ? (
            <Button look="primary" onClick={onClose}>
              {words('close')}
            </Button>
          ) : (
            <Button look="primary" type="submit" busy={approve.isPending}>
              {words('approvals.approve', { n })}
            </Button>
          )}
          {!approve.data && <Button onClick={onClose}>{words('cancel')}</Button>}
        </span>
      </form>
    </Dialog>
  )
}

interface SubjectProps {
  readonly approval: Approval
  readonly outcome: Outcome | undefined
  readonly isDeciding: boolean
}

function Subject({ approval, outcome, isDeciding }: SubjectProps) {
  const words = useWords()
  const { tool, hidden } = approval
  const isRefused = outcome?.code !== undefined
  const state = isRefused ? 'failed' : outcome ? 'completed' : 'asks'
  return (
    <li className="grid gap-0.5 border-b border-line px-3 py-2 last:border-b-0">
      <span className="flex items-center gap-2 text-sm">
        <StateIcon state={state} size={12} />
        <span className="min-w-0 flex-1 truncate font-mono">
          <Plain text={tool} />
        </span>
        <span className="text-xs text-text-2">
          {isDeciding && words('approvals.deciding')}
          {outcome?.status && outcome.status !== 'pending' && words(`approval.${outcome.status}`)}
        </span>
      </span>
      <Call approval={approval} />
      {hidden && (
        <span className="pl-5 text-xs text-failed">
          <Plain text={words('approval.hidden', { what: hidden })} />
        </span>
      )}
      {outcome?.detail && (
        <span className="pl-5 text-xs text-failed">
          <Plain text={outcome.detail} />
        </span>
      )}
    </li>
  )
}

/** Path and arguments of a call; a click shows the arguments beyond the first characters. */
function Call({ approval }: { readonly approval: Approval }) {
  const words = useWords()
  const [isWhole, setWhole] = useState(false)
  // Lists truncate long arguments, which are then no JSON objects.
  const isCut = objectIn(approval.arguments) === undefined
  const { data, error, refetch } = useQuery({ ...approvalQuery(approval.id), enabled: isCut })
  const text = isCut ? data?.arguments : approval.arguments
  const n = unshownIn(text ?? '')
  const path = pathOf(approval.path)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-1 pl-5 text-xs text-text-2 [overflow-wrap:anywhere]">
      <p>
        <Plain text={isWhole ? path : `${path} · ${summaryOf(text ?? approval.arguments)}`} />
      </p>
      {isWhole && text !== undefined && (
        <Arguments text={text} label={words('approval.arguments')} />
      )}
      {text === undefined && !error && <p>{words('loading')}</p>}
      <PollProblem error={error} hasData={text !== undefined} onRetry={() => void refetch()} />
      {n > 0 && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
          className="text-accent hover:underline pointer-coarse:min-h-11"
        >
          {isWhole ? words('chat.less') : words('approvals.arguments.more', { n })}
        </button>
      )}
    </div>
  )
}
