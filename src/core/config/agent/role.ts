/**
 * Determines the role of a subagent: the `role` parameter, else a `[role]` prefix of its label,
 * else of its task. A valid prefix is always removed from the task; `[qa team]` is ordinary text.
 */

import { roleName } from '../../../lib/name.ts'
import { fail, type Outcome, ok } from '../../../lib/outcome.ts'

export interface Tasked {
  /** Role of the subagent; null if none is specified. */
  readonly role: string | null
  /** Task of the subagent, without the role prefix. */
  readonly task: string
}

/** Parses the role of a subagent request; a failure contains a message for the caller. */
export function parseRole(request: {
  readonly role?: string | undefined
  readonly label?: string | undefined
  readonly task: string
}): Outcome<Tasked, string> {
  const prefix = rolePrefix(request.task)
  const task = prefix === undefined ? request.task : prefix.rest
  if (task.trim() === '') return fail('task is required')
  if (request.role !== undefined && request.role.trim() !== '') {
    const role = roleName(request.role)
    if (role === undefined)
      return fail(`role \`${request.role}\` can contain only a-z, 0-9, _, and -`)
    return ok({ role, task })
  }
  const labelled = request.label === undefined ? undefined : rolePrefix(request.label)
  return ok({ role: labelled?.role ?? prefix?.role ?? null, task })
}

/** Splits `[frontend] fix it` into role and task; undefined if there is no valid prefix. */
export function rolePrefix(
  text: string,
): { readonly role: string; readonly rest: string } | undefined {
  const match = /^\s*\[([^\]]*)\]/.exec(text)
  const role = match === null ? undefined : roleName(match[1] ?? '')
  return role === undefined ? undefined : { role, rest: text.slice(match?.[0].length).trim() }
}
