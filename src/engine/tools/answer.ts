/** Result of a built-in tool: a text for the model, and possibly files to attach to the run. */

import type { Media } from '../../core/media.ts'
import type { PinnedSkill } from '../../core/run/log/pin.ts'
import type { Todo } from '../../core/run/log/question-facts.ts'

export interface ToolAnswer {
  readonly status: 'ok' | 'error' | 'unknown'
  readonly text: string
  /** Images, audio, and files that the result text references. */
  readonly media?: readonly Media[]
  readonly attachments?: readonly string[]
  /** To-do list that replaces the run's current list. */
  readonly todos?: readonly Todo[]
  /** Names of deferred tools that the model can use from now on. */
  readonly found?: readonly string[]
  /** Skill that the call opened, with its arguments. */
  readonly opened?: PinnedSkill & { readonly args: string }
}

export const good = (text: string): ToolAnswer => ({ status: 'ok', text })
export const bad = (text: string): ToolAnswer => ({ status: 'error', text })
