/** Small marks: the state of a run, a count, a word about something. */

import type { ReactNode } from 'react'
import { useWords, type Word } from '../app/words.ts'

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'busy'

const TONES: Readonly<Record<Tone, string>> = {
  neutral: 'bg-raised text-muted',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  busy: 'bg-busy-soft text-busy',
}

export function Badge({
  tone = 'neutral',
  children,
}: {
  readonly tone?: Tone
  readonly children: ReactNode
}) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap ${TONES[tone]}`}
    >
      {children}
    </span>
  )
}

const OF_STATUS: Readonly<Record<string, Tone>> = {
  queued: 'neutral',
  running: 'busy',
  waiting: 'warn',
  completed: 'good',
  failed: 'bad',
  cancelled: 'neutral',
  timed_out: 'bad',
}

/** The state of a run or a fan-out. */
export function Status({ status }: { readonly status: string }) {
  const words = useWords()
  const isKnown = status in OF_STATUS
  return (
    <Badge tone={OF_STATUS[status] ?? 'neutral'}>
      {status === 'running' && (
        <span aria-hidden="true" className="size-1.5 animate-pulse rounded-full bg-current" />
      )}
      {isKnown ? words(`status.${status}` as Word) : status}
    </Badge>
  )
}
