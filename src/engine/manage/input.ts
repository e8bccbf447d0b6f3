/** Validates operation parameters from a model or an MCP client. */

import type * as z from 'zod'
import { withoutNulls } from '../../core/nulls.ts'
import { type ProblemPlace, type Refusal, refusal } from '../../core/problem.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'

export function parsedInput<S extends z.ZodObject>(
  schema: S,
  input: unknown,
): Outcome<z.output<S>, Refusal> {
  const parsed = schema.safeParse(withoutNulls(schema, input))
  if (parsed.success) return ok(parsed.data)
  const errors = parsed.error.issues.flatMap(places).slice(0, 20)
  const [first] = errors
  const detail = `${first?.pointer ?? ''} ${first?.message}`.trim()
  return fail(refusal('invalid_request', detail, { errors }))
}

function places(issue: z.core.$ZodIssue): ProblemPlace[] {
  const pointer = issue.path.map((key) => `/${String(key)}`).join('')
  if (issue.code !== 'unrecognized_keys') return [{ pointer, message: issue.message }]
  const message = 'Unknown parameter.'
  return issue.keys.map((key) => ({ pointer: `${pointer}/${key}`, message }))
}
