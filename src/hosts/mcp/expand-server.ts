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
    const name = server.error
    const isMissing = !(await isStored(tenant, entry, secrets, name))
    throw new OutboundRefused(isMissing ? `secret ${name} not found` : undecrypted(name))
  }
  // Inserted values must not change the destination to which the secrets are sent.
  const place = placeOf(entry)
  if (place !== '' && placeOf(server.value) !== place) {
    throw new OutboundRefused('a secret in the URL changes its host')
  }
  return server.value
}

/**
 * Reads the secret of a header at the time of use; undefined if it is not stored. Throws `Refused`
 * if it cannot be decrypted: a request without it could succeed as another user.
 */
export async function headerSecret(
  tenant: string,
  entry: ServerEntry,
  secrets: Secrets,
  name: string,
): Promise<string | undefined> {
  const to = { use: 'mcp', place: placeOf(entry) } as const
  const value = await secrets.get(tenant, name, to, entry.subject)
  if (value === undefined && (await isStored(tenant, entry, secrets, name)))
    throw new OutboundRefused(undecrypted(name))
  return value
}

const isStored = async (tenant: string, { subject }: ServerEntry, secrets: Secrets, name: string) =>
  (await secrets.names(tenant, 'mcp', subject)).has(name)

const undecrypted = (name: string): string => `the master key does not decrypt the secret ${name}`

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
