/** Inbound hooks: which senders may start which runs. */

import * as z from 'zod'
import { REMOVES } from '../../../core/nulls.ts'
import { LimitsInput, toolLists } from '../../../core/run/request.ts'
import { approvals, label } from '../runs/run-input.ts'
import {
  HOOK_INPUTS,
  HOOK_MESSAGES,
  HOOK_PATCHES,
  HOOK_ROTATIONS,
  HOOKS,
  HOOKS_RECEIVED,
  HOOKS_WITH_SECRET,
} from '../shared/examples.ts'
import {
  agentName,
  text as described,
  extending,
  idOf,
  idOrNull,
  kindIs,
  time,
} from '../shared/words.ts'

const text = (max: number) => z.string().max(max)

const run = {
  agent: text(200).default('general').describe('ID of the agent of its runs'),
  label: label(),
  role: text(64).optional().describe('Role of its runs, whose layer is `roles/<role>/`'),
  repo_dir: text(512)
    .optional()
    .describe('Repository layer of its runs: a key prefix such as `repos/app`'),
  session_id: text(64).optional().describe('The session that its runs continue'),
  model: text(200)
    .optional()
    .describe('An alias or `provider/model`. Default: that of the agent, else of the deployment'),
  media: z
    .array(text(200))
    .max(5)
    .optional()
    .describe(
      'Paths in the payload of pictures or files, as an HTTPS URL or in Base64, such as ' +
        '`photo.url`; the task names those that cannot be read',
    ),
  ...toolLists,
  limits: LimitsInput.optional().describe('Limits of its runs; omitted limits have their defaults'),
  approvals: approvals('its runs'),
}

const secret = () =>
  text(200).describe(
    '`whsec_…`; with `github`, `slack`, `stripe`, and `linear` the text that the service ' +
      'shows, at least 16 characters; omitted: generated and shown once',
  )
const keys = () =>
  z
    .array(text(64))
    .min(1)
    .max(4)
    .describe('`whpk_…`: Ed25519 keys whose `v1a` signatures are accepted')

const KINDS =
  "Event types that start a run: `X-GitHub-Event`, Slack's `event.type` or command, " +
  'else `type` of the payload'
const hookMembers = {
  scheme: z
    .enum(['standard', 'svix', 'github', 'slack', 'stripe', 'linear'])
    .describe(
      '`standard`: Standard Webhooks 1.0. `svix`: the same with `svix-…` headers. `github`: ' +
        '`X-Hub-Signature-256`. `slack`: `X-Slack-Signature`, including its challenge. ' +
        '`stripe`: `Stripe-Signature`. `linear`: `Linear-Signature`',
    ),
  template: z
    .string()
    .min(1)
    .max(16_384)
    .describe(
      "Template of the run's input: `{{issue.title}}`, `{{commits[0].id}}`, `{{$}}` the " +
        'payload, `{{$event}}` its type',
    ),
  events: z.array(text(100)).min(1).max(100),
  description: z.string().max(500).nullable().describe('For people; null: none'),
}

export const HookInput = z
  .strictObject({
    scheme: hookMembers.scheme,
    secret: secret().optional(),
    public_keys: keys().optional(),
    template: hookMembers.template.optional(),
    events: hookMembers.events.optional().describe(`${KINDS}; default: all`),
    description: hookMembers.description.optional(),
    ...run,
  })
  .meta({ id: 'HookInput', description: 'A hook to create', examples: HOOK_INPUTS })

/** The description stays with the member, where null is one of its values. */
const clearable = (fields: Readonly<Record<string, z.ZodOptional>>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      (field.unwrap() as z.ZodType)
        .nullable()
        .optional()
        .describe(`${field.description}; null removes it`),
    ]),
  )
const { agent, ...runMembers } = run

export const HookPatch = z
  .strictObject({
    template: hookMembers.template.optional(),
    agent: agent.unwrap().optional().describe('ID of the agent of its runs'),
    events: hookMembers.events.nullable().optional().describe(`${KINDS}; null: all`),
    description: hookMembers.description.optional(),
    public_keys: keys()
      .nullable()
      .optional()
      .describe('`whpk_…`: Ed25519 keys that are accepted from now on; null: none'),
    ...clearable(runMembers),
  })
  .meta({
    id: 'HookPatch',
    description:
      'Omitted members are unchanged; null removes one. `template` and `agent` cannot be ' +
      'removed.',
    examples: HOOK_PATCHES,
    ...REMOVES,
  })

export const HookRotation = z.strictObject({ secret: secret().optional() }).meta({
  id: 'HookRotation',
  description: 'The new secret; the body is optional',
  examples: HOOK_ROTATIONS,
})

const HookBase = z
  .strictObject({
    id: idOf('hk', 'The hook'),
    object: kindIs('hook'),
    url_path: described('Path that the sender posts to, below the URL of this deployment'),
    ...hookMembers,
    events: hookMembers.events.nullable().describe(`${KINDS}; null: all`),
    public_keys: z.array(z.string()).describe('Ed25519 keys that are also accepted; empty: none'),
    run: z
      .strictObject({ ...run, agent: agentName('The agent of its runs') })
      .describe('The run that a message starts'),
    created_at: time('Time of creation'),
  })
  .meta({ id: 'HookBase', description: 'Members of every response about a hook' })

export const Hook = HookBase.extend({}).meta({
  id: 'Hook',
  ...extending(HookBase),
  description: 'An inbound webhook and the run that it starts',
  examples: HOOKS,
})
export const HookWithSecret = HookBase.extend({
  secret: z.string().optional().describe('Only when it was generated, and only in this response'),
}).meta({
  id: 'HookWithSecret',
  ...extending(HookBase),
  description: 'A created hook, or one with a rotated secret',
  examples: HOOKS_WITH_SECRET,
})

export const HookReceived = z
  .strictObject({
    run_id: idOrNull('run', 'The run that it started', 'this type of event starts no run'),
    challenge: z
      .string()
      .optional()
      .describe('With `slack`: the challenge with which Slack verifies the URL'),
  })
  .meta({
    id: 'HookReceived',
    description: 'Result of a received message',
    examples: HOOKS_RECEIVED,
  })

/** A sender's body: only its bytes count, which the signature covers. */
export const HookMessage = z
  .unknown()
  .meta({ description: 'Any JSON that the sender signs', examples: HOOK_MESSAGES })
