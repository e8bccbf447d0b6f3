/** OAuth at MCP servers: the link for a person, its answer, and forgetting what it brought. */

import * as z from 'zod'
import type { World } from '../../ports/world.ts'
import { CALLBACK } from '../request/auth.ts'
import { refuse } from '../request/problem.ts'
import { publicUrl } from '../request/public-url.ts'
import { type Api, route } from '../request/route.ts'
import { performed } from '../resources/manage.ts'
import { AuthorizationLink, ForgottenAuthorization } from '../schemas/layers/authorizations.ts'
import { layerQuery } from '../schemas/layers/manage.ts'

const NAME = { nameIn: 'name' } as const
const PATH = '/v1/mcp-servers/{name}/authorization'
const params = { name: 'The server, by its name in the configuration; case does not matter' }
const writes = { tag: 'Management', params, scope: 'layers:write', path: PATH } as const

/** Authorization servers may add members of their own. */
const answerQuery = z.looseObject({
  state: z.string().max(4_096).optional().describe('As it stood in the link'),
  code: z.string().max(4_096).optional().describe('Consent: what is exchanged for a token'),
  error: z.string().max(200).optional().describe('Refusal: a code of OAuth'),
  iss: z.string().max(2_048).optional().describe('The authorization server that answers'),
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
        'Answers a link that a person opens within ten minutes; it counts once, and a new one ' +
        'replaces it. The browser comes back to `redirect_uri`, the token is kept sealed, and runs ' +
        'that start afterwards have the server. `STRATA_PUBLIC_URL` says where this deployment is ' +
        'reached, when that is not the address of this request.',
      query: layerQuery,
      refusals: [422],
      answers: { 200: { description: 'The link', schema: AuthorizationLink } },
    },
    async (call) => {
      const redirect_uri = `${publicUrl(call)}${CALLBACK}`
      const given = { redirect_uri }
      return call.c.json(await performed(call, NAME, 'mcp_authorize_server', given))
    },
  )
  route(
    api,
    {
      ...writes,
      id: 'forgetMcpServerAuthorization',
      method: 'delete',
      summary: 'Forget the authorization of an MCP server',
      description:
        'Drops its tokens here, and revokes them at the authorization server where that can be. ' +
        'Calls under way may still be made with them.',
      query: layerQuery,
      refusals: [422],
      answers: { 200: { description: 'They are gone', schema: ForgottenAuthorization } },
    },
    async (call) => call.c.json(await performed(call, NAME, 'mcp_forget_authorization', {})),
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
      summary: 'The answer to a link',
      description:
        'No API key: a browser comes here from the authorization server. `state` says which ' +
        'tenant and server are meant; it is sealed and counts once.',
      query: answerQuery,
      answers: {
        200: { description: 'A sentence for the person', type: 'text/plain', schema: z.string() },
      },
    },
    async ({ c, world, query }) => {
      const done = await finished(world, query)
      if (!done.ok) throw refuse('invalid_query', `Not authorized: ${done.error}.`)
      const text = `The MCP server ${done.value.server} is authorized. You can close this page.\n`
      const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
      return c.text(text, 200, headers)
    },
  )
}

async function finished({ tools }: World, query: z.output<typeof answerQuery>) {
  const { state = '', code, error, iss } = query
  if (!tools.authorization) return { ok: false, error: 'there is no OAuth here' } as const
  return tools.authorization.finish({ state, code, error, iss })
}
