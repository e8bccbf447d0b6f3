/**
 * Serves OAuth for MCP servers: the authorization link for a user, the callback, and revocation.
 */

import * as z from 'zod'
import type { World } from '../../ports/world.ts'
import { CALLBACK } from '../request/auth.ts'
import { refuse } from '../request/problem.ts'
import { publicUrl } from '../request/public-url.ts'
import { type Api, route } from '../request/route.ts'
import { performed } from '../resources/manage.ts'
import { AuthorizationLink, ForgottenAuthorization } from '../schemas/layers/authorizations.ts'
import { layerQuery } from '../schemas/layers/manage.ts'
import { subject } from '../schemas/shared/words.ts'

const NAME = { nameIn: 'name' } as const
const PATH = '/v1/mcp-servers/{name}/authorization'
const params = { name: 'Name of the server in the configuration, case-insensitive' }
const writes = { tag: 'Management', params, scope: 'layers:write', path: PATH } as const

const query = layerQuery.extend({
  subject: subject().describe(
    'End user who grants the authorization, for runs with this `subject`; if omitted, the ' +
      'authorization applies to all runs of the tenant',
  ),
})

/** Unknown members are allowed, because authorization servers may add some. */
const answerQuery = z.looseObject({
  state: z.string().max(4_096).optional().describe('The value from the link'),
  code: z
    .string()
    .max(4_096)
    .optional()
    .describe('Code to exchange for a token, if the person consented'),
  error: z.string().max(200).optional().describe('OAuth error code, if the person denied consent'),
  iss: z.string().max(2_048).optional().describe('The authorization server that sent the response'),
})

export function authorizationRoutes(api: Api): void {
  route(
    api,
    {
      ...writes,
      id: 'authorizeMcpServer',
      method: 'post',
      summary: 'Authorize an MCP server (OAuth)',
      description:
        'Returns a link that a person must open within ten minutes. The link works once, and ' +
        'a new link replaces the previous one. The browser returns to `redirect_uri`, the ' +
        'token is stored encrypted, and the server is available to runs that start ' +
        "afterwards. Set `STRATA_PUBLIC_URL` if this deployment's public address differs from " +
        'the address used for this request.',
      query,
      refusals: [422],
      answers: { 200: { description: 'The authorization link', schema: AuthorizationLink } },
    },
    async (call) => {
      const redirect_uri = `${publicUrl(call)}${CALLBACK}`
      const input = { redirect_uri, subject: call.query.subject }
      return call.c.json(await performed(call, NAME, 'mcp_authorize_server', input))
    },
  )
  route(
    api,
    {
      ...writes,
      id: 'forgetMcpServerAuthorization',
      method: 'delete',
      summary: "Delete an MCP server's authorization",
      description:
        'Deletes the tokens and, where possible, revokes them at the authorization server. ' +
        'Calls in progress can still use the tokens.',
      query,
      refusals: [422],
      answers: { 200: { description: 'Deleted', schema: ForgottenAuthorization } },
    },
    async (call) => {
      const { subject } = call.query
      return call.c.json(await performed(call, NAME, 'mcp_forget_authorization', { subject }))
    },
  )
  callbackRoute(api)
}

function callbackRoute(api: Api): void {
  route(
    api,
    {
      id: 'finishAuthorization',
      method: 'get',
      path: CALLBACK,
      tag: 'Management',
      scope: null,
      summary: 'Complete an authorization (OAuth)',
      description:
        'Requires no API key: the authorization server redirects the browser to this URL. ' +
        '`state` is encrypted, identifies the tenant and the server, and works once.',
      query: answerQuery,
      answers: {
        200: {
          description: 'A message for the person in the browser',
          type: 'text/plain',
          schema: z.string(),
        },
      },
    },
    async ({ c, world, query }) => {
      const done = await finished(world, query)
      if (!done.ok) throw refuse('invalid_query', `Authorization failed: ${done.error}.`)
      const text = `The MCP server ${done.value.server} is authorized. You can close this page.\n`
      const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
      return c.text(text, 200, headers)
    },
  )
}

async function finished({ tools }: World, query: z.output<typeof answerQuery>) {
  const { state = '', code, error, iss } = query
  if (!tools.authorization)
    return { ok: false, error: 'this platform does not support OAuth' } as const
  return tools.authorization.finish({ state, code, error, iss })
}
