/** Result of a built-in tool: a text for the model, and possibly files to attach at the end. */

import type { Media } from '../../core/media.ts'
import type { PinnedSkill } from '../../core/run/log/pin.ts'
import type { Todo } from '../../core/run/log/question-facts.ts'

export interface ToolAnswer {
  readonly status: 'ok' | 'error' | 'unknown'
  readonly text: string
  /** Images, audio, and files that the text references. */
  readonly media?: readonly Media[]
  readonly attachments?: readonly string[]
  /** New to-do list, which replaces the run's list. */
  readonly todos?: readonly Todo[]
  /** Deferred tools that the model can use from now on. */
  readonly found?: readonly string[]
  /** Opened skill with its arguments. */
  readonly opened?: PinnedSkill & { readonly args: string }
}

export const good = (text: string): ToolAnswer => ({ status: 'ok', text })
export const bad = (text: string): ToolAnswer => ({ status: 'error', text })
