/** Schemas of the tenant's policy and of the audit log of changes. */

import * as z from 'zod'
import { toolsNamed } from '../../../core/config/agent/tool-names.ts'
import { ToolRuleShape } from '../../../core/config/argument-rules.ts'
import { LIMITS } from '../../../core/limits.ts'
import { MEMORY_SCOPES } from '../../../core/memory/scope.ts'
import { mayMatchTool, nearestTool } from '../../../core/tools/requested-tools.ts'
import { POLICIES } from '../shared/examples.ts'

const GLOBS = 'Entries are globs, in which `*` matches any characters'
const globs = (of: string) =>
  z
    .array(z.string().min(1).max(200))
    .max(500)
    .default([])
    .describe(`${of} that no run can use, regardless of the run's layers. ${GLOBS}`)
const name = z.string().min(1).max(200)
/** Rejects a pattern that no tool name can match, because its rule would have no effect. */
const globText = name.regex(/^[A-Za-z0-9_*?-]+$/, 'must be able to match a tool name')
const noMatch = (glob: string): string =>
  `${JSON.stringify(glob)} matches no tool; the closest known tool is ` + `${nearestTool(glob)}`
const toolGlob = globText.refine(mayMatchTool, { error: ({ input }) => noMatch(String(input)) })

const domains = (words: string) =>
  z
    .array(
      z
        .string()
        .max(253)
        .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, 'must be a domain in lowercase'),
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
            'Tools that no run can call, by the name that the model sees: `web_fetch`, ' +
              `\`mcp__helpdesk__*\`. ${GLOBS}`,
          ),
      })
      .default({ skills: [], servers: [], tools: [] })
      .describe('Skills, servers, and tools that no run can use'),
    approvals: z
      .record(globText, ToolRuleShape)
      .superRefine((rules, context) => {
        for (const glob of Object.keys(rules)) {
          if (mayMatchTool(glob)) continue
          context.addIssue({ code: 'custom', path: [glob], message: noMatch(glob) })
        }
      })
      .default({})
      .describe('Map from tool glob to rule; if several globs match, the strictest rule applies'),
    user_facing_tools: z
      .array(
        z.string().refine((tool) => toolsNamed(tool)?.includes(tool), 'must be a built-in tool'),
      )
      .nullable()
      .default(null)
      .describe('Tools that user-facing agents can use; `null` for the built-in list'),
    strict: z
      .boolean()
      .default(false)
      .describe('Whether warnings about files cause requests without `strict` to be rejected'),
    on_duplicate: z
      .enum(['shadow', 'reject'])
      .default('shadow')
      .describe(
        'Behavior if several layers define the same name: use the nearer definition, or ' +
          'reject the request',
      ),
    on_missing_tools: z
      .enum(['refuse', 'allow'])
      .default('refuse')
      .describe(
        "Behavior if none of a run's named tools is available: reject the run, or start the " +
          'run anyway',
      ),
    on_invalid_role: z
      .enum(['base', 'refuse'])
      .default('base')
      .describe(
        'Behavior if a role has no layer: use the base layer with a warning, or reject the ' +
          'run',
      ),
    skills_role_dir: z
      .string()
      .max(200)
      .regex(
        /^[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/,
        'a folder, e.g. `skills`',
      )
      .default('skills')
      .describe(
        'Folder in the base layer that contains skills by role in the older layout: ' +
          '`<folder>/<role>/<skill>/`',
      ),
    model_aliases: z
      .record(name, name)
      .default({})
      .describe(
        "Map from alias to `provider/model`; takes precedence over the deployment's aliases",
      ),
    prices: z
      .record(
        name,
        z.strictObject({
          input_per_million: z
            .number()
            .min(0)
            .describe('Price in US dollars per million input tokens'),
          output_per_million: z
            .number()
            .min(0)
            .describe('Price in US dollars per million output tokens'),
          cache_read_per_million: z
            .number()
            .min(0)
            .optional()
            .describe(
              "Price in US dollars per million tokens read from the provider's cache; absent if " +
                'equal to the input price',
            ),
          cache_write_per_million: z
            .number()
            .min(0)
            .optional()
            .describe(
              "Price in US dollars per million tokens written to the provider's cache; absent if " +
                'equal to the input price',
            ),
        }),
      )
      .default({})
      .describe(
        "Map from `provider/model` to the model's prices in US dollars; no cost is computed " +
          'for models without a price',
      ),
    model_patience_seconds: z
      .int()
      .min(0)
      .max(LIMITS.model_patience_seconds_max)
      .nullable()
      .default(null)
      .describe(
        'Maximum time in seconds for which runs wait for an unavailable model, if neither the ' +
          "run nor the agent sets a value. 0 means three attempts; `null` for the deployment's " +
          'value',
      ),
    cors_origins: z
      .array(z.string().max(300))
      .max(100)
      .nullable()
      .default(null)
      .describe(
        'Origins whose pages can read responses, selected from `STRATA_CORS_ORIGINS`; `null` ' +
          'for all of these origins',
      ),
    approval_links: z
      .strictObject({
        key_id: z
          .string()
          .min(1)
          .max(100)
          .describe(
            'ID of an API key with approvals:read and approvals:write; the links become invalid ' +
              'when this key does',
          ),
      })
      .nullable()
      .default(null)
      .describe(
        'Settings for decision links (`decide_url`) in `approval.requested` webhooks; every ' +
          'receiver can then decide. Requires `STRATA_PUBLIC_URL`, and a caller with permission ' +
          'to decide; `null` for no links',
      ),
    memory: z
      .strictObject({
        scope: z
          .enum(MEMORY_SCOPES)
          .nullable()
          .default(null)
          .describe(
            'Memory scope for agents whose files do not mention memory; `null` for no memory',
          ),
        start: z
          .boolean()
          .default(true)
          .describe('Whether runs with memory start with MEMORY.md and the notes from two days'),
      })
      .default({ scope: null, start: true })
      .describe('Memory settings for agents whose files do not mention memory'),
    web: z
      .strictObject({
        allowed_domains: domains(
          'Domains that are allowed, including subdomains; if empty, all domains that are not ' +
            'denied',
        ),
        denied_domains: domains('Domains that are denied, including subdomains'),
        robots: z
          .enum(['respect', 'ignore'])
          .default('respect')
          .describe('Whether to respect `robots.txt`'),
      })
      .default({ allowed_domains: [], denied_domains: [], robots: 'respect' })
      .describe('Network access for `web_fetch` and `web_search`'),
  })
  .meta({
    id: 'PolicyInput',
    description: 'The complete policy; omitted members use default values',
    examples: POLICIES,
  })

export const Policy = z.strictObject(PolicyInput.shape).meta({
  id: 'Policy',
  description: 'Tenant rules, which layers cannot override',
  examples: POLICIES,
})
