/**
 * Warns about Claude Code settings. Their hooks and permissions do not apply in runs, which may
 * weaken safety.
 */

import { decode } from '../../../lib/bytes.ts'
import { isMap } from '../../tools/schema-values.ts'
import { warning } from '../diagnostic.ts'
import type { FileRecord } from '../types.ts'

const SETTINGS = /(?:^|\/)\.claude\/settings(?:\.local)?\.json$/
const RULES = ['hooks', 'permissions'] as const
const HINT =
  'the rules as `permission` in agents or `approvals` in the policy, or list the file ' +
  'in .strataignore'

/** Adds a warning to the record of a settings file whose rules do not apply in runs. */
export function withSettings(record: FileRecord, read: (path: string) => Uint8Array): FileRecord {
  const { layer, path, status } = record
  if (status !== 'ignored' || !SETTINGS.test(path)) return record
  const rules = rulesIn(decode(read(layer + path)))
  if (rules?.length === 0) return record
  const message = rules
    ? `the ${rules.join(' and ')} in this file have no effect on runs`
    : 'invalid JSON; any hooks and permissions in the file have no effect on runs'
  return { ...record, diagnostics: [warning('not_honoured', message, { hint: HINT })] }
}

/**
 * Returns the names of the rules in a settings file; undefined if the file is not JSON and names no
 * rule.
 */
function rulesIn(text: string): string[] | undefined {
  try {
    const settings: unknown = JSON.parse(text)
    return isMap(settings) ? RULES.filter((name) => settings[name] !== undefined) : []
  } catch {
    // A settings file with comments is not valid JSON, so the text is searched for member names.
    const names = RULES.filter((name) => text.includes(`"${name}"`))
    return names.length > 0 ? names : undefined
  }
}
