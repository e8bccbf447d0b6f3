/**
 * The answer of one of our tools: a text for the model, and perhaps keys to hand over at the end.
 */

import type { Media } from '../../core/media.ts'
import type { RunWarning } from '../../core/run/fact-parts.ts'
import type { PinnedSkill } from '../../core/run/pin.ts'
import type { Todo } from '../../core/run/question-facts.ts'
import type { UntrustedSource } from '../../core/run/untrusted.ts'

export interface ToolAnswer {
  readonly status: 'ok' | 'error' | 'unknown'
  readonly text: string
  /** Pictures, sound and files that the text names. */
  readonly media?: readonly Media[]
  readonly attachments?: readonly string[]
  /** The list that replaces the run's own. */
  readonly todos?: readonly Todo[]
  /** Deferred tools that the model is shown from now on. */
  readonly found?: readonly string[]
  /** Of the run, about this call. */
  readonly warnings?: readonly RunWarning[]
  /** Strangers have written it: from where. Absent: it is the tenant's own, or ours. */
  readonly untrusted?: Omit<UntrustedSource, 'run_id'>
  /** The skill whose instructions it is. */
  readonly opened?: PinnedSkill
}

export const good = (text: string): ToolAnswer => ({ status: 'ok', text })
export const bad = (text: string): ToolAnswer => ({ status: 'error', text })
