/**
 * Facts about a run's memory. Before compaction the model is asked once what must last:
 * `memory.noted` is its answer, `memory.flushed` the result of writing it.
 */

import { LIMITS } from '../../limits.ts'
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
  /** Model that answered; null: none was called, or none answered. */
  readonly model: string | null
  readonly usage: Usage
  /** Why no model was called, or none answered. */
  readonly error?: RunError
  /** Whether the provider rejected the conversation as too long, so that a retry is useless. */
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
  /** Places among the entries that were due: these are written at the next step. Absent: none. */
  readonly unwritten?: readonly number[]
}

/** The last request for lasting notes. */
export interface Flush {
  readonly at: number
  /** Entries still to be written; null: all that could be are. */
  readonly pending: readonly NotedEntry[] | null
  /** The step at which some of these could not be written; absent: that was not tried. */
  readonly tried?: number | undefined
  readonly refused: boolean
  /**
   * Whether it failed, in part or completely, so that the next one covers the whole conversation.
   */
  readonly lost: boolean
}

export const notedFlush = (
  { step, entries, error, refused: isRefused }: MemoryNoted,
  previous: Flush | null,
): Flush => {
  const pending = previous?.pending ?? []
  const due = [...pending, ...entries].slice(-LIMITS.memory_flush_pending)
  return {
    at: step,
    pending: due.length > 0 ? due : null,
    ...(entries.length === 0 && pending.length > 0 ? { tried: previous?.tried } : {}),
    refused: isRefused === true,
    lost: error !== undefined || due.length < pending.length + entries.length,
  }
}

export function flushed(flush: Flush, { step, errors = [], unwritten = [] }: MemoryFlushed): Flush {
  const due = (flush.pending ?? []).filter((_, at) => unwritten.includes(at))
  const hasLost = flush.lost || errors.length > unwritten.length
  const { at, refused: isRefused } = flush
  return due.length > 0
    ? { at, pending: due, tried: step, refused: isRefused, lost: hasLost }
    : { at, pending: null, refused: isRefused, lost: hasLost }
}
