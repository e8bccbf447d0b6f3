/** Notices: errors with possible next actions, missing scopes, and loading. */

import { ConnectionError, ProblemError } from '../data/api.ts'
import { useSession } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Plain } from '../text/text.tsx'
import { Button } from './button.tsx'
import { Icon } from './icons.tsx'

function sentenceOf(error: unknown): string {
  if (!(error instanceof ProblemError))
    return error instanceof Error ? error.message : String(error)
  const detail = error.problem?.detail ?? error.message
  // The problem's detail often repeats the message of its first error.
  const more = error.errors.filter(({ message }) => !detail.includes(message))
  return [detail, ...more.map(({ pointer, message }) => `${pointer}: ${message}`)].join(' ')
}

interface Props {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
}

export function Problem({ error, onRetry }: Props) {
  const words = useWords()
  if (!error) return null
  const problem = error instanceof ProblemError ? error : undefined
  return (
    <div
      role="alert"
      className="flex items-start gap-2 rounded-lg bg-failed-tint px-3 py-2 text-sm text-failed"
    >
      <span className="pt-0.5">
        <Icon name="warn" />
      </span>
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="[overflow-wrap:anywhere]">
          {error instanceof ConnectionError ? (
            words('error.unreachable')
          ) : (
            <Plain text={sentenceOf(error)} />
          )}
        </p>
        {problem && (
          <p className="font-mono text-xs [overflow-wrap:anywhere]">
            {problem.code}
            {problem.requestId && ` · ${words('error.request', { id: problem.requestId })}`}
          </p>
        )}
      </div>
      {onRetry && <Button onClick={onRetry}>{words('retry')}</Button>}
    </div>
  )
}

interface PollProps extends Props {
  /** Whether the component shows data of an earlier request. */
  readonly hasData: boolean
}

/** Shows the error of a repeated request; `OfflineLine` reports an unreachable server once a page. */
export function PollProblem({ hasData, ...props }: PollProps) {
  return hasData && props.error instanceof ConnectionError ? null : <Problem {...props} />
}

export function Forbidden({ scope }: { readonly scope: string }) {
  const words = useWords()
  const { session } = useSession()
  const key = session?.key_name ?? session?.key_id ?? ''
  return <p className="text-xs text-text-2">{words('error.forbidden', { key, scope })}</p>
}

export function Loading() {
  const words = useWords()
  return (
    <p role="status" className="animate-[appear_120ms_150ms_both] p-4 text-sm text-text-3">
      {words('loading')}
    </p>
  )
}
