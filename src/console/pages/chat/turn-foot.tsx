/** The end of a turn: what it does at the moment, or how it ended, what it took, and a way on. */

import { Link } from '@tanstack/react-router'
import { useWords, type Word } from '../../app/words.ts'
import { costOf, endsRun, type RunView, statusOf } from '../../chat/shape.ts'
import { Status } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { amount, dollars, lasted } from '../../ui/text.tsx'
import { Since } from './since.tsx'

interface Props {
  readonly view: RunView
  /** Absent: it is not for retrying. */
  readonly onRetry?: (() => void) | undefined
  readonly retrying?: boolean
  /** Time and cost stand elsewhere. */
  readonly bare?: boolean
}

export function TurnFoot({ view, onRetry, retrying, bare }: Props) {
  const words = useWords()
  const { status, error, stop_reason, warnings, attachments } = view
  const ended = endsRun(status)
  const odd = status === 'completed' && stop_reason !== 'end_turn' ? stop_reason : undefined
  return (
    <div className="grid gap-2 pb-4">
      {!ended && <Working view={view} />}
      {error && (
        <div role="alert" className="flex gap-2 rounded-lg bg-bad-soft p-3 text-sm text-bad">
          <Icon name="warn" />
          <p className="min-w-0 [overflow-wrap:anywhere]">
            {error.message} <code className="font-mono text-xs">{error.code}</code>
          </p>
        </div>
      )}
      {attachments.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {attachments.map((key) => (
            <li
              key={key}
              className="inline-flex items-center gap-1.5 rounded-lg border border-line bg-surface px-2 py-1 font-mono text-xs"
            >
              <Icon name="file" size={14} />
              {key}
            </li>
          ))}
        </ul>
      )}
      {ended && !bare && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted tabular-nums">
          {(status !== 'completed' || odd) && <Status status={status} />}
          {odd && <span>{words('chat.stopped', { reason: odd })}</span>}
          <Numbers view={view} />
          {onRetry && (
            <Button
              look="quiet"
              icon="retry"
              busy={retrying ?? false}
              onClick={onRetry}
              className="min-h-7 px-2 text-xs"
            >
              {words('chat.retry')}
            </Button>
          )}
        </div>
      )}
      {warnings.length > 0 && (
        <details className="text-xs text-warn">
          <summary className="w-fit">{words('chat.warnings', { n: warnings.length })}</summary>
          <ul className="mt-1 grid gap-1 [overflow-wrap:anywhere]">
            {warnings.map(({ code, message }) => (
              <li key={`${code} ${message}`}>{message}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

export function Numbers({ view }: { readonly view: RunView }) {
  const words = useWords()
  const { id, agent, model, steps, usage, price, started_at, ended_at } = view
  const cost = costOf(usage, price)
  return (
    <>
      <Link to="/runs/$run" params={{ run: id }} className="hover:underline">
        {[agent, model].filter(Boolean).join(' · ')}
      </Link>
      <span>{words(steps === 1 ? 'chat.step' : 'chat.steps', { n: steps })}</span>
      {started_at && ended_at && (
        <span>{lasted(Date.parse(ended_at) - Date.parse(started_at))}</span>
      )}
      {started_at && !ended_at && <Since at={started_at} />}
      <span>{words('chat.tokens', { n: amount(usage.input_tokens + usage.output_tokens) })}</span>
      {cost !== undefined && <span>{dollars(cost)}</span>}
    </>
  )
}

function Working({ view }: { readonly view: RunView }) {
  const words = useWords()
  const { waiting_on, started_at, created_at, todos } = view
  const status = statusOf(view)
  const word: Word =
    status === 'waiting' && waiting_on
      ? `chat.waits.${waiting_on}`
      : `chat.${status === 'queued' ? 'queued' : 'working'}`
  const doing = todos.find((one) => one.status === 'in_progress')
  return (
    <p role="status" className="flex items-center gap-2 text-sm text-muted">
      <span aria-hidden="true" className="size-2 animate-pulse rounded-full bg-accent" />
      <span className="truncate">{doing ? (doing.active_form ?? doing.content) : words(word)}</span>
      <span className="text-xs tabular-nums">
        <Since at={started_at ?? created_at} />
      </span>
    </p>
  )
}
