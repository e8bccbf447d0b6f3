/** Groups conversations by day, with a heading for each day. */

import type { Schemas } from '../data/api.ts'
import type { say } from '../i18n/words.ts'
import { dayOf } from '../text/format.ts'

type Session = Schemas['Session']

export interface Entry {
  readonly key: string
  /** Name of the day, if the list entry is a heading. */
  readonly day?: string
  readonly session?: Session
}

const DAY_MS = 86_400_000

/** Returns the entries of the conversation list; `sessions` must be in display order. */
export function entriesOf(sessions: readonly Session[], words: typeof say): readonly Entry[] {
  const today = dayOf(new Date().toISOString())
  const yesterday = dayOf(new Date(Date.now() - DAY_MS).toISOString())
  const entries: Entry[] = []
  let last: string | undefined
  for (const session of sessions) {
    const date = dayOf(session.active_at)
    const isRecent = date === today || date === yesterday
    const day = isRecent ? words(date === today ? 'day.today' : 'day.yesterday') : date
    if (day !== last) entries.push({ key: day, day })
    entries.push({ key: session.id, session })
    last = day
  }
  return entries
}
