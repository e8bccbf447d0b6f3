/** A server with its secrets filled in. */

import { expandServer, referredNames } from '../../core/config/server/expand.ts'
import { bindingFault, placeOf } from '../../core/config/server/secret-binding.ts'
import type { ServerEntry } from '../../core/config/types.ts'
import type { Secrets } from '../../ports/world.ts'
import { OutboundRefused } from '../outbound/fetch.ts'

/** Read at the moment of use: what is connected with is stored nowhere. */
export async function expanded(
  tenant: string,
  entry: ServerEntry,
  secrets: Secrets,
): Promise<ServerEntry> {
  const fault = bindingFault(entry, await secrets.bindings(tenant))
  if (fault) throw new OutboundRefused(fault)
  const values = new Map<string, string>()
  for (const name of referredNames(entry)) {
    const value = await secrets.get(tenant, name)
    if (value !== undefined) values.set(name, value)
  }
  const server = expandServer(entry, values)
  if (!server.ok) throw new OutboundRefused(`secret ${server.error} not found`)
  // What was filled in must not have changed whom the secrets go to.
  const place = placeOf(entry)
  if (place !== '' && placeOf(server.value) !== place) {
    throw new OutboundRefused('a secret in the URL changes its host')
  }
  return server.value
}

/** With its secrets; throws `Refused` for a local program. */
export async function urlOf(tenant: string, entry: ServerEntry, secrets: Secrets): Promise<string> {
  const { url, transport } = await expanded(tenant, entry, secrets)
  if (transport === 'stdio' || url === null) throw new OutboundRefused('the server has no URL')
  return url
}
