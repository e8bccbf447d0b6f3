/** Composes the whole HTTP API: the middleware of every request, then the routes. */

import { Hono, type MiddlewareHandler } from 'hono'
import { refusal } from '../core/problem.ts'
import { LINK_PATH, withoutToken } from '../core/token.ts'
import { requestSeal } from '../engine/audit/request-seal.ts'
import { UnknownFormat } from '../engine/partition/format.ts'
import { random } from '../lib/id.ts'
import { Unavailable } from '../lib/unavailable.ts'
import type { World } from '../ports/world.ts'
import type { Assets } from './assets.ts'
import { setRateHeaders } from './request/admission.ts'
import { withAnswerHeaders } from './request/answer-headers.ts'
import { asOperator, authenticate } from './request/auth.ts'
import { crossOrigin } from './request/cross-origin.ts'
import { knownHost } from './request/host-names.ts'
import { withoutEmptyHeaders } from './request/parameters.ts'
import { whilePaused } from './request/paused-server.ts'
import { problemResponse, RequestRefused } from './request/problem.ts'
import { type SeenRequest, seenRequest } from './request/request-log.ts'
import type { Api, App, Env, Route } from './request/route.ts'
import { pathAsSent } from './request/target.ts'
import { a2aRoutes } from './routes/a2a.ts'
import { accessLinkRoutes, asPage } from './routes/access-links.ts'
import { agUiRoutes } from './routes/ag-ui.ts'
import { agentRoutes } from './routes/agents.ts'
import { approvalRoutes } from './routes/approvals.ts'
import { auditRoutes } from './routes/audit.ts'
import { authorizationRoutes } from './routes/authorizations.ts'
import { browserSessionRoutes } from './routes/browser-sessions.ts'
import { cancelRunsRoutes } from './routes/cancel-runs.ts'
import { chatRoutes } from './routes/chat.ts'
import { consoleRoutes } from './routes/console.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { docsRoutes } from './routes/docs.ts'
import { endpointRoutes } from './routes/endpoints.ts'
import { eventRoutes } from './routes/events.ts'
import { fanoutRoutes } from './routes/fanouts.ts'
import { fileVersionRoutes } from './routes/file-versions.ts'
import { fileRoutes } from './routes/files.ts'
import { hookPreviewRoutes } from './routes/hook-preview.ts'
import { hookRoutes } from './routes/hooks.ts'
import { keyRoutes } from './routes/keys.ts'
import { layerRoutes } from './routes/layers.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { memoryRoutes } from './routes/memory.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { modelRoutes } from './routes/models.ts'
import { policyRoutes } from './routes/policy.ts'
import { resolveRoutes } from './routes/resolve.ts'
import { responseRoutes } from './routes/responses.ts'
import { functionRoutes } from './routes/run-functions.ts'
import { runInputRoutes } from './routes/run-input.ts'
import { runReadRoutes } from './routes/run-reads.ts'
import { runTextRoutes } from './routes/run-texts.ts'
import { runRoutes } from './routes/runs.ts'
import { scheduleFireRoutes } from './routes/schedule-fires.ts'
import { schedulePreviewRoutes } from './routes/schedule-preview.ts'
import { scheduleRoutes } from './routes/schedules.ts'
import { secretRoutes } from './routes/secrets.ts'
import { serverRoutes } from './routes/servers.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { skillRoutes } from './routes/skills.ts'
import { systemRoutes } from './routes/system.ts'
import { tenantDataRoutes } from './routes/tenant-data.ts'
import { tenantRoutes } from './routes/tenants.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { transcriptRoutes } from './routes/transcript.ts'
import { usageRoutes } from './routes/usage.ts'

export interface AppOptions {
  /**
   * Called with every error caused by a bug or a failing platform; the client receives only status
   * 500.
   */
  readonly onError?: (error: unknown, requestId: string) => void
  /** Called with every request once its response is complete. */
  readonly onRequest?: (request: SeenRequest) => void
  /**
   * Build assets; if absent, `/console`, `/docs`, `/openapi.json`, and `/llms.txt` return status
   * 503.
   */
  readonly assets?: Assets | undefined
}

export interface AppWithRoutes {
  readonly app: App
  readonly routes: readonly Route[]
}

const RUN_ROUTES = [
  runRoutes,
  runReadRoutes,
  eventRoutes,
  transcriptRoutes,
  runTextRoutes,
  cancelRunsRoutes,
  runInputRoutes,
  functionRoutes,
] as const

const TENANT_ROUTES = [tenantRoutes, tenantDataRoutes] as const

export function createApp(world: World, options: AppOptions = {}): AppWithRoutes {
  const app: App = new Hono<Env>()
  const onError = (error: unknown, id: string): void => options.onError?.(error, id)
  const api: Api = { app, world, routes: [], onError }

  app.use(observed(world, options))
  app.use(knownHost(world.settings))
  app.use(crossOrigin(world))
  app.use(pathAsSent)
  app.use(withoutEmptyHeaders)
  app.use('/v1/*', authenticate(world))
  app.use(`${LINK_PATH}*`, asPage, authenticate(world))
  app.use('/metrics', world.metrics?.open ? asOperator : authenticate(world))
  app.use(whilePaused(world.settings))

  for (const declare of [...RUN_ROUTES, ...TENANT_ROUTES]) declare(api)
  fanoutRoutes(api)
  layerRoutes(api)
  resolveRoutes(api)
  skillRoutes(api)
  agentRoutes(api)
  serverRoutes(api)
  authorizationRoutes(api)
  policyRoutes(api)
  auditRoutes(api)
  mcpRoutes(api)
  fileRoutes(api)
  fileVersionRoutes(api)
  memoryRoutes(api)
  keyRoutes(api)
  secretRoutes(api)
  browserSessionRoutes(api)
  tokenRoutes(api)
  accessLinkRoutes(api)
  endpointRoutes(api)
  deliveryRoutes(api)
  hookRoutes(api)
  hookPreviewRoutes(api)
  sessionRoutes(api)
  scheduleRoutes(api)
  schedulePreviewRoutes(api)
  scheduleFireRoutes(api)
  approvalRoutes(api)
  systemRoutes(api)
  metricsRoutes(api)
  modelRoutes(api)
  responseRoutes(api)
  chatRoutes(api)
  a2aRoutes(api)
  agUiRoutes(api)
  usageRoutes(api)
  docsRoutes(api, options.assets)
  consoleRoutes(api, options.assets)

  app.notFound((c) => {
    const allow = methodsOf(api, c.req.path)
    const problem = notFound(c.req.method, c.req.path, allow)
    return problemResponse(c, problem, allow === '' ? {} : { allow })
  })
  app.onError((error, c) => {
    if (error instanceof RequestRefused) return problemResponse(c, error.refusal, error.headers)
    if (error instanceof UnknownFormat) return problemResponse(c, NEWER, { 'retry-after': '10' })
    // The client no longer reads the response, and a disconnect is not a server error.
    if (c.req.raw.signal.aborted) return problemResponse(c, CLIENT_GONE)
    onError(error, c.get('requestId'))
    if (error instanceof Unavailable) {
      const problem = refusal('unavailable', error.detail)
      return problemResponse(c, problem, { 'retry-after': '1' })
    }
    return problemResponse(c, INTERNAL)
  })
  return { app, routes: api.routes }
}

/** Handles what every request has: its ID, headers of its response, and its line in the log. */
const observed =
  (world: World, options: AppOptions): MiddlewareHandler<Env> =>
  async (c, next) => {
    c.set('requestId', random('req', world.clock.random(17)))
    const began = world.clock.monotonic()
    await next()
    const { tenant } = c.get('principal') ?? {}
    const sealing = tenant === undefined ? undefined : requestSeal(world, tenant)
    if (sealing) await sealing
    c.res.headers.set('x-request-id', c.get('requestId'))
    withAnswerHeaders(c, world.settings.publicUrl)
    setRateHeaders(c)
    const ignored = c.get('ignored')
    if (ignored && c.res.ok) c.res.headers.set('strata-ignored', ignored.join(', '))
    options.onRequest?.(seenRequest(c, world.clock.monotonic() - began))
  }

const CLIENT_GONE = refusal(
  'malformed_request',
  'The client closed the connection before the body was complete.',
)

const INTERNAL = refusal('internal', 'The request failed; see the server log for the cause.')
/**
 * Response during a rollout, when a process of the newer release may handle the retry (PROTOCOL.md
 * rule 36).
 */
const NEWER = refusal('unavailable', 'The data was written by a newer release; retry the request.')

/**
 * Returns the error for an unmatched request, which distinguishes a wrong method from an unknown
 * path.
 */
function notFound(method: string, path: string, allow: string) {
  if (allow === '') return refusal('not_found', `${withoutToken(path)} not found.`)
  return refusal('method_not_allowed', `Method ${method} is not allowed; use ${allow}.`)
}

/** Returns the methods of a path, formatted for the `Allow` header; empty for an unknown path. */
const methodsOf = (api: Api, path: string): string =>
  api.routes
    .filter((route) => pattern(route.path).test(path))
    .map((route) => route.method.toUpperCase())
    .join(', ')

function pattern(path: string): RegExp {
  const source = path.replaceAll(/\{\w+\+\}/g, '.+').replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${source}$`)
}
