/**
 * Reads the secret of a configured OAuth client. The secret is sent only to hosts that the operator
 * allows, and is never stored.
 */

import { mayGo } from '../../core/config/server/secret-binding.ts'
import type { Secrets } from '../../ports/world.ts'
import { OutboundRefused } from '../outbound/fetch.ts'
import type { Issuer, OAuthClient } from './oauth-grants.ts'
import { tokenHost } from './oauth-requests.ts'

/**
 * Reads the client secret at the time of use. Throws `Refused` if the secret is missing or bound to
 * another host.
 */
export async function withSecret(
  secrets: Secrets,
  tenant: string,
  { issuer, client }: { readonly issuer: Issuer; readonly client: OAuthClient },
): Promise<OAuthClient> {
  const { secret: name } = client
  if (name === undefined) return client
  const host = tokenHost(issuer)
  if (!mayGo((await secrets.bindings(tenant)).get(name), host))
    throw new OutboundRefused(`secret ${name} is not sent to ${JSON.stringify(host)}`)
  const client_secret = await secrets.get(tenant, name, { use: 'mcp', place: host })
  if (client_secret === undefined) throw new OutboundRefused(`secret ${name} not found`)
  return { ...client, client_secret }
}
