/** The conversation around a row. */

import type { Item, Tree } from '../log/shape.ts'

/** The actions on a turn; each is undefined where it is not possible. */
export interface TurnActions {
  readonly onRetry: (() => void) | undefined
  readonly onFork: (() => void) | undefined
  readonly onEdit: (() => void) | undefined
}

export interface Context {
  readonly tree: Tree
  /** The run in the panel. */
  readonly panel: string | undefined
  /** The approval that keys decide. */
  readonly keysFor: string | undefined
  readonly onOpen: (run: string) => void
  readonly onFork?: ((item: Item) => void) | undefined
  readonly turnActions?: ((run: string) => TurnActions) | undefined
  /** The last turn, which has a button to retry it. */
  readonly lastTurn?: string | undefined
  readonly isRetrying?: boolean
  /** Whether the rows are in a subagent's panel. */
  readonly isPanel?: boolean
}
