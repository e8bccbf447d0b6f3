/**
 * Footer of a turn: the current work of the run, or its error, its files, and possible next
 * actions.
 */

import { useWords, type Word } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icons.tsx'
import { StateIcon } from '../kit/status.tsx'
import { endsRun, type RunView, statusOf } from '../log/shape.ts'
import { Plain } from '../text/text.tsx'
import { Chip } from './body.tsx'
import { stateOfRun } from './subagents.ts'

interface Props {
  readonly view: RunView
  /** Retries the turn; absent if the turn cannot be retried. */
  readonly onRetry?: (() => void) | undefined
  readonly isRetrying: boolean
}

export function TurnFoot({ view, onRetry, isRetrying }: Props) {
  const words = useWords()
  const { status, error, stop_reason, attachments } = view
  const isEarly = status === 'completed' && stop_reason !== 'end_turn'
  return (
    <div className="grid gap-2 pb-4">
      {!endsRun(status) && <Working view={view} />}
      {error && (
        <div
          role="alert"
          className="flex gap-2 rounded-lg bg-failed-tint px-3 py-2 text-sm text-failed"
        >
          <span className="pt-0.5">
            <Icon name="warn" />
          </span>
          <p className="min-w-0 [overflow-wrap:anywhere]">
            <Plain text={error.message} /> <code className="font-mono text-xs">{error.code}</code>
          </p>
        </div>
      )}
      {isEarly && (
        <p className="text-xs text-late">{words('chat.stopped', { reason: stop_reason ?? '' })}</p>
      )}
      {attachments.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {attachments.map((path) => (
            <li key={path}>
              <Chip name={path} />
            </li>
          ))}
        </ul>
      )}
      {onRetry && (
        <div>
          <Button
            look="quiet"
            icon="retry"
            title={words('chat.retry.hint')}
            busy={isRetrying}
            onClick={onRetry}
            className="-ml-2.5 text-xs"
          >
            {words('chat.retry')}
          </Button>
        </div>
      )}
    </div>
  )
}

function Working({ view }: { readonly view: RunView }) {
  const words = useWords()
  const { waiting_on, todos, writing } = view
  // Text that is being streamed already shows that the run is working.
  if (writing && writing.text !== '') return null
  const status = statusOf(view)
  const word: Word =
    status === 'waiting' && waiting_on
      ? `chat.waits.${waiting_on}`
      : `chat.${status === 'queued' ? 'queued' : 'working'}`
  const isWaiting = status === 'waiting' || status === 'queued'
  const todo = isWaiting ? undefined : todos.find((entry) => entry.status === 'in_progress')
  return (
    <p role="status" className="flex min-w-0 items-center gap-2 text-sm text-text-2">
      <StateIcon state={stateOfRun(view)} />
      <span className="truncate">
        {todo ? <Plain text={todo.active_form ?? todo.content} /> : words(word)}
      </span>
    </p>
  )
}
