/** A call that waits for a person: what would be done, for whom, and the three answers. */

import { useEffect, useRef } from 'react'
import type { Schemas } from '../app/api.ts'
import { useWords } from '../app/words.ts'
import { Answers, type Decider, pretty } from './answers.tsx'
import { Badge, type Tone } from './badge.tsx'
import { DecisionLink } from './decision-link.tsx'
import { Ago, Code } from './text.tsx'

type Approval = Schemas['Approval']

const TONES: Readonly<Record<Approval['status'], Tone>> = {
  pending: 'warn',
  approved: 'good',
  denied: 'bad',
  expired: 'neutral',
  closed: 'neutral',
}

interface Props {
  readonly approval: Approval
  /** The keys a, d and e are about this one. */
  readonly chosen?: boolean
  readonly onChoose?: () => void
  /** In place of the session: of a link to this one decision. */
  readonly by?: Decider
}

/** Enough of an id to tell calls of one tool by one run from each other. */
const TAIL = 6

export function ApprovalCard({ approval, chosen, onChoose, by }: Props) {
  const words = useWords()
  const { id, status, tool, path, reason, hidden, decision, expires_at } = approval
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    if (chosen) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const who = path.map(({ agent, label }) => label ?? agent).join(' › ')
  return (
    <article
      ref={ref}
      tabIndex={-1}
      aria-label={`${words('approvals.of')} ${tool}, ${who}, ${id.slice(-TAIL)}`}
      onPointerDown={onChoose}
      className={`grid gap-3 outline-none rounded-xl border bg-surface p-4 ${chosen && status === 'pending' ? 'border-accent' : 'border-line'}`}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={TONES[status]}>{words(`approvals.${status}`)}</Badge>
        <code className="font-mono text-sm font-semibold [overflow-wrap:anywhere]">{tool}</code>
        <span className="flex-1" />
        <span className="text-xs text-muted">
          {status === 'pending' ? words('approvals.until') : ''}{' '}
          <Ago at={decision?.decided_at ?? expires_at} />
        </span>
      </div>
      <p className="text-xs text-muted [overflow-wrap:anywhere]">
        {who}
        {reason && ` · ${reason}`}
      </p>
      {hidden && <p className="text-xs text-bad">{words('approvals.hidden', { what: hidden })}</p>}
      <Code
        value={pretty(decision?.arguments ?? approval.arguments)}
        label={words('approvals.arguments')}
      />
      {decision?.reason && <p className="text-sm [overflow-wrap:anywhere]">{decision.reason}</p>}
      {status === 'pending' && (
        <Answers
          key={id}
          {...{ approval, by, keys: chosen ?? false }}
          onBack={() => ref.current?.focus()}
        />
      )}
      {status === 'pending' && !by && <DecisionLink approval={approval} />}
    </article>
  )
}
