/** The selected approval: the card while it waits, and afterwards who decided what. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer } from '../cards/answers.tsx'
import { ApprovalCard } from '../cards/approval.tsx'
import { useMay, useSession } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Loading, PollProblem, Problem } from '../kit/notice.tsx'
import { StateIcon } from '../kit/status.tsx'
import { Arguments } from '../text/arguments.tsx'
import { exactTime } from '../text/format.ts'
import { Ago, Plain } from '../text/text.tsx'
import { CopyLink } from './link.tsx'
import { type Approval, approvalQuery, EVERY_MS } from './use-approvals.ts'
import { Fact, Facts } from './why.tsx'

interface Props {
  readonly id: string
  readonly onDecided: (approval: Approval) => void
}

export function ApprovalDetail({ id, onDecided }: Props) {
  const words = useWords()
  const mayDecide = useMay('approvals:write')
  const { data, error, refetch } = useQuery({
    ...approvalQuery(id),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? EVERY_MS : false),
  })
  const [refused, setRefused] = useState<Answer>()
  const [first, setFirst] = useState(data)
  if (data && !first) setFirst(data)
  const retry = () => void refetch()
  if (!data) return error ? <Problem error={error} onRetry={retry} /> : <Loading />
  const isChanged = first !== undefined && first.args_hash !== data.args_hash
  return (
    <div className="grid gap-4">
      <PollProblem error={error} hasData onRetry={retry} />
      {isChanged && (
        <div role="alert" className="grid gap-2 rounded-lg bg-asks-tint px-4 py-3 text-sm">
          <p className="font-medium text-asks">{words('approvals.changed')}</p>
          <Titled text={first.arguments} title={words('approvals.arguments.before')} />
        </div>
      )}
      {data.status === 'pending' ? (
        <ApprovalCard approval={data} hasKeys onDecided={onDecided} onRefused={setRefused} />
      ) : (
        <Decided approval={data} refused={refused} />
      )}
      <Facts approval={data} />
      {data.status === 'pending' && mayDecide && <CopyLink id={id} />}
    </div>
  )
}

interface DecidedProps {
  readonly approval: Approval
  /** Answer of this page that came after the decision. */
  readonly refused: Answer | undefined
}

function Decided({ approval, refused }: DecidedProps) {
  const words = useWords()
  const { status, tool, decision, hidden } = approval
  if (status === 'pending') return null
  const isTooLate = status === 'expired' || status === 'closed'
  const yours = refused?.arguments && JSON.stringify(refused.arguments)
  return (
    <article
      aria-label={tool}
      className="grid gap-3 rounded-lg border border-line bg-canvas px-4 py-3"
    >
      {refused && (
        <p role="alert" className="rounded-md bg-failed-tint px-3 py-2 text-sm text-failed">
          {words(`approvals.refused.${isTooLate ? 'late' : refused.decision}`)}
        </p>
      )}
      <p className="flex flex-wrap items-center gap-2 font-semibold [overflow-wrap:anywhere]">
        <StateIcon state={status === 'approved' ? 'completed' : 'cancelled'} />
        <code className="font-mono">
          <Plain text={tool} />
        </code>
        {words(`approval.${status}`)}
      </p>
      {decision && (
        <dl className="grid gap-x-4 gap-y-1 text-sm grid-cols-[5.5rem_minmax(0,1fr)]">
          {decision.by !== null && (
            <Fact name={words('approvals.by')}>
              <By id={decision.by} />
            </Fact>
          )}
          <Fact name={words('approvals.at')}>
            {exactTime(decision.decided_at)} (<Ago at={decision.decided_at} />)
          </Fact>
          {decision.reason && (
            <Fact name={words('approval.reason')}>
              <Plain text={decision.reason} />
            </Fact>
          )}
        </dl>
      )}
      {hidden && (
        <p className="text-xs text-failed">
          <Plain text={words('approval.hidden', { what: hidden })} />
        </p>
      )}
      <Titled text={approval.arguments} title={words('approvals.arguments.requested')} />
      {decision?.arguments && (
        <Titled text={decision.arguments} title={words('approvals.arguments.approved')} />
      )}
      {yours && <Titled text={yours} title={words('approvals.arguments.yours')} />}
    </article>
  )
}

function Titled({ text, title }: { readonly text: string; readonly title: string }) {
  return (
    <div className="grid gap-1">
      <p className="text-xs text-text-2">{title}</p>
      <Arguments text={text} label={title} />
    </div>
  )
}

/** Names the API key that decided. */
function By({ id }: { readonly id: string }) {
  const words = useWords()
  const { session } = useSession()
  if (session?.key_id !== id) return <span className="font-mono text-xs">{id}</span>
  return <>{words('approvals.by.you', { name: session.key_name ?? id })}</>
}
