/**
 * The turns of a session, oldest first: those that have ended are read from their logs, the one
 * that is under way is followed, and those that wait for their turn are shown as they were asked.
 */

import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { api, type Schemas } from '../app/api.ts'
import { usePages } from '../ui/more.tsx'
import { readAll } from './conversation.ts'
import { isUpTo, itemsOfMessages } from './history.ts'
import { type Live, seenOf, useLive } from './live.ts'
import { type ChatEvent, endsRun, type Item, NOTHING, type RunView } from './shape.ts'

export type Run = Schemas['Run']
export interface Turn {
  readonly run: Run
  /** Absent: its log is being read, or it waits for its turn. */
  readonly view: RunView | undefined
  readonly error?: unknown
}

const EVERY_MS = 5_000
const PAGE = 20
const KEPT_MS = 1_800_000

async function logOf(id: string): Promise<RunView | null> {
  const events: ChatEvent[] = []
  for await (const event of api.runs.events(id)) events.push(event)
  return readAll(events, NOTHING).runs[id] ?? null
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
  const over = live.over
  useEffect(() => {
    if (!over) return
    void cache.invalidateQueries({ queryKey: ['session-runs', session] })
    void cache.invalidateQueries({ queryKey: ['sessions'] })
  }, [over, session, cache])
  const turns = runs.map((run, index): Turn => {
    const { data, error } = logs[index] ?? {}
    const followed = run.id === current?.id ? live.tree.runs[run.id] : undefined
    return { run, view: followed ?? data ?? seenOf(run.id), error }
  })
  return { turns, current, live: live as Live, pages }
}

/** The past that a fork brought along. */
export function usePast(session: string): {
  readonly items: readonly Item[]
  readonly session: Schemas['Session'] | undefined
  readonly error: unknown
} {
  const found = useQuery({
    queryKey: ['sessions', 'one', session],
    queryFn: () => api.sessions.get(session),
  })
  const last = found.data?.forked_from?.position
  const past = useQuery({
    queryKey: ['session-past', session, last],
    enabled: last !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const messages: Schemas['TranscriptMessage'][] = []
      for await (const one of api.sessions.messages(session, { order: 'asc' })) {
        if (!isUpTo(one.position ?? '0.0', last ?? '')) break
        messages.push(one)
      }
      return itemsOfMessages(messages)
    },
  })
  return { items: past.data ?? [], session: found.data, error: found.error ?? past.error }
}
