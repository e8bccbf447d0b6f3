/**
 * Keys in another spelling: `disallowed_tools`, `confirmBefore`. A restriction holds however its
 * key is written, so these are read, with a warning that names the proper key.
 */

import { error, warning } from '../diagnostic.ts'
import type { Diagnostic } from '../types.ts'
import type { Head, HeadEntry } from '../yaml/head.ts'

const squeezed = (key: string): string => key.replace(/[-_]/g, '').toLowerCase()

/** Whether it is this key, or another spelling of it. */
export const meansKey = (written: string, key: string): boolean =>
  written === key || squeezed(written) === squeezed(key)

/** Keys that stand for one of these, but not in its own spelling. */
export const otherSpellings = (head: Head, keys: readonly string[]): string[] =>
  [...head.keys()].filter(
    (written) => written !== keys[0] && keys.some((key) => meansKey(written, key)),
  )

export const readAs = (written: string, what: string, key: string, line: number): Diagnostic =>
  warning('key_spelling', `\`${written}\` ${what}`, { line, hint: `${key}:` })

/** The head with these keys in their own spelling; one that stands there twice is an error. */
export function respelled(
  head: Head,
  keys: readonly string[],
): { readonly head: Head; readonly found: readonly Diagnostic[] } {
  const out = new Map<string, HeadEntry>(head)
  const found: Diagnostic[] = []
  for (const key of keys) {
    for (const written of otherSpellings(head, [key])) {
      const entry = head.get(written)!
      if (out.has(key)) {
        const message = `\`${written}\` and \`${key}\` are the same key: keep one of them`
        found.push(error('key_spelling', message, { line: entry.line, hint: `${key}:` }))
        continue
      }
      out.delete(written)
      out.set(key, entry)
      found.push(readAs(written, `read as \`${key}\``, key, entry.line))
    }
  }
  return { head: out, found }
}
