/** Texts of filter values. */

import type { Word } from '../i18n/words.ts'
import { KINDS, RANGES, STATUSES, WAITS } from './filters.ts'

export type MenuName = 'status' | 'waiting_on' | 'kind' | 'since'

/** Returns the text of a value in a menu or chip. */
export function wordOf(name: MenuName, value: string): Word | undefined {
  const groups = { status: STATUSES, waiting_on: WAITS, kind: KINDS, since: Object.keys(RANGES) }
  if (!(groups[name] as readonly string[]).includes(value)) return undefined
  const prefix = {
    status: 'status',
    waiting_on: 'runs.waits',
    kind: 'runs.kind',
    since: 'runs.since',
  }
  return `${prefix[name]}.${value}` as Word
}
