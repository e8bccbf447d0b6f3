/** Bars of a fan-out: how its tasks ended, what its budget has left, and when its deadline is. */

import { type ReactNode, useEffect, useState } from 'react'
import type { Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { amount, dollars, exactTime } from '../text/format.ts'
import { Ago } from '../text/text.tsx'
import { sharesOf, type TaskStatus } from './state.ts'

type Fanout = Schemas['FanoutBase']

const COLORS: Readonly<Record<TaskStatus, string>> = {
  ...{ queued: 'bg-queued', live: 'bg-running', completed: 'bg-done', failed: 'bg-failed' },
  ...{ timed_out: 'bg-late', cancelled: 'bg-queued' },
}

/** Bar without a text of its own: the numbers stand beside it. */
export function Progress({ counts }: { readonly counts: Fanout['children'] }) {
  return (
    <span aria-hidden="true" className="flex h-1.5 w-full overflow-hidden rounded-full bg-line">
      {sharesOf(counts).map(([status, share]) => (
        <span key={status} style={{ width: `${share * 100}%` }} className={COLORS[status]} />
      ))}
    </span>
  )
}

const AMOUNTS = ['max_cost_usd', 'max_tokens', 'max_model_calls'] as const

export function Budget({ budget }: { readonly budget: Schemas['BudgetState'] }) {
  const words = useWords()
  return AMOUNTS.map((name) => {
    const state = budget[name]
    if (!state) return null
    const format = name === 'max_cost_usd' ? dollars : amount
    const { limit, spent, reserved } = state
    const isOver = budget.ended_by === name || spent >= limit
    return (
      <Bar
        key={name}
        name={words(`fanouts.budget.${name}`)}
        share={spent / Math.max(limit, Number.MIN_VALUE)}
        isOver={isOver}
      >
        {words('fanouts.budget.of', { spent: format(spent), limit: format(limit) })}
        {reserved > 0 && ` · ${words('fanouts.budget.reserved', { n: format(reserved) })}`}
      </Bar>
    )
  })
}

const EVERY_MS = 5_000

/** Elapsed share of the time until the deadline, which starts when the fan-out is created. */
export function Deadline({ fanout }: { readonly fanout: Fanout }) {
  const words = useWords()
  const { created_at, ended_at, join, released_by } = fanout
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (ended_at !== null) return
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS)
    return () => clearInterval(timer)
  }, [ended_at])
  if (join.deadline_seconds === null) return null
  const start = Date.parse(created_at)
  const end = start + join.deadline_seconds * 1_000
  const at = ended_at === null ? now : Date.parse(ended_at)
  const time = new Date(end).toISOString()
  return (
    <Bar
      name={words('fanouts.deadline')}
      share={(at - start) / (end - start)}
      isOver={released_by === 'deadline'}
    >
      {exactTime(time)}
      {ended_at === null && (
        <>
          {' '}
          (<Ago at={time} />)
        </>
      )}
    </Bar>
  )
}

interface BarProps {
  readonly name: string
  /** Filled share, from 0; values above 1 fill the bar. */
  readonly share: number
  readonly isOver: boolean
  readonly children: ReactNode
}

function Bar({ name, share, isOver, children }: BarProps) {
  const percent = Math.max(0, Math.min(1, share)) * 100
  return (
    <div className="grid gap-1 text-xs">
      <span className="flex justify-between gap-3">
        <span className="text-text-2">{name}</span>
        <span>{children}</span>
      </span>
      <span aria-hidden="true" className="flex h-1.5 overflow-hidden rounded-full bg-line">
        <span style={{ width: `${percent}%` }} className={isOver ? 'bg-late' : 'bg-accent'} />
      </span>
    </div>
  )
}
