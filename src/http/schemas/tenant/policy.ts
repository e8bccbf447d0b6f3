/** The tenant's policy and the audit of changes. */

import * as z from 'zod'
import { toolsNamed } from '../../../core/config/agent/tool-names.ts'
import { ToolRuleShape } from '../../../core/config/argument-rules.ts'
import { LIMITS } from '../../../core/limits.ts'
import { MEMORY_SCOPES } from '../../../core/memory/scope.ts'
import { mayMatchTool, nearestTool } from '../../../core/tools/requested-tools.ts'
import { POLICIES } from '../shared/examples.ts'

const GLOBS = 'Globs; `*` matches any characters'
const globs = (of: string) =>
  z
    .array(z.string().min(1).max(200))
    .max(500)
    .default([])
    .describe(`${of} that no run has, regardless of its layers. ${GLOBS}`)
const name = z.string().min(1).max(200)
/** A pattern that no tool's name could match would look like a rule and be none. */
const globText = name.regex(/^[A-Za-z0-9_*?-]+$/, 'no tool name can match this')
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
            'Tools that no run can call, as the model sees them: `web_fetch`, `mcp__helpdesk__*`. ' +
              `${GLOBS}`,
          ),
      })
      .default({ skills: [], servers: [], tools: [] })
      .describe('Skills, servers, and tools that no run gets'),
    approvals: z
      .record(globText, ToolRuleShape)
      .superRefine((rules, context) => {
        for (const glob of Object.keys(rules)) {
          if (mayMatchTool(glob)) continue
          context.addIssue({ code: 'custom', path: [glob], message: noMatch(glob) })
        }
      })
      .default({})
      .describe('Map from tool glob to rule; if several match, the strictest applies'),
    user_facing_tools: z
      .array(z.string().refine((tool) => toolsNamed(tool)?.includes(tool), 'not a built-in tool'))
      .nullable()
      .default(null)
      .describe('Tools that user-facing agents can use; null: the built-in list'),
    strict: z
      .boolean()
      .default(false)
      .describe('Whether warnings about files refuse requests that do not set `strict`'),
    on_duplicate: z
      .enum(['shadow', 'reject'])
      .default('shadow')
      .describe('When layers define the same name: use the nearer one, or refuse the request'),
    on_missing_tools: z
      .enum(['refuse', 'allow'])
      .default('refuse')
      .describe(
        'When none of the tools that a run names is available: refuse the run, or start it',
      ),
    on_invalid_role: z
      .enum(['base', 'refuse'])
      .default('base')
      .describe('When a role has no layer: use the base layer with a warning, or refuse the run'),
    skills_role_dir: z
      .string()
      .max(200)
      .regex(
        /^[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/,
        'a folder, e.g. `skills`',
      )
      .default('skills')
      .describe(
        'Folder of the base layer with skills by role in the older layout: ' +
          '`<folder>/<role>/<skill>/`',
      ),
    model_aliases: z
      .record(name, name)
      .default({})
      .describe(
        'Map from alias to `provider/model`; takes precedence over the aliases of the ' +
          'deployment',
      ),
    prices: z
      .record(
        name,
        z.strictObject({
          input_per_million: z.number().min(0).describe('US dollars per million input tokens'),
          output_per_million: z.number().min(0).describe('US dollars per million output tokens'),
          cache_read_per_million: z
            .number()
            .min(0)
            .optional()
            .describe("Input read from the provider's cache; absent: same as input"),
          cache_write_per_million: z
            .number()
            .min(0)
            .optional()
            .describe("Input written to the provider's cache; absent: same as input"),
        }),
      )
      .default({})
      .describe(
        'Map from `provider/model` to its price in US dollars; without a price, no cost is ' +
          'computed',
      ),
    model_patience_seconds: z
      .int()
      .min(0)
      .max(LIMITS.model_patience_seconds_max)
      .nullable()
      .default(null)
      .describe(
        'How long runs wait for an unavailable model, in seconds, when neither the run nor ' +
          'its agent sets it; 0: three attempts; null: the value of the deployment',
      ),
    cors_origins: z
      .array(z.string().max(300))
      .max(100)
      .nullable()
      .default(null)
      .describe(
        'Origins whose pages can read responses, among those in `STRATA_CORS_ORIGINS`; null: ' +
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
        'Whether webhooks of `approval.requested` carry a link for a decision (`decide_url`); ' +
          'every receiver can then decide. Requires `STRATA_PUBLIC_URL`, and a caller that can ' +
          'decide; null: no links',
      ),
    memory: z
      .strictObject({
        scope: z
          .enum(MEMORY_SCOPES)
          .nullable()
          .default(null)
          .describe('Memory of agents whose files do not mention it; null: none'),
        start: z
          .boolean()
          .default(true)
          .describe('Whether runs with memory start with its MEMORY.md and the notes of two days'),
      })
      .default({ scope: null, start: true })
      .describe('Memory of agents whose files do not mention it'),
    web: z
      .strictObject({
        allowed_domains: domains(
          'Only these, including subdomains; empty: all that are not denied',
        ),
        denied_domains: domains('Never these, including subdomains'),
        robots: z
          .enum(['respect', 'ignore'])
          .default('respect')
          .describe('Whether to respect `robots.txt`'),
      })
      .default({ allowed_domains: [], denied_domains: [], robots: 'respect' })
      .describe('What `web_fetch` and `web_search` can reach'),
  })
  .meta({
    id: 'PolicyInput',
    description: 'The complete policy; omitted members have their defaults',
    examples: POLICIES,
  })

export const Policy = z.strictObject(PolicyInput.shape).meta({
  id: 'Policy',
  description: 'Rules of the tenant that layers cannot override',
  examples: POLICIES,
})
