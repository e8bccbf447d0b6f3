/**
 * Repository entry for a server that another layer defines: which fields it amends, and which
 * changes do not require replacing the entry.
 */

import type { RawServer } from '../../core/config/server/file.ts'
import { mergeServer, namesTransport } from '../../core/config/server/server.ts'
import { patchedServer } from '../../core/config/server/write.ts'
import type { Table } from '../../core/config/toml/write.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { findServer, readConfig, type StoredServer } from './config-file.ts'
import { type LayerRef, layersBelow, type OperationContext } from './place.ts'

/** Merges a server entry without a transport into the base layer's server of the same name. */
export async function withInherited(
  manager: OperationContext,
  place: LayerRef,
  raw: RawServer,
): Promise<RawServer> {
  if (place.kind !== 'repo' || namesTransport(raw)) return raw
  return mergeServer((await hiddenServer(manager, place, raw.name))?.raw, raw)
}

/**
 * Returns the inherited server that a repository entry would amend: the base layer's, otherwise a
 * role's.
 */
export async function hiddenServer(
  manager: OperationContext,
  place: LayerRef,
  name: string,
): Promise<StoredServer | undefined> {
  if (place.kind !== 'repo') return undefined
  for (const below of await layersBelow(manager)) {
    const config = await readConfig(manager, below)
    const server = config.ok ? findServer(config.value, name) : undefined
    if (server) return server
  }
  return undefined
}

/** Returns a server entry that contains only this layer's changes to an inherited server. */
export function amended(patch: Table): Outcome<Table, Refusal> {
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      const reason = `${key} comes from another layer; set another value, or PUT the whole server`
      return fail(wrong(`/${key}`, reason))
    }
    if (value !== undefined && TRANSPORT.includes(key)) {
      const reason = `${key} would replace the whole inherited server; PUT it with all fields`
      return fail(wrong(`/${key}`, reason))
    }
  }
  return ok(patchedServer({}, patch))
}

const TRANSPORT: readonly string[] = ['command', 'url', 'type']

const wrong = (pointer: string, message: string): Refusal =>
  refusal('invalid_request', message, { errors: [{ pointer, message }] })
