/** The tenant's policy and the audit of changes. */

import * as z from 'zod'
import { toolsNamed } from '../../../core/config/agent/tool-names.ts'
import { ToolRuleShape } from '../../../core/config/argument-rules.ts'
import { LIMITS } from '../../../core/limits.ts'
import { MEMORY_SCOPES } from '../../../core/memory/scope.ts'
import { mayMatchTool, nearestTool } from '../../../core/tools/requested.ts'
import { POLICIES } from '../shared/examples.ts'

const GLOBS = 'Globs; `*` matches any run of characters'
const globs = (of: string) =>
  z
    .array(z.string().min(1).max(200))
    .max(500)
    .default([])
    .describe(`${of} that no run has, whatever its layers say. ${GLOBS}`)
const name = z.string().min(1).max(200)
/** A pattern that no tool's name could match would look like a rule and be none. */
const globText = name.regex(/^[A-Za-z0-9_*?-]+$/, 'no name of a tool can match this')
const noMatch = (glob: string): string =>
  `${JSON.stringify(glob)} matches no tool; the nearest known one is ${nearestTool(glob)}`
const toolGlob = globText.refine(mayMatchTool, { error: ({ input }) => noMatch(String(input)) })

const domains = (words: string) =>
  z
    .array(
      z
        .string()
        .max(253)
        .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, 'a domain in lower case'),
    )
    .max(1_000)
    .default([])
    .describe(words)

export const PolicyInput = z
  .strictObject({
    deny: z
      .strictObject({
        skills: globs('Skills'),
        servers: globs('MCP servers'),
        tools: z
          .array(toolGlob)
          .max(500)
          .default([])
          .describe(
            'Tools that no run may call, as the model sees them: `web_fetch`, ' +
              `\`mcp__helpdesk__*\`. ${GLOBS}`,
          ),
      })
      .default({ skills: [], servers: [], tools: [] })
      .describe('Skills, servers and tools that no run gets'),
    approvals: z
      .record(globText, ToolRuleShape)
      .superRefine((rules, context) => {
        for (const glob of Object.keys(rules)) {
          if (mayMatchTool(glob)) continue
          context.addIssue({ code: 'custom', path: [glob], message: noMatch(glob) })
        }
      })
      .default({})
      .describe('Tool glob to rule; of several that match the strictest counts'),
    user_facing_tools: z
      .array(z.string().refine((tool) => toolsNamed(tool)?.includes(tool), 'no tool of ours'))
      .nullable()
      .default(null)
      .describe('Tools that user-facing agents may use; null: the built-in list'),
    strict: z
      .boolean()
      .default(false)
      .describe('Whether warnings about files refuse a request that does not say so itself'),
    on_duplicate: z
      .enum(['shadow', 'reject'])
      .default('shadow')
      .describe('When layers define the same name: the nearer one counts, or requests are refused'),
    on_missing_tools: z
      .enum(['refuse', 'allow'])
      .default('refuse')
      .describe('When none of the tools that a run names is available: refuse it or let it run'),
    on_invalid_role: z
      .enum(['base', 'refuse'])
      .default('base')
      .describe('A role that has no layer: use the base layer with a warning, or refuse'),
    skills_role_dir: z
      .string()
      .max(200)
      .regex(
        /^[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/,
        'a folder, e.g. `skills`',
      )
      .default('skills')
      .describe('Folder of the base layer with older skills by role: `<folder>/<role>/<skill>/`'),
    model_aliases: z
      .record(name, name)
      .default({})
      .describe("Alias to `provider/model`, looked up before the deployment's own"),
    prices: z
      .record(
        name,
        z.strictObject({
          input_per_million: z.number().min(0).describe('US dollars for a million input tokens'),
          output_per_million: z.number().min(0).describe('US dollars for a million output tokens'),
          cache_read_per_million: z
            .number()
            .min(0)
            .optional()
            .describe('Input that the provider had in its cache; absent: like any input'),
          cache_write_per_million: z
            .number()
            .min(0)
            .optional()
            .describe('Input that the provider took into its cache; absent: like any input'),
        }),
      )
      .default({})
      .describe('`provider/model` to its price in US dollars; without it no cost'),
    model_patience_seconds: z
      .int()
      .min(0)
      .max(LIMITS.model_patience_seconds_max)
      .nullable()
      .default(null)
      .describe(
        'How long runs wait for a model that is unavailable, in seconds, where neither the run ' +
          "nor its agent sets it; 0: three attempts; null: the deployment's value",
      ),
    cors_origins: z
      .array(z.string().max(300))
      .max(100)
      .nullable()
      .default(null)
      .describe(
        'Origins whose pages may read answers, of those that `STRATA_CORS_ORIGINS` lists; null: ' +
          'all of these',
      ),
    approval_links: z
      .strictObject({
        key_id: z
          .string()
          .min(1)
          .max(100)
          .describe('An API key with approvals:read and approvals:write; the links end with it'),
      })
      .nullable()
      .default(null)
      .describe(
        'Whether webhooks of `approval.requested` carry a link that decides (`decide_url`): who ' +
          'receives them can decide. Needs `STRATA_PUBLIC_URL`, and a caller who may decide; ' +
          'null: they carry none',
      ),
    memory: z
      .strictObject({
        scope: z
          .enum(MEMORY_SCOPES)
          .nullable()
          .default(null)
          .describe('Whose memory agents have whose files say nothing of it; null: they have none'),
        start: z
          .boolean()
          .default(true)
          .describe('Whether runs with memory begin with its MEMORY.md and the notes of two days'),
      })
      .default({ scope: null, start: true })
      .describe('The memory of agents whose files do not say'),
    web: z
      .strictObject({
        allowed_domains: domains(
          'Only these, each with all below it; empty: all that are not denied',
        ),
        denied_domains: domains('Never these, each with all below it'),
        robots: z
          .enum(['respect', 'ignore'])
          .default('respect')
          .describe('Whether pages are left alone that their `robots.txt` does not want read'),
      })
      .default({ allowed_domains: [], denied_domains: [], robots: 'respect' })
      .describe('What `web_fetch` and `web_search` may reach'),
  })
  .meta({
    id: 'PolicyInput',
    description: 'The whole policy; what is omitted has its default',
    examples: POLICIES,
  })

export const Policy = z.strictObject(PolicyInput.shape).meta({
  id: 'Policy',
  description: 'Tenant-wide rules that layers cannot override',
  examples: POLICIES,
})
