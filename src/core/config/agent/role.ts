/**
 * The role of a subagent: the `role` parameter, else a `[role]` prefix of its label, then of its
 * task. A valid prefix is always stripped from the task; `[qa team]` is text.
 */

import { roleName } from '../../../lib/name.ts'
import { fail, type Outcome, ok } from '../../../lib/outcome.ts'

export interface Tasked {
  /** The role, if any. */
  readonly role: string | null
  /** The child's task, without the prefix. */
  readonly task: string
}

/** Parses the role; the failure is a sentence for the caller. */
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
    if (role === undefined) return fail(`role \`${request.role}\` can only have a-z, 0-9, _, and -`)
    return ok({ role, task })
  }
  const labelled = request.label === undefined ? undefined : rolePrefix(request.label)
  return ok({ role: labelled?.role ?? prefix?.role ?? null, task })
}

/** Splits `[frontend] fix it` into role and task; undefined without a valid prefix. */
export function rolePrefix(
  text: string,
): { readonly role: string; readonly rest: string } | undefined {
  const match = /^\s*\[([^\]]*)\]/.exec(text)
  const role = match === null ? undefined : roleName(match[1] ?? '')
  return role === undefined ? undefined : { role, rest: text.slice(match?.[0].length).trim() }
}
