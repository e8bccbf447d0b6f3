/**
 * Facts about a run's memory. Before compaction, the model is asked once for lasting notes:
 * `memory.noted` records its answer, and `memory.flushed` the result of writing the notes.
 */

import { LIMITS } from '../../limits.ts'
import type { Body, Usage } from '../../message.ts'
import type { RunError } from './subagent-facts.ts'

/** Memory notes shown to a run when it starts. */
export interface StartNotes {
  readonly text: Body
  readonly files: readonly {
    readonly path: string
    readonly etag: string
    /** Size of the shown notes in bytes. */
    readonly bytes: number
    /** Whether the notes were truncated. */
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
  /** Number of the step that is due. */
  readonly step: number
  /** Number of pending input entries when the notes were requested. */
  readonly seen: number
  /** Memory entries to write; empty if nothing needs saving, or if `error` is present. */
  readonly entries: readonly NotedEntry[]
  /** Model that returned the notes; null if no model was called, or none answered. */
  readonly model: string | null
  readonly usage: Usage
  /** Error that explains why no model was called, or why none answered. */
  readonly error?: RunError
  /** Whether the provider rejected the conversation as too long, which makes a retry useless. */
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
  /** Errors of failed memory writes; absent if there are none. */
  readonly errors?: readonly RunError[]
  /**
   * Positions of due entries that were not written and are retried at the next step; absent if
   * there are none.
   */
  readonly unwritten?: readonly number[]
}

/** State of the last request to the model for lasting notes. */
export interface Flush {
  readonly at: number
  /** Memory entries still to be written; null if every entry that can be written is written. */
  readonly pending: readonly NotedEntry[] | null
  /** Step at which writing some entries failed; absent if no write failed. */
  readonly tried?: number | undefined
  readonly refused: boolean
  /**
   * Whether the request failed partly or completely; the next request then covers the full
   * conversation.
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
