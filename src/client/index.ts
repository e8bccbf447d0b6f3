/**
 * Client for Strata's API, typed by openapi.yaml and without dependencies. Runs on Node, Workers,
 * Deno, Bun, and in browsers.
 *
 *     const strata = createClient({ url, apiKey })
 *     const run = await strata.runs.createAndWait({ input: 'Say hello.' })
 */

import { unwrap } from '../webhooks/index.ts'
import { auditOf } from './audit.ts'
import { credentialsOf } from './credentials.ts'
import { type ClientOptions, httpOf } from './http.ts'
import {
  agentsOf,
  filesOf,
  layersOf,
  memoryOf,
  schedulesOf,
  serversOf,
  skillsOf,
} from './layers.ts'
import { act, create, get, list, patch, remove } from './methods.ts'
import { policyOf } from './policy.ts'
import { fanoutsOf, runsOf } from './runs.ts'
import { tenantsOf } from './tenants.ts'

export type { components, paths } from './contract.ts'
export {
  ConnectionError,
  type Problem,
  type ProblemCode,
  ProblemError,
  StrataError,
  TimeoutError,
} from './errors.ts'
export type {
  Delta,
  FanoutEvent,
  Passing,
  RunEvent,
  StreamOptions,
  SubagentStarted,
} from './events.ts'
export type { CallOfFunction, Functions, Handler, RunBody } from './functions.ts'
export type { CallOptions, ClientOptions } from './http.ts'
export type { FileContent } from './layers.ts'
export type { Page, Pages } from './pages.ts'
export type { PolicyVersion } from './policy.ts'
export type { RunStreamOptions, WaitOptions } from './runs.ts'

/**
 * Creates a client; throws `StrataError` if there is no API key. Methods reject with `ProblemError`
 * (check its `code`), `TimeoutError`, or `ConnectionError`. They retry a request when a retry is
 * safe and may succeed.
 */
export function createClient(options: ClientOptions = {}) {
  const http = httpOf(options)
  return {
    runs: runsOf(http),
    fanouts: fanoutsOf(http),
    sessions: {
      create: create(http, '/v1/sessions'),
      get: get(http, '/v1/sessions/{id}'),
      list: list(http, '/v1/sessions'),
      update: patch(http, '/v1/sessions/{id}'),
      delete: remove(http, '/v1/sessions/{id}'),
      fork: create(http, '/v1/sessions/{id}/fork'),
      messages: list(http, '/v1/sessions/{id}/messages'),
      runs: list(http, '/v1/sessions/{id}/runs'),
    },
    approvals: {
      list: list(http, '/v1/approvals'),
      get: get(http, '/v1/approvals/{id}'),
      decide: act(http, '/v1/approvals/{id}/decision'),
      decideMany: act(http, '/v1/approvals/decisions'),
    },
    agents: agentsOf(http),
    skills: skillsOf(http),
    mcpServers: serversOf(http),
    layers: layersOf(http),
    files: filesOf(http),
    memory: memoryOf(http),
    schedules: schedulesOf(http),
    policy: policyOf(http),
    audit: auditOf(http),
    tenants: tenantsOf(http),
    ...credentialsOf(http),
    webhookEndpoints: {
      create: create(http, '/v1/webhook-endpoints'),
      list: list(http, '/v1/webhook-endpoints'),
      get: get(http, '/v1/webhook-endpoints/{id}'),
      update: patch(http, '/v1/webhook-endpoints/{id}'),
      delete: remove(http, '/v1/webhook-endpoints/{id}'),
      rotateSecret: create(http, '/v1/webhook-endpoints/{id}/rotate-secret'),
      test: create(http, '/v1/webhook-endpoints/{id}/test'),
    },
    webhookDeliveries: {
      list: list(http, '/v1/webhook-deliveries'),
      get: get(http, '/v1/webhook-deliveries/{id}'),
      replay: act(http, '/v1/webhook-deliveries/{id}/replay'),
      replayAll: act(http, '/v1/webhook-deliveries/replay'),
    },
    hooks: {
      create: create(http, '/v1/hooks'),
      list: list(http, '/v1/hooks'),
      get: get(http, '/v1/hooks/{id}'),
      update: patch(http, '/v1/hooks/{id}'),
      delete: remove(http, '/v1/hooks/{id}'),
      rotateSecret: create(http, '/v1/hooks/{id}/rotate-secret'),
      preview: act(http, '/v1/hooks/{id}/preview'),
    },
    models: { list: get(http, '/v1/models'), get: get(http, '/v1/models/{model}') },
    tools: { list: list(http, '/v1/tools') },
    limits: { list: get(http, '/v1/limits') },
    usage: { get: get(http, '/v1/usage') },
    /** Verifies a webhook delivery and returns its typed event. */
    webhooks: { unwrap },
    health: { get: get(http, '/healthz'), ready: get(http, '/readyz') },
  }
}

export type Strata = ReturnType<typeof createClient>
