/** Tool call or subagent on one line, with its pending approvals and questions. */

import { LiveApproval } from '../cards/live-approval.tsx'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../kit/icons.tsx'
import { StateIcon, Status } from '../kit/status.tsx'
import { type Call, endsRun, previewOf, type RunView } from '../log/shape.ts'
import { amount, dollars, duration } from '../text/format.ts'
import { summaryOf } from '../text/json.ts'
import { Plain } from '../text/text.tsx'
import { CallDetails } from './call-details.tsx'
import type { Context } from './context.ts'
import { Since } from './elapsed-time.tsx'
import { useUnfolded } from './open-sections.ts'
import { QuestionCard } from './question.tsx'
import { numbersOf, pendingIn, questionsIn, stateOfCall } from './subagents.ts'

interface Props {
  readonly call: Call
  readonly run: RunView
  readonly context: Context
}

export function CallCard({ call, run, context }: Props) {
  const { child, question, approval } = call
  const { tree, keysFor } = context
  const hasEnded = endsRun(run.status)
  const callApprovals = approval && call.status === 'asks' && !hasEnded ? [approval.id] : []
  const waiting = [...callApprovals, ...(child ? pendingIn(tree, child.run_id) : [])]
  return (
    <div className="grid gap-2">
      {child && <SubagentCard {...{ call, child, run, context }} />}
      {!child && !question && <ToolCard {...{ call, run }} />}
      {waiting.map((id) => (
        <LiveApproval key={id} id={id} hasKeys={id === keysFor} />
      ))}
      {question && <QuestionCard question={question} run={run.id} hasEnded={hasEnded} />}
      {child &&
        questionsIn(tree, child.run_id).map((question) => (
          <QuestionCard key={question.question.call} {...question} hasEnded={false} />
        ))}
    </div>
  )
}

const LINE =
  'flex min-h-8 w-full min-w-0 items-center gap-2 px-3 text-left text-sm hover:bg-subtle ' +
  'pointer-coarse:min-h-11'

function ToolCard({ call, run }: Omit<Props, 'context'>) {
  const words = useWords()
  const [isUnfolded, toggle] = useUnfolded(call.key)
  const state = stateOfCall(call, run)
  const name = call.skill ? words('chat.skill', { name: call.skill }) : call.tool
  return (
    <div className="min-w-0 rounded-lg border border-line">
      <button
        type="button"
        aria-expanded={isUnfolded}
        onClick={toggle}
        className={`${LINE} ${isUnfolded ? 'rounded-t-lg' : 'rounded-lg'}`}
      >
        <StateIcon state={state} />
        <span className="sr-only">{words(wordOf(call, state))}</span>
        <code className="max-w-[55%] shrink-0 truncate font-mono text-xs font-semibold">
          <Plain text={name} />
        </code>
        <span className="min-w-0 flex-1 truncate font-mono text-xs text-text-2">
          <Plain text={call.skill ? '' : summaryOf(previewOf(call.arguments))} />
        </span>
        {(state === 'unknown' || state === 'asks') && <Status state={state} hasIcon={false} />}
        {call.status === 'refused' && (
          <span className="text-xs text-text-2">{words('chat.call.refused')}</span>
        )}
        <span className="shrink-0 text-xs text-text-3">
          {call.duration_ms !== undefined && duration(call.duration_ms)}
          {state === 'running' && call.since && <Since at={call.since} />}
        </span>
        <span className={`text-text-3 ${isUnfolded ? 'rotate-90' : ''}`}>
          <Icon name="right" size={14} />
        </span>
      </button>
      {isUnfolded && <CallDetails call={call} run={run} />}
    </div>
  )
}

function wordOf(call: Call, state: ReturnType<typeof stateOfCall>) {
  if (call.status === 'refused') return 'chat.call.refused'
  if (state === 'cancelled') return 'chat.call.stopped'
  if (state === 'queued') return 'chat.call.pending'
  return state === 'completed' ? 'chat.call.ok' : (`status.${state}` as const)
}

interface SubagentProps extends Props {
  readonly child: NonNullable<Call['child']>
}

function SubagentCard({ call, child, run, context }: SubagentProps) {
  const words = useWords()
  const { tree, panel, onOpen } = context
  const isOpen = panel === child.run_id
  const numbers = numbersOf(call, run, tree.runs[child.run_id])
  const { state, steps, time, since, cost, tokens } = numbers
  const error = child.announce?.error
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      data-subagent={child.run_id}
      onClick={() => onOpen(child.run_id)}
      className={`grid w-full min-w-0 gap-0.5 rounded-lg border px-3 py-2 text-left hover:bg-subtle ${isOpen ? 'border-accent bg-selected' : 'border-line'}`}
    >
      <span className="flex min-w-0 items-center gap-2 text-sm">
        <StateIcon state={state} />
        <span className="truncate font-semibold">
          <Plain text={child.label ?? child.agent} />
        </span>
        {child.label && (
          <span className="hidden truncate text-xs text-text-3 sm:inline">
            <Plain text={child.agent} />
          </span>
        )}
        <Status state={state} hasIcon={false} />
        <span className="ml-auto flex shrink-0 items-center gap-x-3 text-xs text-text-3">
          <span className="hidden sm:inline">{words('chat.steps', { n: steps })}</span>
          {time === undefined ? since && <Since at={since} /> : <span>{duration(time)}</span>}
          {cost === undefined ? (
            <span className="hidden sm:inline">{words('chat.tokens', { n: amount(tokens) })}</span>
          ) : (
            <span>{dollars(cost)}</span>
          )}
          <Icon name="right" size={14} />
        </span>
      </span>
      <span className="truncate pl-5.5 text-xs text-text-2">
        <Plain text={child.task} />
      </span>
      {error && (
        <span className="pl-5.5 text-xs text-failed [overflow-wrap:anywhere]">
          <Plain text={error.message} />
        </span>
      )}
    </button>
  )
}
