/** The conversation around a row. */

import type { Item, Tree } from '../log/shape.ts'

export interface Context {
  readonly tree: Tree
  /** The run in the panel. */
  readonly panel: string | undefined
  /** The approval that keys decide. */
  readonly keysFor: string | undefined
  readonly onOpen: (run: string) => void
  readonly onFork?: ((item: Item) => void) | undefined
  /** Absent for runs that cannot be retried. */
  readonly onRetry?: ((run: string) => (() => void) | undefined) | undefined
  readonly isRetrying?: boolean
  /** The rows stand in the panel, of a subagent. */
  readonly isPanel?: boolean
}
