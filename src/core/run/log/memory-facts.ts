/**
 * Facts about a run's memory. Before a conversation is shortened the model is asked once what must
 * last: `memory.noted` is its answer, `memory.flushed` says what became of it.
 */

import type { Body, Usage } from '../../message.ts'
import type { RunError } from './subagent-facts.ts'

/** Files of memory that a run was shown at its start. */
export interface StartNotes {
  readonly text: Body
  readonly files: readonly {
    readonly path: string
    readonly etag: string
    /** Bytes that are shown. */
    readonly bytes: number
    /** The rest did not fit. */
    readonly cut?: true
  }[]
}

export interface NotedEntry {
  readonly path?: string
  readonly heading?: string
  readonly content: Body
}

export interface MemoryNoted {
  readonly type: 'memory.noted'
  /** The step that is due. */
  readonly step: number
  /** How many entries of the run's pending input were there. */
  readonly seen: number
  /** Entries to be written; none: nothing must last, or see `error`. */
  readonly entries: readonly NotedEntry[]
  /** The model that answered; null: none was asked, or none answered. */
  readonly model: string | null
  readonly usage: Usage
  /** Why nothing was asked, or no model answered. */
  readonly error?: RunError
  /** The provider has refused the conversation as too long: it need not be sent again. */
  readonly refused?: true
}

export interface MemoryFlushed {
  readonly type: 'memory.flushed'
  readonly step: number
  readonly written: readonly {
    readonly path: string
    readonly added: number
    readonly duplicates: number
  }[]
  /** Writes that failed. Absent: none. */
  readonly errors?: readonly RunError[]
}

/** The last time that the model was asked what must last. */
export interface Flush {
  readonly at: number
  /** Entries still to be written; null: all that could be are. */
  readonly pending: readonly NotedEntry[] | null
  readonly refused: boolean
  /** It failed, in part or whole: the next time all that was said is shown again. */
  readonly lost: boolean
}

export const noted = ({ step, entries, error, refused }: MemoryNoted): Flush => ({
  at: step,
  pending: entries.length > 0 ? entries : null,
  refused: refused === true,
  lost: error !== undefined,
})

export const flushed = (flush: Flush, { errors }: MemoryFlushed): Flush => ({
  ...flush,
  pending: null,
  lost: errors !== undefined,
})
