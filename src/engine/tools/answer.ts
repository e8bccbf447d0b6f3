/**
 * The answer of one of our tools: a text for the model, and perhaps keys to hand over at the end.
 */

import type { Media } from '../../core/media.ts'
import type { PinnedSkill } from '../../core/run/log/pin.ts'
import type { Todo } from '../../core/run/log/question-facts.ts'

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
  /** The skill whose instructions it is, and what they were filled with. */
  readonly opened?: PinnedSkill & { readonly args: string }
}

export const good = (text: string): ToolAnswer => ({ status: 'ok', text })
export const bad = (text: string): ToolAnswer => ({ status: 'error', text })
