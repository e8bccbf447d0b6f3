/** Schemas of inbound hooks, which define the runs that an external sender may start. */

import * as z from 'zod'
import { RUN } from '../../../core/manage/schedules.ts'
import { REMOVES } from '../../../core/nulls.ts'
import { toolLists } from '../../../core/run/request.ts'
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
  actsFor,
  agentName,
  text as described,
  extending,
  idOf,
  idOrNull,
  kindIs,
  time,
} from '../shared/words.ts'
import { clearable } from './schedules.ts'

const text = (max: number) => z.string().max(max)

const run = {
  agent: text(200).default('general').describe('ID of the agent that executes the runs'),
  label: label(),
  ...{ role: RUN.role, repo_dir: RUN.repo_dir, session_id: RUN.session_id, model: RUN.model },
  media: z
    .array(text(200))
    .max(5)
    .optional()
    .describe(
      'Payload paths whose values are images or files, such as `photo.url`. Each value is an ' +
        'HTTPS URL or Base64 data. The task lists the files that cannot be read',
    ),
  ...toolLists,
  limits: RUN.limits,
  approvals: approvals('the runs'),
  subject: actsFor('each run'),
}

const secret = () =>
  text(200).describe(
    'Signing secret: `whsec_…`, or for `github`, `slack`, `stripe`, and `linear` the text ' +
      'that the service shows, with at least 16 characters. If omitted, generated and ' +
      'returned only once',
  )
const keys = () =>
  z
    .array(text(64))
    .min(1)
    .max(4)
    .describe('Public keys: `whpk_…` Ed25519 keys whose `v1a` signatures are accepted')

const KINDS =
  "Event types that start a run, from `X-GitHub-Event`, Slack's `event.type` or " +
  'command, or otherwise `type` in the payload'
const hookMembers = {
  scheme: z
    .enum(['standard', 'svix', 'github', 'slack', 'stripe', 'linear'])
    .describe(
      'Signature scheme. `standard`: Standard Webhooks 1.0. `svix`: the same with `svix-…` ' +
        'headers. `github`: `X-Hub-Signature-256`. `slack`: `X-Slack-Signature`, including ' +
        'the challenge. `stripe`: `Stripe-Signature`. `linear`: `Linear-Signature`',
    ),
  template: z
    .string()
    .min(1)
    .max(16_384)
    .describe(
      "Template for the run's input: `{{issue.title}}`, `{{commits[0].id}}`, `{{$}}` for " +
        'the payload, `{{$event}}` for the event type',
    ),
  events: z.array(text(100)).min(1).max(100),
  description: z
    .string()
    .max(500)
    .nullable()
    .describe('Human-readable name or description; `null` if not set'),
}

export const HookInput = z
  .strictObject({
    scheme: hookMembers.scheme,
    secret: secret().optional(),
    public_keys: keys().optional(),
    template: hookMembers.template.optional(),
    events: hookMembers.events.optional().describe(`${KINDS}. Defaults to all types`),
    description: hookMembers.description.optional(),
    ...run,
  })
  .meta({ id: 'HookInput', description: 'A hook to create', examples: HOOK_INPUTS })

const { agent, ...runMembers } = run

export const HookPatch = z
  .strictObject({
    template: hookMembers.template.optional(),
    agent: agent.unwrap().optional().describe('ID of the agent that executes the runs'),
    events: hookMembers.events.nullable().optional().describe(`${KINDS}; \`null\` for all types`),
    description: hookMembers.description.optional(),
    public_keys: keys()
      .nullable()
      .optional()
      .describe('Public keys: `whpk_…` Ed25519 keys to accept; `null` for none'),
    ...clearable(runMembers),
  })
  .meta({
    id: 'HookPatch',
    description:
      'Changes to a hook; omitted members are unchanged, and `null` removes a member. ' +
      '`template` and `agent` cannot be removed.',
    examples: HOOK_PATCHES,
    ...REMOVES,
  })

export const HookRotation = z.strictObject({ secret: secret().optional() }).meta({
  id: 'HookRotation',
  description: 'New secret for the hook; the body is optional',
  examples: HOOK_ROTATIONS,
})

const HookBase = z
  .strictObject({
    id: idOf('hk', 'ID of the hook'),
    object: kindIs('hook'),
    url_path: described("Path to which the sender posts, relative to this deployment's URL"),
    ...hookMembers,
    events: hookMembers.events.nullable().describe(`${KINDS}; \`null\` for all types`),
    public_keys: z
      .array(z.string())
      .describe('Ed25519 keys that are also accepted; empty if there are none'),
    run: z
      .strictObject({ ...run, agent: agentName('Agent that executes the runs') })
      .describe('Run that a message starts'),
    created_at: time('Creation time'),
  })
  .meta({ id: 'HookBase', description: 'Members common to all hook responses' })

export const Hook = HookBase.extend({}).meta({
  id: 'Hook',
  ...extending(HookBase),
  description: 'An inbound webhook and the run that a message starts',
  examples: HOOKS,
})
export const HookWithSecret = HookBase.extend({
  secret: z
    .string()
    .optional()
    .describe(
      'Generated secret; present only in this response, and only if the server generated ' +
        'the secret',
    ),
}).meta({
  id: 'HookWithSecret',
  ...extending(HookBase),
  description: 'A new hook, or a hook with a rotated secret',
  examples: HOOKS_WITH_SECRET,
})

export const HookReceived = z
  .strictObject({
    run_id: idOrNull(
      'run',
      'ID of the run that the message started',
      'events of this type do not start a run',
    ),
    challenge: z
      .string()
      .optional()
      .describe('Challenge with which Slack verifies the URL; present only for `slack`'),
  })
  .meta({
    id: 'HookReceived',
    description: 'Result of receiving a message',
    examples: HOOKS_RECEIVED,
  })

/**
 * Schema of an inbound hook's message body. Only its bytes matter, because the signature covers
 * them.
 */
export const HookMessage = z
  .unknown()
  .meta({ description: 'JSON payload of any form, signed by the sender', examples: HOOK_MESSAGES })
