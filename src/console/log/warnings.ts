/** Warnings that the turns of a conversation show. */

import type { RunView, Warning } from './shape.ts'

/** Informational warning codes, for which nothing is missing. */
const INFORMATION: ReadonlySet<string> = new Set(['tools_deferred'])

export const realWarnings = ({ warnings }: Pick<RunView, 'warnings'>): readonly Warning[] =>
  warnings.filter(({ code }) => !INFORMATION.has(code))

/** Returns, by run ID, the warnings that no earlier run has. */
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
