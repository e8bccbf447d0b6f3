/** Inbound hooks: who may start which run. DESIGN section 8. */

import * as z from 'zod'
import { REMOVES } from '../../core/nulls.ts'
import { ApprovalsInput } from './approvals.ts'
import { time } from './common.ts'
import { LimitsInput, toolLists } from './runs.ts'

const text = (max: number) => z.string().max(max)

const run = {
  agent: text(200).default('general'),
  label: text(200).optional(),
  role: text(64).optional(),
  repo_dir: text(512).optional(),
  session_id: text(64).optional().describe('Its runs go on in this session'),
  model: text(200).optional(),
  ...toolLists,
  limits: LimitsInput.optional(),
  approvals: ApprovalsInput.optional().describe('Counts for everything below its runs too'),
}

const secret = () =>
  text(200).describe(
    '`whsec_…`, with GitHub any text from 16 characters; omitted: made, shown once',
  )
const keys = () =>
  z
    .array(text(64))
    .min(1)
    .max(4)
    .describe('`whpk_…`: Ed25519 keys whose `v1a` signatures are believed')

const own = {
  scheme: z
    .enum(['standard', 'github'])
    .describe('`standard`: Standard Webhooks 1.0; `github`: `X-Hub-Signature-256`'),
  template: z
    .string()
    .min(1)
    .max(16_384)
    .describe('`{{issue.title}}`, `{{commits[0].id}}`, `{{$}}` the payload, `{{$event}}` its kind'),
  events: z
    .array(text(100))
    .min(1)
    .max(100)
    .describe('Kinds that start a run: `X-GitHub-Event`, or `type` of the payload'),
  description: z.string().max(500).nullable(),
}

export const HookInput = z
  .strictObject({
    scheme: own.scheme,
    secret: secret().optional(),
    public_keys: keys().optional(),
    template: own.template.optional(),
    events: own.events.optional(),
    description: own.description.optional(),
    ...run,
  })
  .meta({ id: 'HookInput' })

const clearable = (fields: Readonly<Record<string, z.ZodType>>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.nullable().optional()]),
  )
const { agent, ...rest } = run

export const HookPatch = z
  .strictObject({
    template: own.template.optional(),
    agent: agent.unwrap().optional(),
    events: own.events.nullable().optional(),
    description: own.description.optional(),
    public_keys: keys().nullable().optional(),
    ...clearable(rest),
  })
  .meta({
    id: 'HookPatch',
    description:
      'What is omitted stays; null takes a field away. `template` and `agent` a hook always has.',
    ...REMOVES,
  })

export const HookRotation = z
  .strictObject({ secret: secret().optional() })
  .meta({ id: 'HookRotation' })

const shape = {
  id: z.string(),
  object: z.literal('hook'),
  url_path: z.string().describe('Where the sender posts to'),
  ...own,
  events: own.events.nullable(),
  public_keys: z.array(z.string()),
  run: z.strictObject({ ...run, agent: z.string() }),
  created_at: time(),
}

export const Hook = z.strictObject(shape).meta({ id: 'Hook' })
export const HookWithSecret = z
  .strictObject({
    ...shape,
    secret: z.string().optional().describe('Only when it was generated, only in this answer'),
  })
  .meta({ id: 'HookWithSecret' })

export const HookReceived = z
  .strictObject({
    run_id: z.string().nullable().describe('Null: this kind of event starts no run'),
  })
  .meta({ id: 'HookReceived' })
