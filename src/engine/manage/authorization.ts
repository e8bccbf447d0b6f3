/** OAuth for one MCP server of a layer: creates the authorization link, and revokes a grant. */

import type { ServerEntry } from '../../core/config/types.ts'
import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { iso } from '../../lib/time.ts'
import type { Authorization } from '../../ports/world.ts'
import { originOf } from '../tenant/audit.ts'
import type { LayerRef, OperationContext } from './place.ts'
import { serverAt } from './server-at.ts'

interface NamedServer {
  readonly name: string
  /** End user who grants the authorization; if absent, it applies to all runs of the tenant. */
  readonly subject?: string | undefined
}
interface Link {
  readonly name: string
  readonly url: string
  readonly expires_at: string
  readonly redirect_uri: string
}

export async function authorizeServer(
  manager: OperationContext,
  place: LayerRef,
  { name, subject, redirect_uri }: NamedServer & { readonly redirect_uri: string },
): Promise<Outcome<Link, Refusal>> {
  const target = await usable(manager, place, { name, subject })
  if (!target.ok) return target
  const { authorization, server } = target.value
  const { tenant, by } = manager
  const flow = await authorization.begin(tenant, server, { redirect: redirect_uri, by })
  if (!flow.ok) {
    const detail = `The server ${server.name} cannot be authorized: ${flow.error}.`
    return fail(refusal('invalid_config', detail))
  }
  const { url, expires_at } = flow.value
  return ok({ name: server.name, url, expires_at: iso(expires_at), redirect_uri })
}

export async function forgetAuthorization(
  manager: OperationContext,
  place: LayerRef,
  request: NamedServer,
): Promise<Outcome<{ name: string; forgotten: boolean; revoked: boolean }, Refusal>> {
  const target = await usable(manager, place, request)
  if (!target.ok) return target
  const { authorization, server } = target.value
  const { world, tenant, by } = manager
  const done = await authorization.forget(tenant, server, by, originOf(world, by))
  return ok({ name: server.name, ...done })
}

async function usable(manager: OperationContext, place: LayerRef, { name, subject }: NamedServer) {
  const target = await serverAt(manager, place, name)
  if (!target.ok) return target
  const { server, fault } = target.value
  const authorization: Authorization | undefined = manager.world.tools.authorization
  const reason =
    fault ??
    (server.transport === 'stdio' ? 'local programs (stdio) do not use OAuth' : undefined) ??
    (server.bearer_token_env_var === null ? undefined : 'it uses bearer_token_env_var')
  if (reason !== undefined || !authorization) {
    const detail = reason ?? 'this deployment does not support OAuth for servers'
    return fail(refusal('invalid_config', `Server ${server.name}: ${detail}.`))
  }
  const owner = subject === undefined ? {} : { subject }
  return ok({ server: { ...server, ...owner }, authorization })
}

type ShownServer = { readonly type: string | null; readonly [field: string]: unknown }

/** Adds the OAuth status to each server. Servers without OAuth have no such member. */
export async function withAuthorizations<S extends ShownServer>(
  { world, tenant }: Pick<OperationContext, 'world' | 'tenant'>,
  servers: readonly S[],
): Promise<S[]> {
  const remote = servers.filter(({ type, url }) => type !== 'stdio' && typeof url === 'string')
  const queries = remote.map(
    ({ url, oauth }) => ({ url, oauth }) as Pick<ServerEntry, 'url' | 'oauth'>,
  )
  const states = (await world.tools.authorization?.states(tenant, queries)) ?? []
  return servers.map((server) => {
    const state = states[remote.indexOf(server)]
    if (state === undefined) return server
    const expires_at = state.expires_at === null ? null : iso(state.expires_at)
    return { ...server, authorization: { state: state.state, expires_at } }
  })
}
