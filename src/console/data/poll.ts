/** Polls events of a run and its subagents page by page, for a page whose stream is in use. */

import { type ChatEvent, endsRun, liveBelow, type Tree } from '../log/shape.ts'
import { api, ConnectionError, ProblemError } from './api.ts'

/**
 * Maximum number of subagent logs read per round; the next round continues with the remaining ones.
 */
const SUBAGENTS = 20

interface Polled {
  readonly tree: () => Tree
  readonly take: (events: readonly ChatEvent[]) => void
  readonly signal: AbortSignal
}

/**
 * Returns a function that loads new events; its result is true once the entire tree of runs has
 * ended.
 */
export function pollOf(id: string, { tree, take, signal }: Polled): () => Promise<boolean> {
  /** IDs of subagents whose logs have been deleted. */
  const deleted = new Set<string>()
  let from = 0
  const read = async (run: string): Promise<void> => {
    for (let hasMore = true; hasMore; ) {
      const after = String(tree().runs[run]?.seq ?? 0)
      const { data, has_more = false } = await api.runs.events(run, { after }, { signal })
      take(data)
      hasMore = has_more
    }
  }
  const isEnded = (): boolean => endsRun(tree().runs[id]?.status ?? 'queued')
  const below = (): readonly string[] => liveBelow(tree(), id).filter((run) => !deleted.has(run))
  return async () => {
    if (!isEnded()) await read(id)
    const live = below()
    from = from < live.length ? from : 0
    for (const run of live.slice(from, from + SUBAGENTS))
      await read(run).catch((error: unknown) => {
        if (!(error instanceof ProblemError) || error.status !== 404) throw error
        deleted.add(run)
      })
    from += SUBAGENTS
    return isEnded() && below().length === 0
  }
}

/** Whether the request that failed with this error may succeed later. */
export const mayPass = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (error instanceof ProblemError && (error.status === 429 || error.status >= 502))
