/**
 * Recognizes front matter keys in other spellings (`disallowed_tools`, `confirmBefore`). A
 * restriction applies in any spelling, with a warning that names the correct key.
 */

import { error, warning } from '../diagnostic.ts'
import type { Diagnostic } from '../types.ts'
import type { Head, HeadEntry } from '../yaml/head.ts'

const normalizeKey = (key: string): string => key.replace(/[-_]/g, '').toLowerCase()

/** Whether a front matter key is a spelling of the documented `key`. */
export const meansKey = (spelling: string, key: string): boolean =>
  spelling === key || normalizeKey(spelling) === normalizeKey(key)

/** Returns the front matter keys that are other spellings of the documented `keys`. */
export const otherSpellings = (head: Head, keys: readonly string[]): string[] =>
  [...head.keys()].filter(
    (spelling) => spelling !== keys[0] && keys.some((key) => meansKey(spelling, key)),
  )

export const readAs = (spelling: string, effect: string, key: string, line: number): Diagnostic =>
  warning('key_spelling', `\`${spelling}\` ${effect}`, { line, hint: `${key}:` })

/**
 * Returns the front matter with keys in their documented spelling; reports duplicates as errors.
 */
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
        const message = `\`${spelling}\` and \`${key}\` are the same key; keep one of them`
        findings.push(error('key_spelling', message, { line: entry.line, hint: `${key}:` }))
        continue
      }
      out.delete(spelling)
      out.set(key, entry)
      findings.push(readAs(spelling, `interpreted as \`${key}\``, key, entry.line))
    }
  }
  return { head: out, found: findings }
}
