/** Results of the marked tasks, side by side. */

import { useWords } from '../i18n/words.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { Status } from '../kit/status.tsx'
import { RunLink } from '../run/run-link.tsx'
import { TextDiff } from '../text/diff.tsx'
import { dollars, duration } from '../text/format.ts'
import { Plain } from '../text/text.tsx'
import { type FieldRow, fieldsOf } from './fields.ts'
import { stateOf } from './matrix.tsx'
import { MAX_MARKS } from './state.ts'
import type { Task } from './tasks.ts'

/** Fewest tasks that can be compared. */
const MIN_MARKS = 2

interface BarProps {
  readonly count: number
  readonly isComparing: boolean
  readonly onCompare: () => void
  readonly onUnmark: () => void
}

/** Shows the number of marked tasks with a button that compares them. */
export function MarkedTasks({ count, isComparing, onCompare, onUnmark }: BarProps) {
  const words = useWords()
  if (count === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <span role="status">{words('fanouts.marked', { n: count })}</span>
      <Button disabled={count < MIN_MARKS} onClick={onCompare}>
        {words(isComparing ? 'fanouts.compare.close' : 'fanouts.compare')}
      </Button>
      <IconButton icon="close" size={14} label={words('fanouts.unmark')} onClick={onUnmark} />
      {(count < MIN_MARKS || count === MAX_MARKS) && (
        <span className="text-xs text-text-2">
          {count < MIN_MARKS
            ? words('fanouts.compare.more')
            : words('fanouts.marked.most', { n: MAX_MARKS })}
        </span>
      )}
    </div>
  )
}

interface Props {
  /** Indexes of the compared tasks. */
  readonly marks: readonly number[]
  readonly tasks: readonly Task[]
}

export function Compare({ marks, tasks }: Props) {
  const words = useWords()
  const byIndex = new Map(tasks.map((task) => [task.index, task]))
  const compared = marks.flatMap((index) => byIndex.get(index) ?? [])
  const missing = marks.filter((index) => !byIndex.has(index))
  const fields = fieldsOf(compared.map(({ structured }) => structured))
  return (
    <section aria-label={words('fanouts.compare.title')} className="grid gap-3">
      <h2 className="font-semibold">{words('fanouts.compare.title')}</h2>
      {missing.length > 0 && (
        <p className="text-xs text-text-2">
          {words('fanouts.compare.missing', { tasks: missing.map((n) => `#${n}`).join(' ') })}
        </p>
      )}
      <div className="grid gap-4 md:auto-cols-fr md:grid-flow-col">
        {compared.map((task) => (
          <Result key={task.index} task={task} hasFields={fields !== undefined} />
        ))}
      </div>
      {fields ? <Fields rows={fields} tasks={compared} /> : <TextDiffs tasks={compared} />}
    </section>
  )
}

const textOf = ({ result, partial }: Task): string => result ?? partial ?? ''

/** Shows how the text of each further result differs from the first. */
function TextDiffs({ tasks }: { readonly tasks: readonly Task[] }) {
  const words = useWords()
  const [first, ...otherTasks] = tasks.filter((task) => textOf(task) !== '')
  if (!first) return null
  return otherTasks.map((other) => {
    const label = words('fanouts.compare.texts', { left: first.index, right: other.index })
    return (
      <div key={other.index} className="grid min-w-0 gap-1">
        <h3 className="text-xs text-text-2">{label}</h3>
        {textOf(first) === textOf(other) ? (
          <p className="text-sm">{words('fanouts.compare.equal')}</p>
        ) : (
          <TextDiff left={textOf(first)} right={textOf(other)} label={label} />
        )}
      </div>
    )
  })
}

function Result({ task, hasFields }: { readonly task: Task; readonly hasFields: boolean }) {
  const words = useWords()
  const { index, status, label, agent, run_id, error, duration_ms, usage } = task
  const text = hasFields && task.structured ? '' : textOf(task)
  const name = label ?? agent
  return (
    <article
      aria-label={`#${index}`}
      className="grid min-w-0 content-start gap-1.5 rounded-lg border border-line p-3 text-sm"
    >
      <h3 className="flex min-w-0 items-center gap-2">
        <span className="font-mono text-xs text-text-3">#{index}</span>
        <span className="min-w-0 truncate font-medium">
          {run_id === null ? <Plain text={name} /> : <RunLink run={run_id} text={name} />}
        </span>
      </h3>
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-text-2">
        <Status state={stateOf(status)} />
        {duration_ms !== null && <span>{duration(duration_ms)}</span>}
        {usage?.list_price !== undefined && <span>{dollars(usage.list_price)}</span>}
      </p>
      <p className="line-clamp-3 text-xs text-text-2 [overflow-wrap:anywhere]">
        <Plain text={task.task} />
      </p>
      {error && (
        <p className="text-xs text-failed [overflow-wrap:anywhere]">
          <Plain text={error.message} />
        </p>
      )}
      {text && (
        <p className="max-h-[50dvh] overflow-y-auto whitespace-pre-wrap [overflow-wrap:anywhere]">
          <Plain text={text} />
        </p>
      )}
      {task.truncated && <p className="text-xs text-asks">{words('fanouts.compare.cut')}</p>}
      {!error && !task.structured && !text && (
        <p className="text-xs text-text-3">{words('fanouts.compare.none')}</p>
      )}
    </article>
  )
}

interface FieldsProps {
  readonly rows: readonly FieldRow[]
  readonly tasks: readonly Task[]
}

function Fields({ rows, tasks }: FieldsProps) {
  const words = useWords()
  return (
    <div
      role="group"
      tabIndex={0}
      aria-label={words('fanouts.compare.fields')}
      className="overflow-x-auto rounded-lg border border-line"
    >
      <table className="w-full min-w-max text-left text-sm md:min-w-full md:table-fixed">
        <thead className="bg-subtle text-xs text-text-2">
          <tr>
            <th scope="col" className="px-3 py-1.5 font-medium">
              {words('fanouts.compare.field')}
            </th>
            {tasks.map(({ index }) => (
              <th key={index} scope="col" className="px-3 py-1.5 font-mono font-medium">
                #{index}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, values, isSame }) => (
            <tr key={name} className="border-t border-line align-top">
              <th scope="row" className="max-w-48 px-3 py-1.5 font-medium [overflow-wrap:anywhere]">
                <Plain text={name} />
                {!isSame && (
                  <span className="block text-xs font-normal text-asks">
                    ≠ {words('fanouts.compare.differs')}
                  </span>
                )}
              </th>
              {values.map((value, at) => (
                <td
                  key={tasks[at]?.index}
                  className="max-w-64 px-3 py-1.5 whitespace-pre-wrap [overflow-wrap:anywhere]"
                >
                  {value === undefined ? (
                    <span className="text-text-3">–</span>
                  ) : (
                    <Plain text={value} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
