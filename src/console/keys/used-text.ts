/** Time in which a key was last used, in the reader's language. */

import { languageOf } from '../i18n/words.ts'
import { type Key, usedRange } from './state.ts'

/** Formats the time between a key's last use, rounded to the hour, and the end of this hour. */
export function usedText(key: Key): string | undefined {
  const range = usedRange(key)
  if (!range) return undefined
  const format = new Intl.DateTimeFormat(languageOf(), {
    ...{ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  })
  return format.formatRange(range.from, range.to)
}
