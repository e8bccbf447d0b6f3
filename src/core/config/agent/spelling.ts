/**
 * Keys in another spelling: `disallowed_tools`, `confirmBefore`. A restriction holds however its
 * key is written, so these are read, with a warning that names the proper key.
 */

import { error, warning } from '../diagnostic.ts'
import type { Diagnostic } from '../types.ts'
import type { Head, HeadEntry } from '../yaml/head.ts'

const normalizeKey = (key: string): string => key.replace(/[-_]/g, '').toLowerCase()

/** Whether it is this key, or another spelling of it. */
export const meansKey = (spelling: string, key: string): boolean =>
  spelling === key || normalizeKey(spelling) === normalizeKey(key)

/** Keys that stand for one of these, but not in its own spelling. */
export const otherSpellings = (head: Head, keys: readonly string[]): string[] =>
  [...head.keys()].filter(
    (spelling) => spelling !== keys[0] && keys.some((key) => meansKey(spelling, key)),
  )

export const readAs = (spelling: string, effect: string, key: string, line: number): Diagnostic =>
  warning('key_spelling', `\`${spelling}\` ${effect}`, { line, hint: `${key}:` })

/** The head with these keys in their own spelling; one that stands there twice is an error. */
export function respelled(
  head: Head,
  keys: readonly string[],
): { readonly head: Head; readonly found: readonly Diagnostic[] } {
  const out = new Map<string, HeadEntry>(head)
  const findings: Diagnostic[] = []
  for (const key of keys) {
    for (const spelling of otherSpellings(head, [key])) {
      const entry = head.get(spelling)!
      if (out.has(key)) {
        const message = `\`${spelling}\` and \`${key}\` are the same key: keep one of them`
        findings.push(error('key_spelling', message, { line: entry.line, hint: `${key}:` }))
        continue
      }
      out.delete(spelling)
      out.set(key, entry)
      findings.push(readAs(spelling, `read as \`${key}\``, key, entry.line))
    }
  }
  return { head: out, found: findings }
}
