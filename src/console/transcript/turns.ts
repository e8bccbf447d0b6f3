/**
 * Turns of a session, oldest first. Ended runs are loaded from their logs, the live run is
 * followed, and queued runs show their input.
 */

import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { api, type Schemas } from '../data/api.ts'
import { type Live, lastSeen, useLive } from '../data/live.ts'
import { usePages } from '../kit/more.tsx'
import { readAll } from '../log/conversation.ts'
import { isUpTo, itemsOfMessages } from '../log/history.ts'
import { type ChatEvent, EMPTY_TREE, endsRun, type Item, type RunView } from '../log/shape.ts'

export type Run = Schemas['Run']
export interface Turn {
  readonly run: Run
  /** View of the turn's run; absent while the log is loading or the run is queued. */
  readonly view: RunView | undefined
  readonly error?: unknown
}

const EVERY_MS = 5_000
const PAGE = 20
const KEPT_MS = 1_800_000

async function logOf(id: string): Promise<RunView | null> {
  const events: ChatEvent[] = []
  for await (const event of api.runs.events(id)) events.push(event)
  return readAll(events, EMPTY_TREE).runs[id] ?? null
}

export function useTurns(session: string) {
  const cache = useQueryClient()
  const pages = usePages(
    ['session-runs', session],
    (cursor) => api.sessions.runs(session, { order: 'desc', limit: PAGE, cursor }),
    EVERY_MS,
  )
  const newest = pages.data
  const runs = useMemo(
    () => (newest?.pages.flatMap(({ data }) => data) ?? []).toReversed(),
    [newest],
  )
  const current = runs.find(({ status }) => !endsRun(status))
  const live = useLive(current?.id)
  const logs = useQueries({
    queries: runs.map(({ id, status }) => ({
      queryKey: ['run-log', id],
      queryFn: () => logOf(id),
      enabled: endsRun(status),
      ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: KEPT_MS, structuralSharing: false },
    })),
  })
  const isOver = live.isOver
  useEffect(() => {
    if (!isOver) return
    void cache.invalidateQueries({ queryKey: ['session-runs', session] })
    void cache.invalidateQueries({ queryKey: ['sessions'] })
  }, [isOver, session, cache])
  const turns = runs.map((run, index): Turn => {
    const { data, error } = logs[index] ?? {}
    const followed = run.id === current?.id ? live.tree.runs[run.id] : undefined
    return { run, view: followed ?? data ?? lastSeen(run.id), error }
  })
  return { turns, current, live: live as Live, pages }
}

/** Loads the messages that a fork copied from another session. */
export function usePast(session: string): {
  readonly items: readonly Item[]
  readonly session: Schemas['Session'] | undefined
  readonly error: unknown
} {
  const query = useQuery({
    queryKey: ['sessions', 'one', session],
    queryFn: () => api.sessions.get(session),
  })
  const last = query.data?.forked_from?.position
  const past = useQuery({
    queryKey: ['session-past', session, last],
    enabled: last !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const messages: Schemas['TranscriptMessage'][] = []
      for await (const message of api.sessions.messages(session, { order: 'asc' })) {
        if (!isUpTo(message.position ?? '0.0', last ?? '')) break
        messages.push(message)
      }
      return itemsOfMessages(messages)
    },
  })
  return { items: past.data ?? [], session: query.data, error: query.error ?? past.error }
}
