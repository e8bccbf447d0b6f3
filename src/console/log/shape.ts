/** View of runs that pages show: messages, calls, and subagents, by ID. */

import type { components, Delta, RunEvent } from '../../client/index.ts'

type Schemas = components['schemas']
export type ChatEvent = RunEvent | Delta | { readonly type: 'subagent.started' }

/** Full text from a log, or the preview of a large text, which is loaded by its digest. */
export type LogText = Schemas['MessageReceivedData']['text']
export type Usage = Schemas['Usage']
type RunError = Schemas['RunError']
type Announce = Schemas['Announce']
type Todo = Schemas['Todo']
export type Warning = Schemas['Warning']
export type Question = Schemas['QuestionAskedData']
type Decision = Schemas['ApprovalDecidedData']

interface Input {
  readonly kind: 'input'
  readonly key: string
  readonly text: LogText
  /** Sender of a message to a live run: a person, or the model of the parent run. */
  readonly by?: 'person' | 'parent'
  /** RFC 3339. */
  readonly at?: string
}
interface Output {
  readonly kind: 'text' | 'reasoning'
  readonly key: string
  readonly text: LogText
  readonly step: number
  /** Whether the model is still writing the message. */
  readonly live?: true
}
interface Approval {
  readonly id: string
  readonly decision?: Decision['decision']
  readonly reason?: string | null
}
interface Child {
  readonly run_id: string
  readonly agent: string
  readonly label: string | null
  readonly task: string
  readonly waits?: boolean
  readonly announce?: Announce
}
export interface Call {
  readonly kind: 'call'
  /** ID of the tool call. */
  readonly key: string
  readonly tool: string
  readonly mode: string
  readonly arguments: LogText
  /** Number of the answer that contains the call, from 0; absent for messages of a transcript. */
  readonly step?: number
  readonly status: 'pending' | 'asks' | 'running' | 'ok' | 'error' | 'unknown' | 'refused'
  /** Start time of the call from the log, in RFC 3339 format. */
  readonly since?: string
  readonly result?: LogText
  readonly duration_ms?: number
  readonly approval?: Approval
  readonly question?: Question & { readonly outcome?: string }
  readonly skill?: string
  readonly child?: Child
}
interface Note {
  readonly kind: 'note'
  readonly key: string
  readonly note: 'skill' | 'compacted' | 'discarded' | 'retry' | 'budget' | 'cancel'
  readonly text: string
}
export type Item = Input | Output | Call | Note

/** Text that a model is writing, until the finished message replaces it. */
export interface Writing {
  readonly epoch: number
  readonly step: number
  readonly text: string
  /** Whether deltas were lost; the finished message contains their text. */
  readonly gap?: true
}

export interface RunView {
  readonly id: string
  /** Sequence number of the newest event, used to detect repeated events. */
  readonly seq: number
  readonly status: Schemas['Run']['status']
  readonly waiting_on?: Schemas['RunWaitingData']['on']
  readonly agent?: string
  readonly model?: string
  readonly label?: string | null
  readonly role?: string | null
  readonly repo_dir?: string | null
  readonly items: readonly Item[]
  readonly writing?: Writing
  readonly steps: number
  readonly usage: Usage
  readonly price?: Schemas['RunStartedData']['price']
  readonly created_at?: string
  readonly started_at?: string
  readonly ended_at?: string
  readonly stop_reason?: string
  readonly error?: RunError
  readonly attachments: readonly string[]
  readonly todos: readonly Todo[]
  readonly warnings: readonly Warning[]
}

/** Run and its subagents, by ID. */
export interface Tree {
  readonly runs: Readonly<Record<string, RunView>>
}

export const EMPTY_TREE: Tree = { runs: {} }

export const previewOf = (body: LogText): string => (typeof body === 'string' ? body : body.preview)

const ENDS: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'timed_out'])
export const endsRun = (status: string): boolean => ENDS.has(status)

/** Returns the descendants of a run whose events do not show that they have ended. */
export const liveBelow = ({ runs }: Tree, id: string): readonly string[] =>
  (runs[id]?.items ?? []).flatMap((item) => {
    if (item.kind !== 'call' || !item.child) return []
    const { run_id } = item.child
    const isEnded = endsRun(runs[run_id]?.status ?? 'queued')
    return [...(isEnded ? [] : [run_id]), ...liveBelow({ runs }, run_id)]
  })

/**
 * Returns the status of a run. Deltas may arrive before the event that reports the run's start or
 * resumption.
 */
export const statusOf = ({ status, writing }: RunView): RunView['status'] =>
  writing && (status === 'queued' || status === 'waiting') ? 'running' : status

/** Returns the cost of token usage in US dollars, or undefined if the model's price is unknown. */
export function costOf(usage: Usage, price?: RunView['price']): number | undefined {
  if (usage.list_price !== undefined) return usage.list_price
  if (!price) return undefined
  const read = usage.cache_read_tokens ?? 0
  const cacheWrites = usage.cache_write_tokens ?? 0
  const plain = Math.max(0, usage.input_tokens - read - cacheWrites)
  const { input_per_million: input, output_per_million: output } = price
  const cached =
    read * (price.cache_read_per_million ?? input) +
    cacheWrites * (price.cache_write_per_million ?? input)
  return (plain * input + cached + usage.output_tokens * output) / 1_000_000
}
