/** Row of the run list; on narrow pages, a row has two lines. */

import { type MouseEvent as ClickEvent, memo, type ReactNode } from 'react'
import { useWords } from '../i18n/words.ts'
import { type State, StateIcon, Status } from '../kit/status.tsx'
import { amount, dollars, duration, exactTime, shortTime } from '../text/format.ts'
import { Plain } from '../text/text.tsx'
import type { ColumnName } from './columns.ts'
import { hrefOf } from './run-link.ts'
import type { Run } from './use-runs.ts'

/** Layout of a row; the table sets the columns of wide pages. */
export const COLUMNS = 'items-center gap-x-3 pr-4 md:grid-cols-(--columns)'

/** The current row also shows the focus of the grid. */
const CURRENT = 'bg-selected -outline-offset-2 outline-accent group-focus-visible/grid:outline-2'
const NUMBER = 'truncate text-right text-xs text-text-2'

interface Props {
  readonly run: Run
  readonly index: number
  readonly top: number
  readonly columns: readonly ColumnName[]
  /** Current time for a live run, in milliseconds since 1970. */
  readonly now: number
  readonly isCurrent: boolean
  readonly isMarked: boolean
  readonly onMark: (id: string, isRange: boolean) => void
  readonly onOpen: (run: Run) => void
}

export const RunRow = memo(function RunRow(props: Props) {
  const { run, index, top, now, isCurrent, isMarked } = props
  const { id, children, usage, steps } = run
  const tokens = usage.input_tokens + usage.output_tokens
  const has = (name: ColumnName): boolean => props.columns.includes(name)
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus.
    <div
      id={`row-${id}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isMarked}
      style={{ top }}
      className={`absolute inset-x-0 grid h-[60px] contain-strict grid-cols-[36px_auto_minmax(0,1fr)_auto] grid-rows-2 border-b border-line text-sm md:h-9 md:grid-rows-1 ${COLUMNS} ${isCurrent ? CURRENT : 'hover:bg-subtle'}`}
    >
      <MarkCell {...props} />
      {has('status') && (
        <Cell className="flex items-center">
          <RunStatus run={run} />
        </Cell>
      )}
      {has('agent') && (
        <Cell className="truncate">
          <Agent run={run} />
        </Cell>
      )}
      <Cell className="order-5 col-span-2 col-start-2 flex min-w-0 md:order-none md:col-span-1 md:col-start-auto">
        <Text run={run} onOpen={props.onOpen} />
      </Cell>
      {has('started') && (
        <Cell className={NUMBER}>
          <StartTime run={run} />
        </Cell>
      )}
      {has('took') && (
        <Cell className={`order-4 md:order-none ${NUMBER}`}>
          <Took run={run} now={now} />
        </Cell>
      )}
      {has('steps') && <Cell className={NUMBER}>{amount(steps)}</Cell>}
      {has('subagents') && (
        <Cell className={NUMBER}>
          <Subagents total={children.total} live={children.live} />
        </Cell>
      )}
      {has('tokens') && <Cell className={NUMBER}>{amount(tokens)}</Cell>}
      {has('cost') && (
        <Cell className={`order-6 md:order-none ${NUMBER}`}>
          {run.cost === null ? '–' : dollars(run.cost)}
        </Cell>
      )}
    </div>
  )
})

function MarkCell({ run: { id }, isMarked, onMark }: Props) {
  const words = useWords()
  return (
    <Cell className="row-span-2 self-stretch md:row-span-1">
      <label className="relative z-10 flex h-full items-center justify-center">
        <input
          type="checkbox"
          tabIndex={-1}
          checked={isMarked}
          aria-label={words('runs.mark.run', { id })}
          onChange={({ nativeEvent }) =>
            onMark(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }
          className="size-4 accent-(--accent)"
        />
      </label>
    </Cell>
  )
}

function Cell({
  className,
  children,
}: {
  readonly className?: string
  readonly children: ReactNode
}) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus.
    <span role="gridcell" className={className}>
      {children}
    </span>
  )
}

/** Returns the state to display; a run that waits for a person has the state `asks`. */
const stateOf = ({ status, waiting_on }: Run): State =>
  status === 'waiting' && (waiting_on === 'approval' || waiting_on === 'input') ? 'asks' : status

function RunStatus({ run }: { readonly run: Run }) {
  const words = useWords()
  const { waiting_on } = run
  const reason =
    waiting_on && `${words('runs.filter.waiting_on')}: ${words(`runs.waits.${waiting_on}`)}`
  return (
    <span title={reason ?? undefined} className="relative z-10 flex">
      <Status state={stateOf(run)} />
    </span>
  )
}

function Agent({ run: { agent, kind } }: { readonly run: Run }) {
  const words = useWords()
  return (
    <>
      <Plain text={agent} />
      {(kind === 'schedule' || kind === 'hook') && (
        <span className="text-xs text-text-3"> · {words(`runs.kind.${kind}`)}</span>
      )}
    </>
  )
}

/** Whether a click opens the link in this tab. */
const isPlain = ({ ctrlKey, metaKey, shiftKey, altKey }: ClickEvent): boolean =>
  !(ctrlKey || metaKey || shiftKey || altKey)

/** Label and input of a run, or its error. The link covers the row. */
function Text({ run, onOpen }: Pick<Props, 'run' | 'onOpen'>) {
  const { label, input, error } = run
  return (
    <a
      href={hrefOf(run)}
      onClick={(event) => {
        if (!isPlain(event)) return
        event.preventDefault()
        onOpen(run)
      }}
      tabIndex={-1}
      title={error?.message ?? input}
      className="min-w-0 truncate after:absolute after:inset-0"
    >
      {label !== null && (
        <span className="font-medium">
          <Plain text={label} />
          {'  '}
        </span>
      )}
      <span className={label === null && !error ? '' : 'text-text-2'}>
        <Plain text={error ? `${error.code}: ${error.message}` : input} />
      </span>
    </a>
  )
}

function StartTime({ run: { started_at, created_at } }: { readonly run: Run }) {
  const at = started_at ?? created_at
  return (
    <time dateTime={at} title={exactTime(at)}>
      {shortTime(at)}
    </time>
  )
}

function Took({ run, now }: { readonly run: Run; readonly now: number }) {
  const { started_at, ended_at } = run
  if (started_at === null) return '–'
  const end = ended_at === null ? now : Date.parse(ended_at)
  return duration(Math.max(0, end - Date.parse(started_at)))
}

function Subagents({ total, live }: { readonly total: number; readonly live: number }) {
  const words = useWords()
  if (live === 0) return amount(total)
  return (
    <span className="inline-flex items-center justify-end gap-1">
      {amount(total)}
      <span aria-hidden="true" className="inline-flex items-center gap-0.5">
        ({amount(live)} <StateIcon state="running" size={12} />)
      </span>
      <span className="sr-only">{words('runs.subagents.live', { n: live })}</span>
    </span>
  )
}
