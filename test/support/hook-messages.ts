/** Messages to inbound hooks as each service signs them, with the templates that tests render. */

import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

/** Secret that each scheme accepts. */
export const HOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

export interface HookMessageCase {
  readonly name: string
  readonly scheme: string
  /** What `POST /v1/hooks/{id}/preview` takes: a value, or the text of the body. */
  readonly payload: (ms: number) => unknown
  /** Headers beside the signature. */
  readonly headers?: Readonly<Record<string, string>>
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const ISSUE = { action: 'opened', issue: { title: 'It hangs.', labels: [{ name: 'bug' }] } }

export const HOOK_MESSAGES: readonly HookMessageCase[] = [
  { name: 'Standard Webhooks', scheme: 'standard', payload: () => ({ type: 'a.b', ...ISSUE }) },
  { name: 'Svix', scheme: 'svix', payload: () => ({ type: 'a.b', ...ISSUE }) },
  {
    name: 'GitHub in JSON',
    scheme: 'github',
    payload: () => ISSUE,
    headers: { 'X-GitHub-Event': 'issues' },
  },
  {
    name: 'GitHub in a form',
    scheme: 'github',
    payload: () => `payload=${encodeURIComponent(JSON.stringify(ISSUE))}`,
    headers: { 'x-github-event': 'issues', ...FORM },
  },
  {
    name: 'a Slack event',
    scheme: 'slack',
    payload: () => ({ type: 'event_callback', event: { type: 'app_mention' }, ...ISSUE }),
  },
  {
    name: 'a Slack command',
    scheme: 'slack',
    payload: () => 'command=%2Freview&action=a.ts&trigger_id=1',
    headers: FORM,
  },
  { name: 'Stripe', scheme: 'stripe', payload: () => ({ id: 'evt_1', type: 'paid', ...ISSUE }) },
  {
    name: 'Linear',
    scheme: 'linear',
    payload: (ms) => ({ type: 'Issue', ...ISSUE, webhookTimestamp: ms }),
  },
]

/** Kinds of templates: whole payload, event, path, index, missing value, hidden characters. */
export const HOOK_TEMPLATES = [
  undefined,
  'Handle {{$event}} of {{$}}',
  'Triage: {{issue.title}} ({{issue.labels[0].name}}), {{action}}',
  'Title: {{issue.title}}. Absent: {{absent.value}} {{absent.value}}',
  'Hidden\u202E: {{action}}',
] as const

const hmac = (data: string): string => createHmac('sha256', HOOK_SECRET).update(data).digest('hex')

/** Signs the body as the reference library of Standard Webhooks does; `at` is in seconds. */
export const standardHeaders = (
  secret: string,
  body: string,
  { id, at, prefix = 'webhook' }: { id: string; at: number; prefix?: string },
): Record<string, string> => ({
  [`${prefix}-id`]: id,
  [`${prefix}-timestamp`]: String(at),
  [`${prefix}-signature`]: new Webhook(secret).sign(id, new Date(at * 1_000), body),
})

/** Signs the body as the scheme's sender does. */
export function signHook(scheme: string, body: string, ms: number): Record<string, string> {
  const at = Math.floor(ms / 1_000)
  const signers: Readonly<Record<string, () => Record<string, string>>> = {
    standard: () => standardHeaders(HOOK_SECRET, body, { id: `msg_${at}`, at }),
    svix: () => standardHeaders(HOOK_SECRET, body, { id: `msg_${at}`, at, prefix: 'svix' }),
    github: () => ({ 'x-hub-signature-256': `sha256=${hmac(body)}` }),
    slack: () => ({
      'x-slack-request-timestamp': String(at),
      'x-slack-signature': `v0=${hmac(`v0:${at}:${body}`)}`,
    }),
    stripe: () => ({ 'stripe-signature': `t=${at},v1=${hmac(`${at}.${body}`)}` }),
    linear: () => ({ 'linear-signature': hmac(body) }),
  }
  return signers[scheme]!()
}

/** Returns the bytes of the message as text. */
export const bodyOf = ({ payload }: HookMessageCase, ms: number): string => {
  const value = payload(ms)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
