/** A conversation as the page shows it: runs with their messages, calls and subagents, by id. */

import type { components, Delta, RunEvent } from '../../client/index.ts'

type Schemas = components['schemas']
export type ChatEvent = RunEvent | Delta | { readonly type: 'subagent.started' }

/** A text, or the beginning of a large one; the run's transcript has the whole. */
export type Body = Schemas['MessageReceivedData']['text']
export type Usage = Schemas['Usage']
type RunError = Schemas['RunError']
type Announce = Schemas['Announce']
type Todo = Schemas['Todo']
type Warning = Schemas['Warning']
export type Asking = Schemas['QuestionAskedData']
type Decision = Schemas['ApprovalDecidedData']

interface Said {
  readonly kind: 'said'
  readonly key: string
  readonly text: Body
  /** Sent while the run worked; `parent`: by the model of the run above. */
  readonly late?: 'person' | 'parent'
}
interface Wrote {
  readonly kind: 'wrote' | 'thought'
  readonly key: string
  readonly text: Body
  readonly step: number
  /** It is being written. */
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
export interface Called {
  readonly kind: 'call'
  /** The id of the call. */
  readonly key: string
  readonly tool: string
  readonly mode: string
  readonly arguments: Body
  readonly status: 'pending' | 'asks' | 'running' | 'ok' | 'error' | 'unknown' | 'refused'
  /** When it began, as the log says. */
  readonly since?: string
  readonly result?: Body
  readonly duration_ms?: number
  readonly approval?: Approval
  readonly question?: Asking & { readonly outcome?: string }
  readonly skill?: string
  readonly child?: Child
  readonly warnings?: readonly Warning[]
}
interface Noted {
  readonly kind: 'note'
  readonly key: string
  readonly note: 'skill' | 'compacted' | 'discarded' | 'retry' | 'cancel'
  readonly text: string
}
export type Item = Said | Wrote | Called | Noted

/** Text that a model is writing: gone as soon as the message is there. */
export interface Writing {
  readonly epoch: number
  readonly step: number
  readonly text: string
  /** Pieces were missed; the finished message has them. */
  readonly gap?: true
}

export interface RunView {
  readonly id: string
  /** Of its newest event: what comes again is known by it. */
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

/** A run with all below it. */
export interface Tree {
  readonly runs: Readonly<Record<string, RunView>>
}

export const NOTHING: Tree = { runs: {} }

export const beginningOf = (body: Body): string => (typeof body === 'string' ? body : body.preview)

const ENDS: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'timed_out'])
export const endsRun = (status: string): boolean => ENDS.has(status)

/** Text comes before the log says that a run has begun or goes on: that is written with it. */
export const statusOf = ({ status, writing }: RunView): RunView['status'] =>
  writing && (status === 'queued' || status === 'waiting') ? 'running' : status

/** US dollars; undefined: no price is known. */
export function costOf(usage: Usage, price?: RunView['price']): number | undefined {
  if (usage.list_price !== undefined) return usage.list_price
  if (!price) return undefined
  const read = usage.cache_read_tokens ?? 0
  const written = usage.cache_write_tokens ?? 0
  const plain = Math.max(0, usage.input_tokens - read - written)
  const { input_per_million: input, output_per_million: output } = price
  const cached =
    read * (price.cache_read_per_million ?? input) +
    written * (price.cache_write_per_million ?? input)
  return (plain * input + cached + usage.output_tokens * output) / 1_000_000
}
