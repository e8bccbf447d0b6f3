/** The tenant's policy and the audit of changes. */

import * as z from 'zod'
import { toolsNamed } from '../../core/config/toolnames.ts'

const globs = z
  .array(z.string().min(1).max(200))
  .max(500)
  .default([])
  .describe('Globs; `*` matches any run of characters')
const name = z.string().min(1).max(200)
/** A pattern that no tool's name could match would look like a rule and be none. */
const toolGlob = name.regex(/^[A-Za-z0-9_*?-]+$/, 'no name of a tool can match this')

export const PolicyInput = z
  .strictObject({
    deny: z
      .strictObject({
        skills: globs,
        servers: globs,
        tools: z.array(toolGlob).max(500).default([]),
      })
      .default({ skills: [], servers: [], tools: [] }),
    approvals: z
      .record(toolGlob, z.enum(['allow', 'ask', 'deny']))
      .default({})
      .describe('Tool glob to rule; of several that match the strictest counts'),
    user_facing_tools: z
      .array(z.string().refine((tool) => toolsNamed(tool)?.includes(tool), 'no tool of ours'))
      .nullable()
      .default(null)
      .describe('What user-facing agents may have; null: the built-in list'),
    strict: z.boolean().default(false),
    on_duplicate: z.enum(['shadow', 'reject']).default('shadow'),
    model_aliases: z.record(name, name).default({}),
    prices: z
      .record(
        name,
        z.strictObject({
          input_per_million: z.number().min(0),
          output_per_million: z.number().min(0),
        }),
      )
      .default({}),
  })
  .meta({ id: 'PolicyInput' })

export const Policy = z.strictObject(PolicyInput.shape).meta({ id: 'Policy' })
