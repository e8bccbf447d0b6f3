/** Cards of a conversation: a tool call, a skill, a subagent; pressed, the panel has all of it. */

import { useWords } from '../../app/words.ts'
import {
  beginningOf,
  type Called,
  costOf,
  endsRun,
  type RunView,
  statusOf,
  type Tree,
} from '../../chat/shape.ts'
import { Status } from '../../ui/badge.tsx'
import { Icon, type IconName } from '../../ui/icons.tsx'
import { amount, dollars, lasted } from '../../ui/text.tsx'
import { InlineApproval } from './inline-approval.tsx'
import { Outcome } from './outcome.tsx'
import { QuestionCard } from './question.tsx'
import { Since } from './since.tsx'

interface Props {
  readonly call: Called
  readonly run: RunView
  readonly tree: Tree
  readonly chosen: boolean
  readonly onOpen: (run: string, call?: string) => void
}

export function CallCard({ call, run, tree, chosen, onOpen }: Props) {
  const { child, question, approval } = call
  const waits = call.status === 'asks' && approval && !endsRun(run.status)
  return (
    <div className="grid gap-2">
      {child ? (
        <SubagentCard {...{ call, child, tree, chosen }} onOpen={() => onOpen(child.run_id)} />
      ) : (
        <ToolCard {...{ call, run, chosen }} onOpen={() => onOpen(run.id, call.key)} />
      )}
      {waits && <InlineApproval id={approval.id} />}
      {child && pendingBelow(tree, child.run_id).map((id) => <InlineApproval key={id} id={id} />)}
      {question && <QuestionCard question={question} run={run.id} ended={endsRun(run.status)} />}
    </div>
  )
}

const SHELL =
  'flex min-h-10 w-full min-w-0 items-center gap-2.5 rounded-lg border px-3 py-1.5 text-left ' +
  'text-sm hover:bg-raised'
const edge = (chosen: boolean): string =>
  chosen ? 'border-accent bg-accent-soft' : 'border-line bg-surface'

function ToolCard({
  call,
  run,
  chosen,
  onOpen,
}: {
  readonly call: Called
  readonly run: RunView
  readonly chosen: boolean
  readonly onOpen: () => void
}) {
  const words = useWords()
  const icon: IconName = call.skill ? 'book' : call.mode === 'spawn' ? 'agent' : 'tool'
  const name = call.skill ? words('chat.skill', { name: call.skill }) : call.tool
  return (
    <button type="button" onClick={onOpen} className={`${SHELL} ${edge(chosen)}`}>
      <span className="text-muted">
        <Icon name={icon} size={16} />
      </span>
      <code className="max-w-[60%] shrink-0 truncate font-mono text-xs font-semibold">{name}</code>
      <span className="min-w-0 flex-1 truncate font-mono text-xs text-muted">
        {call.skill ? '' : briefly(call)}
      </span>
      <span className="shrink-0 text-xs text-muted tabular-nums">
        {call.duration_ms !== undefined ? (
          lasted(call.duration_ms)
        ) : call.status === 'running' && !endsRun(run.status) ? (
          <Since at={call.since} />
        ) : null}
      </span>
      <Outcome call={call} ended={endsRun(run.status)} />
    </button>
  )
}

/** The first values of its arguments, on one line. */
function briefly(call: Called): string {
  const text = beginningOf(call.arguments)
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return text
    return Object.values(value)
      .map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
      .join(' · ')
      .slice(0, 200)
  } catch {
    return text.slice(0, 200)
  }
}

interface Numbers {
  readonly status: string
  readonly steps: number
  readonly time: number | undefined
  readonly since: string | undefined
  readonly cost: number | undefined
  readonly tokens: number
}

/** As its end was announced; until then as its own log has it. */
function numbersOf(call: Called, view: RunView | undefined): Numbers {
  const { announce, waits } = call.child ?? {}
  if (announce) {
    const { status, steps, usage, duration_ms: time } = announce
    const tokens = usage.input_tokens + usage.output_tokens
    return { status, steps, time, since: undefined, cost: usage.list_price, tokens }
  }
  const usage = view?.usage ?? { input_tokens: 0, output_tokens: 0, model_calls: 0 }
  return {
    ...{ status: waits ? 'waiting' : view ? statusOf(view) : 'queued', steps: view?.steps ?? 0 },
    ...{ time: undefined, since: view?.started_at ?? call.since },
    ...{ cost: costOf(usage, view?.price), tokens: usage.input_tokens + usage.output_tokens },
  }
}

function SubagentCard({
  call,
  child,
  tree,
  chosen,
  onOpen,
}: {
  readonly call: Called
  readonly child: NonNullable<Called['child']>
  readonly tree: Tree
  readonly chosen: boolean
  readonly onOpen: () => void
}) {
  const words = useWords()
  const { status, steps, time, since, cost, tokens } = numbersOf(call, tree.runs[child.run_id])
  return (
    <button type="button" onClick={onOpen} className={`${SHELL} py-2 ${edge(chosen)}`}>
      <span className="self-start pt-0.5 text-accent">
        <Icon name="agent" size={18} />
      </span>
      <span className="grid min-w-0 flex-1 gap-0.5">
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="truncate font-medium">{child.label ?? child.agent}</span>
          {child.label && <span className="truncate text-xs text-muted">{child.agent}</span>}
          <Status status={status} />
        </span>
        <span className="truncate text-xs text-muted">{child.task}</span>
        {child.announce?.error && (
          <span className="truncate text-xs text-bad">{child.announce.error.message}</span>
        )}
        <span className="flex flex-wrap gap-x-3 text-xs text-muted tabular-nums">
          <span>{words(steps === 1 ? 'chat.step' : 'chat.steps', { n: steps })}</span>
          <span>{time === undefined ? <Since at={since} /> : lasted(time)}</span>
          <span>{words('chat.tokens', { n: amount(tokens) })}</span>
          {cost !== undefined && <span>{dollars(cost)}</span>}
        </span>
      </span>
      <span className="text-muted">
        <Icon name="right" size={16} />
      </span>
    </button>
  )
}

/** Approvals that wait anywhere below a run. */
function pendingBelow(tree: Tree, run: string): readonly string[] {
  const view = tree.runs[run]
  if (!view || endsRun(view.status)) return []
  return view.items.flatMap((one) => {
    if (one.kind !== 'call') return []
    const own = one.status === 'asks' && one.approval ? [one.approval.id] : []
    return [...own, ...(one.child ? pendingBelow(tree, one.child.run_id) : [])]
  })
}
