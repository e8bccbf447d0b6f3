/** Context of a conversation row: the data and actions of its conversation. */

import type { Item, Tree } from '../log/shape.ts'

/** Actions on a turn; an unavailable action is undefined. */
export interface TurnActions {
  readonly onRetry: (() => void) | undefined
  readonly onFork: (() => void) | undefined
  readonly onEdit: (() => void) | undefined
}

export interface Context {
  readonly tree: Tree
  /** ID of the run that the side panel shows. */
  readonly panel: string | undefined
  /** ID of the approval that keyboard shortcuts decide. */
  readonly keysFor: string | undefined
  readonly onOpen: (run: string) => void
  readonly onFork?: ((item: Item) => void) | undefined
  readonly turnActions?: ((run: string) => TurnActions) | undefined
  /** ID of the last turn, the only one with a retry button. */
  readonly lastTurn?: string | undefined
  readonly isRetrying?: boolean
  /** Whether the rows are shown in a subagent's panel. */
  readonly isPanel?: boolean
}
