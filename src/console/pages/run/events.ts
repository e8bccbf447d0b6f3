/** All events of a run and of those below it, as they come; each once, by its run and number. */

import { useEffect, useState } from 'react'
import type { RunEvent } from '../../../client/index.ts'
import { api, noteProblem } from '../../app/api.ts'

export interface Seen {
  readonly events: readonly RunEvent[]
  /** The stream has come to its end. */
  readonly over: boolean
  /** The connection is lost, and is tried again. */
  readonly lost: boolean
  readonly error: unknown
}

/** So many come between two pictures at the most. */
const PICTURE_MS = 150

export function useTreeEvents(runId: string): Seen {
  const [seen, setSeen] = useState<Seen>({ events: [], over: false, lost: false, error: undefined })
  useEffect(() => {
    const stop = new AbortController()
    const known = new Map<string, RunEvent>()
    let lost = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = (over = false, error?: unknown): void => {
      clearTimeout(timer)
      timer = undefined
      setSeen({ events: [...known.values()], over, lost, error })
    }
    const later = (): void => {
      timer ??= setTimeout(show, PICTURE_MS)
    }
    const onLost = (): void => {
      lost = true
      later()
    }
    const follow = async (): Promise<void> => {
      for await (const event of api.runs.stream(runId, {
        tree: true,
        signal: stop.signal,
        onLost,
      })) {
        lost = false
        if (!('seq' in event)) continue
        known.set(`${event.run_id} ${event.seq}`, event as RunEvent)
        later()
      }
      show(true)
    }
    setSeen({ events: [], over: false, lost: false, error: undefined })
    follow().catch((error: unknown) => {
      if (stop.signal.aborted) return
      noteProblem(error)
      show(false, error)
    })
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [runId])
  return seen
}
