/** List of a fan-out's tasks, all or those with one status, with links to their runs. */

import { api } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { More, usePages } from '../kit/more.tsx'
import { Loading } from '../kit/notice.tsx'
import { Status } from '../kit/status.tsx'
import { RunLink } from '../run/run-link.tsx'
import { dollars, duration } from '../text/format.ts'
import { Plain } from '../text/text.tsx'
import { stateOf } from './matrix.tsx'
import { TASK_STATUSES, type TaskStatus } from './state.ts'
import type { Task } from './tasks.ts'

const PAGE = 50
const EVERY_MS = 5_000

interface Props {
  readonly id: string
  readonly isLive: boolean
  readonly counts: Readonly<Record<TaskStatus | 'total', number>>
  readonly status: TaskStatus | undefined
  readonly onStatus: (status: TaskStatus | undefined) => void
  /** Indexes of the marked tasks. */
  readonly marks: readonly number[]
  readonly onMark: (index: number) => void
}

export function TaskList({ id, isLive, counts, status, onStatus, marks, onMark }: Props) {
  const words = useWords()
  const pages = usePages<Task>(
    ['fanouts', id, 'list', status ?? 'all', isLive],
    (cursor) => api.fanouts.tasks(id, { limit: PAGE, cursor, ...(status ? { status } : {}) }),
    isLive ? EVERY_MS : undefined,
  )
  const choices = [
    undefined,
    ...TASK_STATUSES.filter((name) => counts[name] > 0 || name === status),
  ]
  return (
    <section className="grid gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="font-semibold">{words('fanouts.tasks')}</h2>
        <div role="group" aria-label={words('fanouts.filter')} className="flex flex-wrap gap-1">
          {choices.map((name) => (
            <button
              key={name ?? 'all'}
              type="button"
              aria-pressed={name === status}
              onClick={() => onStatus(name)}
              className={`min-h-7 rounded-md border px-2 text-xs pointer-coarse:min-h-11 pointer-coarse:px-3 ${
                name === status
                  ? 'border-accent bg-selected text-text'
                  : 'border-line text-text-2 hover:text-text'
              }`}
            >
              {name ? words(`status.${stateOf(name)}`) : words('fanouts.all')}{' '}
              <span className="text-text-3">{counts[name ?? 'total']}</span>
            </button>
          ))}
        </div>
      </div>
      {pages.isPending && <Loading />}
      {pages.isSuccess && pages.items.length === 0 && (
        <p className="text-sm text-text-2">
          {words(pages.hasNextPage ? 'fanouts.searched' : 'fanouts.none')}
        </p>
      )}
      <ul aria-label={words('fanouts.tasks')} className="grid">
        {pages.items.map((task) => (
          <Row
            key={task.index}
            task={task}
            isMarked={marks.includes(task.index)}
            onMark={() => onMark(task.index)}
          />
        ))}
      </ul>
      <More of={pages} />
    </section>
  )
}

interface RowProps {
  readonly task: Task
  readonly isMarked: boolean
  readonly onMark: () => void
}

function Row({ task, isMarked, onMark }: RowProps) {
  const words = useWords()
  const { index, status, label, agent, run_id, error, result, partial, usage, duration_ms } = task
  const name = label ?? agent
  return (
    <li className="grid grid-cols-[auto_3rem_minmax(0,1fr)_auto] gap-x-3 border-t border-line py-2 text-sm md:grid-cols-[auto_3rem_7rem_minmax(0,1fr)_auto]">
      <input
        type="checkbox"
        aria-label={words('fanouts.mark', { n: index })}
        checked={isMarked}
        onChange={onMark}
        className="mt-0.5 size-4 accent-(--accent) pointer-coarse:size-6"
      />
      <span className="font-mono text-xs leading-5 text-text-3">#{index}</span>
      <span className="hidden md:block">
        <Status state={stateOf(status)} />
      </span>
      <span className="grid min-w-0 gap-0.5">
        <span className="flex min-w-0 gap-2">
          <span className="max-w-1/2 shrink-0 truncate">
            {run_id === null ? <Plain text={name} /> : <RunLink run={run_id} text={name} />}
          </span>
          <span className="min-w-0 truncate text-text-2">
            <Plain text={task.task} />
          </span>
        </span>
        <span className="md:hidden">
          <Status state={stateOf(status)} />
        </span>
        {error && (
          <span className="text-xs text-failed [overflow-wrap:anywhere]">
            <Plain text={error.message} />
          </span>
        )}
        {(result ?? partial) && (
          <span className="line-clamp-2 text-xs text-text-2 [overflow-wrap:anywhere]">
            <Plain text={result ?? partial ?? ''} />
          </span>
        )}
        {run_id === null && (
          <span className="text-xs text-text-3">{words('fanouts.task.none')}</span>
        )}
      </span>
      <span className="text-right text-xs whitespace-nowrap text-text-2">
        {duration_ms === null ? '' : duration(duration_ms)}
        {usage?.list_price === undefined ? '' : ` · ${dollars(usage.list_price)}`}
      </span>
    </li>
  )
}
