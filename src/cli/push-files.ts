/**
 * Selects the files of a folder that `strata push` sends, and lists excluded files with the reason.
 */

import { LINK_HINT, type Unread } from '../core/config/layer/folder-check.ts'
import {
  INSTRUCTIONS_HINT,
  instructionsUnread,
  isInstructions,
} from '../core/config/layer/instructions.ts'
import type { FileRecord } from '../core/config/types.ts'
import type { Folder } from './folder.ts'
import type { Listing } from './listing.ts'
import type { PushReport } from './push-report.ts'

/** Findings of `strata check` about the files to push, by path. */
export type Checked = ReadonlyMap<string, FileRecord>

/** Returns the files to send. Reports excluded files by name and ignored files by rule. */
export function selectFiles({ folder, rules, read }: Listing, report: PushReport): Folder {
  const { files, others: unreadFiles } = folder
  const selected: string[] = []
  const tests: Unread[] = []
  const ignored = new Map<string, number>()
  const ignore = (rule: string): unknown => ignored.set(rule, (ignored.get(rule) ?? 0) + 1)
  for (const { path, why: reason, closed, link } of unreadFiles) {
    if (closed) ignore(reason)
    else if (rules.ignored(path) === undefined) {
      const severity = link ? 'warning' : 'note'
      const hint = link ? LINK_HINT : null
      report.finding(
        path,
        { severity, code: 'not_read', message: reason, hint },
        `skipped: ${reason}`,
      )
    }
  }
  for (const path of files) {
    const rule = rules.ignored(path)
    const secret = rules.secret(path)
    if (rule !== undefined) ignore(rule)
    else if (secret !== undefined) withhold(report, path, secret)
    else if (rules.ofTests(path, () => read(path)))
      tests.push({ path, why: 'a test of the pack', link: false })
    else selected.push(path)
  }
  const unread = selected.filter(isInstructions)
  for (const [index, path] of unread.entries())
    report.finding(path, instructionsUnread(), index < MAX_NAMED ? INSTRUCTIONS : undefined)
  if (unread.length > MAX_NAMED)
    report.note(`${unread.length - MAX_NAMED} more files with instructions that runs do not read`)
  if (tests.length > 0) report.note(`skipped as tests of the pack: ${tests.length}`)
  ignored.delete('git')
  for (const [rule, count] of ignored) report.note(`skipped because of ${rule}: ${count}`)
  return { files: selected, others: [...unreadFiles, ...tests] }
}

/**
 * Excludes files that do not load, because a run that needs such a file would be rejected.
 * `--force` sends them anyway.
 */
export function loadable(
  folder: Folder,
  checked: Checked,
  { report, force }: { readonly report: PushReport; readonly force: boolean },
): Folder {
  if (force) return folder
  const rejected = folder.files.filter((path) => checked.get(path)?.status === 'rejected')
  for (const path of rejected) {
    report.checked(checked.get(path)!)
    report.unread += 1
  }
  if (rejected.length > 0)
    report.note(`not sent because they do not load: ${rejected.length}; use --force to send them`)
  const skipped = rejected.map((path) => ({ path, why: 'the file does not load', link: false }))
  return {
    files: folder.files.filter((path) => !rejected.includes(path)),
    others: [...folder.others, ...skipped],
  }
}

/** Maximum number of instruction files that one message names. */
const MAX_NAMED = 5
const INSTRUCTIONS = `sent, but runs do not read instructions from it: ${INSTRUCTIONS_HINT}`

export function withhold(report: PushReport, path: string, reason: string): void {
  const hint = `--include ${path}`
  const sentence = `skipped: ${reason}; use ${hint} to send it`
  report.finding(path, { severity: 'note', code: 'withheld', message: reason, hint }, sentence)
}
