/** A field for each task: one stop of the Tab key, from where arrows go to the others. */

import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, memo, useRef, useState } from 'react'
import type { Schemas } from '../../app/api.ts'
import { useWords, type Word } from '../../app/words.ts'
import { amount } from '../../ui/text.tsx'

type Task = Schemas['TaskResult']

/** A colour and a mark: one need not tell the colours apart. */
const LOOKS = {
  queued: ['bg-sunken', ''],
  live: ['bg-accent text-accent-text', '•'],
  completed: ['bg-good text-surface', '✓'],
  failed: ['bg-bad text-surface', '×'],
  timed_out: ['bg-bad text-surface', '!'],
  cancelled: ['bg-line-strong text-surface', '–'],
} as const
type Status = keyof typeof LOOKS
const lookOf = (status: string) => LOOKS[status as Status] ?? LOOKS.queued
const CELL = [
  'flex size-5 items-center justify-center rounded-sm border border-line',
  'text-xs leading-none font-bold',
].join(' ')

export function Matrix({ tasks }: { readonly tasks: readonly Task[] }) {
  const words = useWords()
  const box = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState(0)
  const onKey = (event: KeyboardEvent): void => {
    const cells = [...(box.current?.children ?? [])] as HTMLElement[]
    const to = nextOf(cells, at, event.key)
    if (to === undefined) return
    event.preventDefault()
    setAt(to)
    ;(cells[to]?.firstElementChild as HTMLElement | null)?.focus()
  }
  const counts = Map.groupBy(tasks, ({ status }) => status)
  return (
    <div className="grid gap-3">
      <ul
        ref={box}
        aria-label={words('fanout.matrix')}
        onKeyDown={onKey}
        className="flex max-h-[45dvh] flex-wrap gap-1 overflow-y-auto p-0.5"
      >
        {tasks.map((task, index) => (
          <Cell key={task.index} task={task} isStop={index === at} />
        ))}
      </ul>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
        {(Object.keys(LOOKS) as Status[])
          .filter((status) => counts.has(status))
          .map((status) => (
            <li key={status} className="flex items-center gap-1.5">
              <span aria-hidden="true" className={`${CELL} ${LOOKS[status][0]}`}>
                {LOOKS[status][1]}
              </span>
              {words(`status.${status}` as Word)} {amount(counts.get(status)?.length ?? 0)}
            </li>
          ))}
      </ul>
    </div>
  )
}

const Cell = memo(function Cell({
  task,
  isStop,
}: {
  readonly task: Task
  readonly isStop: boolean
}) {
  const words = useWords()
  const { index, run_id, status, label, agent } = task
  const [colour, mark] = lookOf(status)
  const about = `${label ?? `${agent} ${index + 1}`}: ${words(`status.${status}` as Word)}`
  const stop = isStop ? 0 : -1
  return (
    <li>
      {run_id === null ? (
        <span
          role="img"
          tabIndex={stop}
          title={about}
          aria-label={about}
          className={`${CELL} ${colour}`}
        >
          {mark}
        </span>
      ) : (
        <Link
          to="/runs/$run"
          params={{ run: run_id }}
          preload={false}
          tabIndex={stop}
          title={about}
          aria-label={about}
          className={`${CELL} ${colour}`}
        >
          {mark}
        </Link>
      )}
    </li>
  )
})

/** Where the arrow leads; undefined: the key is none. */
function nextOf(cells: readonly HTMLElement[], at: number, key: string): number | undefined {
  const last = cells.length - 1
  if (key === 'ArrowRight') return Math.min(last, at + 1)
  if (key === 'ArrowLeft') return Math.max(0, at - 1)
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined
  const from = cells[at]
  if (!from) return 0
  const below = key === 'ArrowDown'
  const found = below
    ? cells.findIndex((one) => one.offsetTop > from.offsetTop && one.offsetLeft >= from.offsetLeft)
    : cells.findLastIndex(
        (one) => one.offsetTop < from.offsetTop && one.offsetLeft <= from.offsetLeft,
      )
  return found < 0 ? (below ? last : 0) : found
}
