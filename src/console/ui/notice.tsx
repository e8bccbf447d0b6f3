/** An error as a sentence, with the request's id and a way on; and places that are still empty. */

import type { ReactNode } from 'react'
import { ConnectionError, ProblemError } from '../app/api.ts'
import { useWords } from '../app/words.ts'
import { Button } from './button.tsx'
import { Icon } from './icons.tsx'

function asSentence(error: unknown): string {
  if (!(error instanceof ProblemError))
    return error instanceof Error ? error.message : String(error)
  const detail = error.problem?.detail ?? error.message
  // A detail often is the first of them: each is said once.
  const more = error.errors.filter(({ message }) => !detail.includes(message))
  return [detail, ...more.map(({ pointer, message }) => `${pointer}: ${message}`)].join(' ')
}

export function Problem({
  error,
  onRetry,
}: {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
}) {
  const words = useWords()
  if (!error) return null
  const id = error instanceof ProblemError ? error.requestId : undefined
  return (
    <div
      role="alert"
      className="flex items-start gap-2 rounded-lg bg-bad-soft p-3 text-sm text-bad"
    >
      <Icon name="warn" />
      <div className="grid min-w-0 gap-1">
        <p className="break-words">
          {error instanceof ConnectionError ? words('error.offline') : asSentence(error)}
        </p>
        {id && <p className="font-mono text-xs">{words('error.request', { id })}</p>}
        {onRetry && (
          <p>
            <Button onClick={onRetry}>{words('retry')}</Button>
          </p>
        )}
      </div>
    </div>
  )
}

/** An empty place says what to do next; `command` can be copied into a shell. */
export function Empty({
  title,
  children,
  command,
}: {
  readonly title: string
  readonly children?: ReactNode
  readonly command?: string
}) {
  return (
    <div className="mx-auto grid max-w-lg justify-items-center gap-3 px-6 py-16 text-center">
      <h2 className="text-base font-semibold">{title}</h2>
      {children && <div className="text-sm text-muted">{children}</div>}
      {command && (
        <pre
          tabIndex={0}
          className="max-w-full overflow-x-auto rounded-lg border border-line bg-sunken px-4 py-2 text-left font-mono text-xs"
        >
          {command}
        </pre>
      )}
    </div>
  )
}

export function Loading() {
  const words = useWords()
  return (
    <p role="status" className="p-6 text-sm text-muted">
      {words('loading')}
    </p>
  )
}
