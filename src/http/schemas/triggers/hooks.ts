/** Inbound hooks: who may start which run. */

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
  extending,
  idOf,
  idOrNull,
  kindIs,
  text as said,
  time,
} from '../shared/words.ts'

const text = (max: number) => z.string().max(max)

const run = {
  agent: text(200).default('general').describe('The id of the agent that its runs are'),
  label: label(),
  role: text(64).optional().describe('The role layer `roles/<role>/` of its runs'),
  repo_dir: text(512)
    .optional()
    .describe('The repository layer of its runs: a key prefix, e.g. `repos/app`'),
  session_id: text(64).optional().describe('The session whose transcript its runs continue'),
  model: text(200)
    .optional()
    .describe("An alias or `provider/model`. Default: the agent's, else the deployment's"),
  media: z
    .array(text(200))
    .max(5)
    .optional()
    .describe(
      'Paths of the payload that hold pictures or files, as an https address or in base64, e.g. ' +
        '`photo.url`; one that cannot be read is named in the task',
    ),
  ...toolLists,
  limits: LimitsInput.optional().describe('Bounds of its runs; what is omitted has its default'),
  approvals: approvals('its runs'),
}

const secret = () =>
  text(200).describe(
    '`whsec_…`; with `github`, `slack`, `stripe` and `linear` the text that the service shows, from 16 characters; omitted: made, shown once',
  )
const keys = () =>
  z
    .array(text(64))
    .min(1)
    .max(4)
    .describe('`whpk_…`: Ed25519 keys whose `v1a` signatures are believed')

const KINDS =
  "Kinds that start a run: `X-GitHub-Event`, Slack's `event.type` or command, else `type` of " +
  'the payload'
const own = {
  scheme: z
    .enum(['standard', 'svix', 'github', 'slack', 'stripe', 'linear'])
    .describe(
      '`standard`: Standard Webhooks 1.0; `svix`: the same by `svix-…` headers; `github`: ' +
        '`X-Hub-Signature-256`; `slack`: `X-Slack-Signature`, its challenge is answered; ' +
        '`stripe`: `Stripe-Signature`; `linear`: `Linear-Signature`',
    ),
  template: z
    .string()
    .min(1)
    .max(16_384)
    .describe(
      "The run's input: `{{issue.title}}`, `{{commits[0].id}}`, `{{$}}` the payload, " +
        '`{{$event}}` its kind',
    ),
  events: z.array(text(100)).min(1).max(100),
  description: z.string().max(500).nullable().describe('For people; null: none'),
}

export const HookInput = z
  .strictObject({
    scheme: own.scheme,
    secret: secret().optional(),
    public_keys: keys().optional(),
    template: own.template.optional(),
    events: own.events.optional().describe(`${KINDS}; default: all`),
    description: own.description.optional(),
    ...run,
  })
  .meta({ id: 'HookInput', description: 'A hook to be created', examples: HOOK_INPUTS })

/** The description stays with the member, where null is one of its values. */
const clearable = (fields: Readonly<Record<string, z.ZodOptional>>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      (field.unwrap() as z.ZodType)
        .nullable()
        .optional()
        .describe(`${field.description}; null takes it away`),
    ]),
  )
const { agent, ...rest } = run

export const HookPatch = z
  .strictObject({
    template: own.template.optional(),
    agent: agent.unwrap().optional().describe('The id of the agent that its runs are'),
    events: own.events.nullable().optional().describe(`${KINDS}; null: all`),
    description: own.description.optional(),
    public_keys: keys()
      .nullable()
      .optional()
      .describe('`whpk_…`: Ed25519 keys that are believed from now on; null: none'),
    ...clearable(rest),
  })
  .meta({
    id: 'HookPatch',
    description:
      'Omitted members stay as they are; null removes one. `template` and ' +
      '`agent` cannot be removed.',
    examples: HOOK_PATCHES,
    ...REMOVES,
  })

export const HookRotation = z.strictObject({ secret: secret().optional() }).meta({
  id: 'HookRotation',
  description: 'The new secret; the body may be left out',
  examples: HOOK_ROTATIONS,
})

const HookBase = z
  .strictObject({
    id: idOf('hk', 'The hook'),
    object: kindIs('hook'),
    url_path: said('Where the sender posts to, below the address of this deployment'),
    ...own,
    events: own.events.nullable().describe(`${KINDS}; null: all`),
    public_keys: z.array(z.string()).describe('Ed25519 keys that are believed too; empty: none'),
    run: z
      .strictObject({ ...run, agent: agentName('The agent that its runs are') })
      .describe('The run that a message starts'),
    created_at: time('When it was created'),
  })
  .meta({ id: 'HookBase', description: 'Members of every answer about a hook' })

export const Hook = HookBase.extend({}).meta({
  id: 'Hook',
  ...extending(HookBase),
  description: 'An inbound webhook and the run that it starts',
  examples: HOOKS,
})
export const HookWithSecret = HookBase.extend({
  secret: z.string().optional().describe('Only when it was generated, only in this answer'),
}).meta({
  id: 'HookWithSecret',
  ...extending(HookBase),
  description: 'A hook as its creation and the rotation of its secret are answered',
  examples: HOOKS_WITH_SECRET,
})

export const HookReceived = z
  .strictObject({
    run_id: idOrNull('run', 'The run that it started', 'this kind of event starts no run'),
    challenge: z
      .string()
      .optional()
      .describe('With `slack`: the challenge by which Slack tries the address'),
  })
  .meta({
    id: 'HookReceived',
    description: 'The outcome of a received message',
    examples: HOOKS_RECEIVED,
  })

/** A sender's body: only its bytes count, which the signature covers. */
export const HookMessage = z
  .unknown()
  .meta({ description: 'Any JSON that the sender signs', examples: HOOK_MESSAGES })
