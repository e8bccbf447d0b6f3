/** Matrix of tasks: a square for each, with the shape and color of its status. */

import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, memo } from 'react'
import { useWords } from '../i18n/words.ts'
import { Status } from '../kit/status.tsx'
import { useIsWide } from '../kit/wide.ts'
import { RunLink } from '../run/run-link.tsx'
import { Inline, Plain } from '../text/text.tsx'
import { Dots } from './dots.tsx'
import { cellAfter, type TaskStatus } from './state.ts'
import type { Task } from './tasks.ts'

const COLUMNS = 100
const NARROW_COLUMNS = 25
/** Number of tasks above which all tasks are drawn on one canvas. */
const MAX_CELLS = 1_000

/** Color and shape of each status, on a grid of 10 units. */
const SHAPES = {
  queued: ['text-queued', <path key="a" d="M1 1h8v8H1z" fill="none" strokeDasharray="1.6 1.6" />],
  live: [
    'text-running',
    <path key="a" d="M1 1h8v8H1z" fill="none" />,
    <path key="b" d="M5 1h4v8H5z" stroke="none" />,
  ],
  completed: ['text-done', <path key="a" d="M.5.500h9v9H.5z" stroke="none" />],
  failed: [
    'text-failed',
    <path key="a" d="M.5.500h9v9H.5z" stroke="none" />,
    <path key="b" d="M3 3l4 4M7 3L3 7" stroke="var(--canvas)" strokeWidth="1.6" />,
  ],
  timed_out: [
    'text-late',
    <path key="a" d="M1 1h8v8H1z" fill="none" />,
    <path key="b" d="M1 9l8-8v8z" stroke="none" />,
  ],
  cancelled: [
    'text-queued',
    <path key="a" d="M1 1h8v8H1z" fill="none" />,
    <path key="b" d="M2 8l6-6" fill="none" />,
  ],
} as const satisfies Record<TaskStatus, readonly unknown[]>

/** Name of a task's status among the states of runs. */
export const stateOf = (status: Task['status']) => (status === 'live' ? 'running' : status)

function Shape({ status }: { readonly status: TaskStatus }) {
  const [color, ...paths] = SHAPES[status]
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 10 10"
      fill="currentColor"
      stroke="currentColor"
      className={`block w-full ${color}`}
    >
      {paths}
    </svg>
  )
}

interface Props {
  readonly tasks: readonly Task[]
  /** Index of the selected task. */
  readonly selection: number | undefined
  /** Indexes of the marked tasks. */
  readonly marks: readonly number[]
  readonly onSelect: (index: number) => void
}

export function Matrix(props: Props) {
  const { tasks, selection } = props
  return (
    <div className="grid gap-2">
      {tasks.length > MAX_CELLS ? <Dots {...props} /> : <Cells {...props} />}
      <Current task={tasks.find(({ index }) => index === selection)} />
    </div>
  )
}

function Cells({ tasks, selection, marks, onSelect }: Props) {
  const words = useWords()
  const navigate = useNavigate()
  const columns = useIsWide() ? COLUMNS : NARROW_COLUMNS
  const position = tasks.findIndex(({ index }) => index === selection)
  const current = tasks[position]
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter' && current?.run_id) {
      void navigate({ to: '/runs/$run', params: { run: current.run_id } })
      return
    }
    const at = cellAfter(event.key, Math.max(0, position), { count: tasks.length, columns })
    const task = at === undefined ? undefined : tasks[position < 0 ? 0 : at]
    if (!task) return
    event.preventDefault()
    onSelect(task.index)
  }
  const rows = Array.from({ length: Math.ceil(tasks.length / columns) }, (_, at) =>
    tasks.slice(at * columns, (at + 1) * columns),
  )
  return (
    <div
      role="grid"
      tabIndex={0}
      aria-label={words('fanouts.matrix')}
      aria-activedescendant={current ? `task-${current.index}` : undefined}
      onKeyDown={onKey}
      className="grid max-h-[40dvh] gap-px overflow-y-auto p-1"
    >
      {rows.map((row) => (
        <div
          key={row[0]?.index}
          role="row"
          tabIndex={-1}
          style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 14px))` }}
          className="grid gap-px"
        >
          {row.map((task) => (
            <Cell
              key={task.index}
              index={task.index}
              status={task.status}
              isSelected={task.index === selection}
              isMarked={marks.includes(task.index)}
              onSelect={onSelect}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

interface CellProps {
  readonly index: number
  readonly status: TaskStatus
  readonly isSelected: boolean
  readonly isMarked: boolean
  readonly onSelect: (index: number) => void
}

const Cell = memo(function Cell({ index, status, isSelected, isMarked, onSelect }: CellProps) {
  const words = useWords()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the focus and the keys.
    <span
      id={`task-${index}`}
      role="gridcell"
      tabIndex={-1}
      aria-selected={isSelected}
      aria-label={words(isMarked ? 'fanouts.cell.marked' : 'fanouts.cell', {
        n: index,
        status: words(`status.${stateOf(status)}`),
      })}
      onClick={() => onSelect(index)}
      className={`rounded-[2px] p-px ${isSelected ? 'outline-2 outline-accent' : isMarked ? 'outline-2 outline-text outline-dotted' : ''}`}
    >
      <Shape status={status} />
    </span>
  )
})

/** Line about the selected task. */
function Current({ task }: { readonly task: Task | undefined }) {
  const words = useWords()
  if (!task)
    return (
      <p className="text-xs text-text-3">
        <Inline text={words('fanouts.matrix.hint')} />
      </p>
    )
  const { index, status, label, agent, error, run_id } = task
  return (
    <p
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm [overflow-wrap:anywhere]"
    >
      <span className="font-mono text-xs text-text-2">#{index}</span>
      <Status state={stateOf(status)} />
      <span className="font-medium">
        <Plain text={label ?? agent} />
      </span>
      <span className="min-w-0 text-text-2">
        <Plain text={task.task} />
      </span>
      {error && (
        <span className="text-failed">
          <Plain text={error.message} />
        </span>
      )}
      {run_id === null ? (
        <span className="text-text-3">{words('fanouts.task.none')}</span>
      ) : (
        <RunLink run={run_id} text={words('fanouts.task.open')} />
      )}
    </p>
  )
}
