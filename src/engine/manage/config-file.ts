/**
 * Updates a layer's config.toml under compare-and-swap: reads the file, changes one server's table,
 * and writes if the file is unchanged. Otherwise, retries with the new text. No concurrent change
 * is lost.
 */

import { textOfFile } from '../../core/config/encoding.ts'
import { CONFIG_PATH, LEGACY_CONFIG_PATH } from '../../core/config/layer/layout.ts'
import { migratedConfig, migrationFault } from '../../core/config/migrate/servers.ts'
import { parseConfig, parseTomlConfig, type RawServer } from '../../core/config/server/file.ts'
import { editTable } from '../../core/config/toml/edit.ts'
import { tableJson } from '../../core/config/toml/json.ts'
import { parseToml, type TomlResult } from '../../core/config/toml/parse.ts'
import type { Table } from '../../core/config/toml/write.ts'
import type { Diagnostic } from '../../core/config/types.ts'
import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { byteLength, encode } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { Expect } from '../../ports/world.ts'
import { isStale, readFile } from '../layers/files.ts'
import { retry } from '../partition/update.ts'
import type { LayerRef, OperationContext } from './place.ts'
import { contended, writeFile } from './write.ts'

/** Server entry in the layer's config file. */
export interface StoredServer {
  readonly name: string
  /** Complete TOML table of the server, including unknown keys. */
  readonly table: Table
  readonly raw: RawServer
}
export interface ConfigFile {
  /**
   * Path of the config file, below the tenant's prefix; the older JSON file if there is no TOML
   * file.
   */
  readonly path: string
  readonly text: string
  readonly toml: TomlResult
  readonly expect: Expect
  readonly servers: readonly StoredServer[]
  readonly found: readonly Diagnostic[]
}

/** Maximum number of attempts with concurrent writers. One writer succeeds in each round. */
const TRIES = 60

export const entryEtag = (table: Table): string => sha256(tableJson(table)).slice(0, 32)

export async function readConfig(
  manager: OperationContext,
  place: LayerRef,
): Promise<Outcome<ConfigFile, Refusal>> {
  const path = `${place.prefix}${CONFIG_PATH}`
  const legacyPath = `${place.prefix}${LEGACY_CONFIG_PATH}`
  const object = await readFile(manager, path)
  if (object === null) {
    const legacy = await readFile(manager, legacyPath)
    if (legacy === null) return configOf(path, '', 'absent')
    // The first write moves the older file's servers, because a config.toml hides that file.
    const parsed = parseConfig(legacy.body, legacyPath)
    const fault = migrationFault(parsed)
    if (fault !== undefined) {
      return fail(refusal('invalid_config', `${legacyPath}: ${fault}. Correct the file first.`))
    }
    const config = configOf(path, migratedConfig(parsed), 'absent')
    return config.ok ? ok({ ...config.value, path: legacyPath }) : config
  }
  const text = textOfFile(object.body)
  if (!text.ok) return fail(brokenFile(path, [text.error]))
  return configOf(path, text.value, { etag: object.etag })
}

function configOf(path: string, text: string, expect: Expect): Outcome<ConfigFile, Refusal> {
  const toml = parseToml(text)
  if (!toml.ok) return fail(brokenFile(path, [toml.found]))
  const parsed = parseTomlConfig(text, toml)
  if (parsed.broken) return fail(brokenFile(path, parsed.found))
  const tables = (toml.value.mcp_servers ?? {}) as Readonly<Record<string, Table>>
  const servers = parsed.servers.map((raw) => ({ name: raw.name, table: tables[raw.name]!, raw }))
  return ok({ path, text, toml, expect, servers, found: parsed.found })
}

function brokenFile(path: string, diagnostics: readonly Diagnostic[]): Refusal {
  const [first] = diagnostics
  const line = first?.line == null ? '' : ` line ${first.line}`
  const detail = `${path}${line}: ${first?.message ?? 'not valid'}. Correct the file first.`
  return refusal('invalid_config', detail)
}

export const findServer = (config: ConfigFile, name: string): StoredServer | undefined =>
  config.servers.find((server) => server.name.toLowerCase() === name.toLowerCase())

export interface Changed {
  readonly before: StoredServer | undefined
  /** Server's table after the change; undefined after a removal. */
  readonly after: Table | undefined
  readonly name: string
}

/** Replaces one server's table with the result of `change`. */
export async function changeServer(
  manager: OperationContext,
  place: LayerRef,
  name: string,
  change: (stored: StoredServer | undefined) => Promise<Outcome<Table | undefined, Refusal>>,
): Promise<Outcome<Changed, Refusal>> {
  const changed = await retry<Outcome<Changed, Refusal>>(manager.world, TRIES, async () => {
    const config = await readConfig(manager, place)
    if (!config.ok) return config
    const existing = findServer(config.value, name)
    const after = await change(existing)
    if (!after.ok) return after
    // Server names are unique ignoring case. An edit keeps the stored spelling.
    const storedName = existing?.name ?? name
    const { text, toml } = config.value
    const edited = editTable(text, ['mcp_servers', storedName], after.value, toml)
    if (!edited.ok) return fail(refusal('invalid_config', `${config.value.path}: ${edited.error}.`))
    const full = tooMuch(edited.value, config.value, existing === undefined)
    if (full) return fail(full)
    const path = `${place.prefix}${CONFIG_PATH}`
    const { expect } = config.value
    const origin = expect === 'absent' ? 'new' : 'there'
    const put = await writeFile(manager, path, encode(edited.value), expect, origin)
    if (!put.ok) return isStale(put.error) ? undefined : put
    return ok({ before: existing, after: after.value, name: storedName })
  })
  return changed ?? fail(contended())
}

function tooMuch(text: string, { servers }: ConfigFile, isNew: boolean): Refusal | undefined {
  if (byteLength(text) > LIMITS.toml_bytes) {
    return refusal('too_large', `config.toml would exceed ${LIMITS.toml_bytes} bytes.`)
  }
  if (!isNew || servers.length < LIMITS.servers_per_config) return undefined
  return refusal('invalid_config', `The limit is ${LIMITS.servers_per_config} servers per file.`)
}
