/** Inserts secrets into the configuration of an MCP server. */

import { expandServer, referredNames } from '../../core/config/server/expand.ts'
import { bindingFault, placeOf } from '../../core/config/server/secret-binding.ts'
import type { ServerEntry } from '../../core/config/types.ts'
import { digest } from '../../lib/digest.ts'
import type { Secrets } from '../../ports/world.ts'
import { OutboundRefused } from '../outbound/fetch.ts'

/**
 * Returns the server entry with its secrets inserted. The secrets are read at each use, and the
 * result is never stored.
 */
export async function expanded(
  tenant: string,
  entry: ServerEntry,
  secrets: Secrets,
): Promise<ServerEntry> {
  const fault = bindingFault(entry, await secrets.bindings(tenant, entry.subject))
  if (fault) throw new OutboundRefused(fault)
  const to = { use: 'mcp', place: placeOf(entry) } as const
  const values = new Map<string, string>()
  for (const name of referredNames(entry)) {
    const value = await secrets.get(tenant, name, to, entry.subject)
    if (value !== undefined) values.set(name, value)
  }
  const server = expandServer(entry, values)
  if (!server.ok) {
    const isStored = (await secrets.names(tenant, 'mcp', entry.subject)).has(server.error)
    throw new OutboundRefused(
      isStored
        ? `the master key does not decrypt the secret ${server.error}`
        : `secret ${server.error} not found`,
    )
  }
  // Inserted values must not change the destination to which the secrets are sent.
  const place = placeOf(entry)
  if (place !== '' && placeOf(server.value) !== place) {
    throw new OutboundRefused('a secret in the URL changes its host')
  }
  return server.value
}

/**
 * Returns a digest of the values that `expanded` inserts, which changes with each of them; empty if
 * the entry refers to no secrets.
 */
export async function insertedDigest(
  tenant: string,
  entry: ServerEntry,
  secrets: Secrets,
): Promise<string> {
  const names = referredNames(entry)
  if (names.length === 0) return ''
  const to = { use: 'mcp', place: placeOf(entry) } as const
  const values = await Promise.all(
    names.map((name) => secrets.get(tenant, name, to, entry.subject)),
  )
  return digest(values.map((value) => value ?? null))
}

/** Returns the server's URL with its secrets inserted; throws `Refused` for a local program. */
export async function urlOf(tenant: string, entry: ServerEntry, secrets: Secrets): Promise<string> {
  const { url, transport } = await expanded(tenant, entry, secrets)
  if (transport === 'stdio' || url === null) throw new OutboundRefused('the server has no URL')
  return url
}
