/**
 * Finds content that a reviewer would not notice before trusting a file: invisible characters and
 * hidden commands.
 *
 * A hidden command is base64 that is decoded and passed to a shell. Legitimate instructions do not
 * need such commands, and a reviewer cannot see their effect. The result is a finding, not a
 * rejection, because the text may only warn of the technique. The check runs in linear time.
 */

import { describeHidden, hiddenIn } from '../../../lib/invisible-characters.ts'
import { warning } from '../diagnostic.ts'
import type { Diagnostic } from '../types.ts'

const DECODER = /base64/gi
/** Maximum number of occurrences checked per file; more occurrences would not add information. */
const MENTIONS = 1_000
const CHARS_BEFORE = 120
const AFTER = 240

const DECODES = /^base64\s[^|;&\n]{0,60}(?:-d|-D|--decode)\b/i
const INTO_SHELL = /\|[\s\\]*(?:sudo\s+)?(?:\/[\w/]{1,40}\/)?(?:ba|da|k|z)?sh\b/
const BY_SHELL = /(?:\beval\b|\b(?:ba|da|k|z)?sh\s+-c\b|\b(?:ba|z)?sh\s+<\()[^\n]*$/

/** Reports invisible characters anywhere in a file; models see these characters escaped. */
export function hiddenCharacters(text: string): Diagnostic[] {
  const hidden = hiddenIn(text)
  if (hidden === undefined) return []
  const hint = 'remove them, or write visible text instead'
  const message = `the file contains ${describeHidden(hidden)}`
  return [warning('hidden_characters', message, { line: hidden.line, hint })]
}

export function hiddenCommands(text: string): Diagnostic[] {
  let mentions = 0
  for (const { index } of text.matchAll(DECODER)) {
    mentions += 1
    if (mentions > MENTIONS) break
    const after = text.slice(index, index + AFTER)
    if (!DECODES.test(after)) continue
    const preceding = text.slice(Math.max(0, index - CHARS_BEFORE), index)
    if (!INTO_SHELL.test(after) && !BY_SHELL.test(preceding)) continue
    const line = text.slice(0, index).split('\n').length
    const message = 'the text decodes Base64 and runs the result in a shell'
    const hint = 'write the command in plain text so that people can read it'
    return [warning('hidden_command', message, { line, hint })]
  }
  return []
}
