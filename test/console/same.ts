/** Two pages that must show the same. */

import type { Page } from 'playwright-core'
import { until } from '../support/patience.ts'

/** Everything in the conversation and the panel, without times and durations. */
export async function shown(page: Page): Promise<string> {
  const texts = await page.getByRole('log').allInnerTexts()
  return texts
    .join(' | ')
    .replaceAll(/\d\d:\d\d:\d\d|\d+(?:\.\d+)? (?:ms|s|m|h)\b|in \d+ \w+\.?/g, '~')
    .replaceAll(/(?:~\s*)+/g, '~ ')
    .replaceAll(/\s+/g, ' ')
}

/** Looks that must be equal in a row: parts of a page come one after another. */
const IN_A_ROW = 6

/** Returns the text once both pages have shown it for a while. */
export async function untilSame(one: Page, other: Page, when: string): Promise<string> {
  let count = 0
  let last = ''
  let texts: readonly string[] = []
  return until(
    `${when}: both pages show the same`,
    async () => {
      texts = await Promise.all([shown(one), shown(other)])
      const [text = '', also] = texts
      count = text === also && text === last ? count + 1 : 0
      last = text
      return count >= IN_A_ROW && text !== '' && text
    },
    { describe: () => texts.join('\n\n') },
  )
}
