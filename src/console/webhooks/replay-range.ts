/** Replay of a range of deliveries, part by part: its count first, then the replay itself. */

import type { components } from '../../client/index.ts'

type Range = components['schemas']['ReplayInput']
type Part = components['schemas']['Replayed']

export interface Sum {
  /** Number of deliveries that were replayed, or that a dry run would replay. */
  readonly count: number
  /** Number of deliveries that were left out, because an attempt was in progress. */
  readonly skipped: number
  /** Whether the range contains deliveries that were not read. */
  readonly hasMore: boolean
}

const EMPTY_SUM: Sum = { count: 0, skipped: 0, hasMore: true }

interface Options {
  readonly isDryRun: boolean
  /** Maximum number of requests; unlimited if omitted. */
  readonly maxParts?: number
  readonly onSum?: (sum: Sum) => void
  readonly isStopped?: () => boolean
}

/** Sends the requests of a range one after another, and adds up their results. */
export async function replayParts(
  send: (range: Range) => Promise<Part>,
  range: Range,
  { isDryRun, maxParts = Number.POSITIVE_INFINITY, onSum, isStopped }: Options,
): Promise<Sum> {
  let sum = EMPTY_SUM
  let cursor: string | null = null
  for (let parts = 0; parts < maxParts && !isStopped?.(); parts += 1) {
    const part: Part = await send({
      ...range,
      ...(isDryRun ? { dry_run: true } : {}),
      ...(cursor === null ? {} : { cursor }),
    })
    cursor = part.next_cursor
    sum = {
      count: sum.count + part.replayed.length,
      skipped: sum.skipped + part.in_progress.length,
      hasMore: cursor !== null,
    }
    onSum?.(sum)
    if (cursor === null) break
  }
  return sum
}
