/** Warnings that the turns of a conversation show. */

import type { RunView, Warning } from './shape.ts'

/** Codes of informational warnings, which do not mean that anything is missing. */
const INFORMATION: ReadonlySet<string> = new Set(['tools_deferred'])

export const realWarnings = ({ warnings }: Pick<RunView, 'warnings'>): readonly Warning[] =>
  warnings.filter(({ code }) => !INFORMATION.has(code))

/** Returns the warnings of each run that no earlier run has, by run ID. */
export function freshWarnings(
  views: readonly Pick<RunView, 'id' | 'warnings'>[],
): ReadonlyMap<string, readonly Warning[]> {
  const subjects = new Set<string>()
  const isFresh = ({ code, message }: Warning): boolean => {
    const key = `${code} ${message}`
    return !subjects.has(key) && subjects.add(key) !== undefined
  }
  return new Map(views.map((view) => [view.id, realWarnings(view).filter(isFresh)]))
}
