/** Approval card: the tool call, its arguments, who requested it, and the possible answers. */

import type { Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { StateIcon } from '../kit/status.tsx'
import { Arguments } from '../text/arguments.tsx'
import { Ago, Plain } from '../text/text.tsx'
import { type AnswerHandlers, Answers } from './answers.tsx'

type Approval = Schemas['Approval']

interface Props extends AnswerHandlers {
  readonly approval: Approval
  /** Whether the keys a, d, and e decide this approval. */
  readonly hasKeys: boolean
}

export function ApprovalCard({ approval, hasKeys, onDecided, onRefused }: Props) {
  const words = useWords()
  const { id, status, tool, reason, hidden, decision, expires_at } = approval
  const path = approval.path.map(({ agent, label }) => label ?? agent).join(' › ')
  if (status !== 'pending') return <Decided approval={approval} />
  return (
    <article
      aria-label={words('approval.label', { tool, path })}
      className="grid gap-3 rounded-lg border border-line border-l-3 border-l-asks bg-canvas px-4 py-3"
    >
      <div className="grid gap-0.5">
        <p className="flex items-center gap-2 font-semibold [overflow-wrap:anywhere]">
          <StateIcon state="asks" />
          <Plain text={words('approval.wants', { tool })} />
        </p>
        <p className="text-xs text-text-2 [overflow-wrap:anywhere]">
          <Plain text={reason ? `${path} · ${reason}` : path} />
          {' · '}
          {words('approval.expires')} <Ago at={expires_at} />
        </p>
      </div>
      {hidden && (
        <p className="text-xs text-failed">
          <Plain text={words('approval.hidden', { what: hidden })} />
        </p>
      )}
      <Arguments
        text={decision?.arguments ?? approval.arguments}
        label={words('approval.arguments')}
      />
      <Answers key={id} {...{ approval, hasKeys, onDecided, onRefused }} />
    </article>
  )
}

function Decided({ approval }: { readonly approval: Approval }) {
  const words = useWords()
  const { status, tool, decision } = approval
  if (status === 'pending') return null
  return (
    <p className="flex flex-wrap items-center gap-2 text-xs text-text-2 [overflow-wrap:anywhere]">
      <StateIcon state={status === 'approved' ? 'completed' : 'cancelled'} />
      <code className="font-mono">
        <Plain text={tool} />
      </code>
      {words(`approval.${status}`)}
      {decision && <Ago at={decision.decided_at} />}
      {decision?.reason && <Plain text={decision.reason} />}
    </p>
  )
}
