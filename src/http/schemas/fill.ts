/**
 * Fills the examples of the schemas. The module that generates openapi.json imports this file, so
 * openapi.json contains the examples.
 */

import { assert } from '../../lib/assert.ts'
import * as deltas from './events/deltas.examples.ts'
import * as events from './events/events.examples.ts'
import * as webhookBodies from './events/webhook-bodies.examples.ts'
import * as fanouts from './fanouts/fanouts.examples.ts'
import * as authorizations from './layers/authorizations.examples.ts'
import * as files from './layers/files.examples.ts'
import * as layers from './layers/layers.examples.ts'
import * as manage from './layers/manage.examples.ts'
import * as runConfig from './layers/run-config.examples.ts'
import * as versions from './layers/versions.examples.ts'
import * as a2a from './protocols/a2a.examples.ts'
import * as agUi from './protocols/ag-ui.examples.ts'
import * as openai from './protocols/openai.examples.ts'
import * as approvals from './runs/approvals.examples.ts'
import * as runs from './runs/runs.examples.ts'
import * as sessions from './sessions/sessions.examples.ts'
import * as common from './shared/common.examples.ts'
import * as targets from './shared/examples.ts'
import * as accessLinks from './tenant/access-links.examples.ts'
import * as browserSessions from './tenant/browser-sessions.examples.ts'
import * as keys from './tenant/keys.examples.ts'
import * as memory from './tenant/memory.examples.ts'
import * as policy from './tenant/policy.examples.ts'
import * as secrets from './tenant/secrets.examples.ts'
import * as tenants from './tenant/tenants.examples.ts'
import * as tokens from './tenant/tokens.examples.ts'
import * as usage from './tenant/usage.examples.ts'
import * as hooks from './triggers/hooks.examples.ts'
import * as schedules from './triggers/schedules.examples.ts'
import * as webhooks from './webhooks/webhooks.examples.ts'

const EXAMPLES: Readonly<Record<string, unknown>> = {
  ...a2a,
  ...accessLinks,
  ...agUi,
  ...approvals,
  ...authorizations,
  ...browserSessions,
  ...common,
  ...deltas,
  ...events,
  ...fanouts,
  ...files,
  ...hooks,
  ...keys,
  ...layers,
  ...manage,
  ...memory,
  ...openai,
  ...policy,
  ...runConfig,
  ...runs,
  ...schedules,
  ...secrets,
  ...sessions,
  ...tenants,
  ...tokens,
  ...usage,
  ...versions,
  ...webhookBodies,
  ...webhooks,
}

type Target = unknown[] | Readonly<Record<string, unknown[]>>

function fill(target: Target, examples: unknown, name: string): void {
  assert(typeof examples === 'object' && examples !== null, `there are no examples ${name}`)
  if (Array.isArray(target)) target.push(...(examples as unknown[]))
  else for (const [key, member] of Object.entries(target)) fill(member, examples[key as never], key)
}

for (const [name, target] of Object.entries<Target>(targets)) fill(target, EXAMPLES[name], name)
