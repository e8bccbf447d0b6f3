/**
 * Fills the examples of the schemas. openapi.json has them because the module that makes it imports
 * this one.
 */

import { assert } from '../../lib/assert.ts'
import * as targets from '../schemas/examples.ts'
import * as a2a from './a2a.ts'
import * as agUi from './ag-ui.ts'
import * as approvals from './approvals.ts'
import * as authorizations from './authorizations.ts'
import * as common from './common.ts'
import * as deltas from './deltas.ts'
import * as events from './events.ts'
import * as fanouts from './fanouts.ts'
import * as files from './files.ts'
import * as hooks from './hooks.ts'
import * as keys from './keys.ts'
import * as layers from './layers.ts'
import * as manage from './manage.ts'
import * as memory from './memory.ts'
import * as openai from './openai.ts'
import * as policy from './policy.ts'
import * as runConfig from './run-config.ts'
import * as runs from './runs.ts'
import * as schedules from './schedules.ts'
import * as sessions from './sessions.ts'
import * as usage from './usage.ts'
import * as versions from './versions.ts'
import * as webhookBodies from './webhook-bodies.ts'
import * as webhooks from './webhooks.ts'

const EXAMPLES: Readonly<Record<string, unknown>> = {
  ...a2a,
  ...agUi,
  ...approvals,
  ...authorizations,
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
  ...sessions,
  ...usage,
  ...versions,
  ...webhookBodies,
  ...webhooks,
}

type Target = unknown[] | Readonly<Record<string, unknown[]>>

function fill(target: Target, examples: unknown, name: string): void {
  assert(typeof examples === 'object' && examples !== null, `there are no examples ${name}`)
  if (Array.isArray(target)) target.push(...(examples as unknown[]))
  else for (const [key, one] of Object.entries(target)) fill(one, examples[key as never], key)
}

for (const [name, target] of Object.entries<Target>(targets)) fill(target, EXAMPLES[name], name)
