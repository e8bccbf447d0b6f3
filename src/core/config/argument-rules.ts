/** Schema of argument rules, shared by policies, servers, and requests. */

import * as z from 'zod'
import { LIMITS } from '../limits.ts'

const text = z.string().min(1).max(LIMITS.approval_pattern_length)
const PatternShape = z.union([
  text,
  z
    .record(text, z.union([text, z.number(), z.boolean()]))
    .refine((pattern) => Object.keys(pattern).length > 0, 'must name at least one argument'),
])
const patterns = (means: string) =>
  z.array(PatternShape).max(LIMITS.approval_patterns).optional().describe(means)

export const ArgumentRulesShape = z.strictObject({
  allow: patterns('Calls that need no approval'),
  ask: patterns('Calls that require an approval'),
  deny: patterns('Calls that are refused'),
})

export const ToolRuleShape = z.union([
  z.enum(['allow', 'ask', 'deny']),
  ArgumentRulesShape.refine(
    (rules) => Object.values(rules).some((list) => list !== undefined),
    'must have at least one rule',
  ).describe(
    'Rules by arguments: patterns of commands (`git *`; `@harmless`: commands that only ' +
      'read), paths (`src/**`), or hosts (`*.example.com`), or arguments by name ' +
      '(`{"amount": "<= 100"}`). A specific pattern takes precedence over `*`, and among ' +
      'specific ones deny over ask over allow',
  ),
])
