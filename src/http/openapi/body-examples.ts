/**
 * Collects the request body examples that `/docs` fills in. A new deployment accepts each example
 * unchanged, unless the description names a value to replace.
 */

import type * as z from 'zod'
import { assert } from '../../lib/assert.ts'
import type { Route } from '../request/route.ts'
import { RUN_BODIES } from '../schemas/runs/run-bodies.examples.ts'
import type { BodyExamples } from '../schemas/shared/body-example.ts'
import { TENANT_BODIES } from '../schemas/tenant/tenant-bodies.examples.ts'

const NAMED_BODIES: BodyExamples = { ...RUN_BODIES, ...TENANT_BODIES }

/**
 * Returns the examples of a request body by name; without named examples, returns the schema's
 * single example.
 */
export function bodyExamples(
  { id, summary }: Route,
  body: z.ZodType,
): NonNullable<BodyExamples[string]> {
  const examples = NAMED_BODIES[id]
  if (examples) return examples
  const [value, ...more] = (body.meta()?.examples as unknown[]) ?? []
  assert(value !== undefined, `the body of ${id} has no example`)
  assert(more.length === 0, `the body of ${id} has several examples; give each a name`)
  return { example: { summary, value } }
}
