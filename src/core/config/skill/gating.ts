/**
 * Determines whether a skill can be used here: `metadata.requires` and
 * `metadata.<product>.requires` name secrets, configuration keys, servers, and programs. Platforms
 * without a machine have no programs. Requirements that cannot be checked do not disable a skill; a
 * reason is always given.
 */

/** Machine that runs programs, as the platform describes it; cloud functions have no machine. */
export interface Machine {
  /** Operating system of the machine as reported by Node: `linux`, `darwin`, `win32`. */
  readonly os: string
  /**
   * Whether the machine has a program, given by name on the path, or by a path relative to `cwd`.
   */
  has(program: string, cwd?: string | null): boolean
  /** Configuration values that the operator has set for skills (`STRATA_SKILL_CONFIG`). */
  readonly config: ReadonlyMap<string, string>
}

export const COMMAND_NOT_FOUND = 'command_not_found'

/** Operating system and programs of a platform that cannot run programs. */
export const NO_MACHINE: Pick<Gate, 'os' | 'bins'> = { os: '', bins: new Set<string>() }

export interface Gate {
  readonly secrets: ReadonlySet<string>
  /** Names of the servers that are usable in this resolution. */
  readonly servers: ReadonlySet<string>
  readonly config: ReadonlyMap<string, string>
  /** Programs on the machine's path; absent if the platform cannot list them. */
  readonly bins?: Pick<ReadonlySet<string>, 'has'>
  readonly os?: string
}

/** Returns the reason why a skill is unavailable, or null if it is available. */
export function gateReason(metadata: Readonly<Record<string, unknown>>, gate: Gate): string | null {
  for (const place of [metadata, ...Object.values(metadata)]) {
    if (!isMap(place)) continue
    const systems = strings(place.os)
    if (gate.os !== undefined && systems.length > 0 && !systems.includes(gate.os)) {
      const none = gate.os === '' ? ', and programs are not available here' : ''
      return `requires the operating system ${systems.join(' or ')}${none}`
    }
    const reason = isMap(place.requires) ? requirement(place.requires, gate) : null
    if (reason !== null) return reason
  }
  return null
}

function requirement(requires: Readonly<Record<string, unknown>>, gate: Gate): string | null {
  const secrets = [...strings(requires.secrets), ...strings(requires.env)]
  const secret = secrets.find((name) => !gate.secrets.has(name))
  if (secret !== undefined) return `requires the secret ${secret}`
  const server = [...strings(requires.servers), ...strings(requires.mcp)].find(
    (name) => !gate.servers.has(name),
  )
  if (server !== undefined) return `requires the MCP server ${server}`
  const key = strings(requires.config).find((name) => !truthy(gate.config.get(name)))
  if (key !== undefined) return `requires the configuration ${key}`
  if (gate.bins === undefined) return null
  const { bins } = gate
  const bin = strings(requires.bins).find((name) => !bins.has(name))
  if (bin !== undefined) return `requires the program ${bin}`
  const any = strings(requires.anyBins)
  if (any.length === 0 || any.some((name) => bins.has(name))) return null
  return `requires one of the programs ${any.join(', ')}`
}

const truthy = (value: string | undefined): boolean =>
  value !== undefined && value !== '' && value !== 'false' && value !== '0'

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns all strings in a value, including strings in nested lists. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.flatMap(strings) : []
}

const LISTS = ['secrets', 'env', 'servers', 'mcp', 'config', 'bins', 'anyBins']

interface OddList {
  readonly key: string
  /** Whether the requirement contains nested lists, which are flattened. */
  readonly nested: boolean
}

/** Returns the requirements of a skill that are not flat lists of names. */
export function oddRequirements(metadata: Readonly<Record<string, unknown>>): readonly OddList[] {
  const places = [metadata, ...Object.values(metadata)].filter(isMap)
  return places.flatMap(({ os, requires }) => [
    ...oddList('os', os),
    ...(isMap(requires)
      ? LISTS.flatMap((key) => oddList(`requires.${key}`, requires[key]))
      : oddList('requires', requires == null ? null : {})),
  ])
}

function oddList(key: string, value: unknown): readonly OddList[] {
  if (value == null || typeof value === 'string') return []
  const flat = Array.isArray(value) ? value.flat(Number.POSITIVE_INFINITY) : [null]
  if (!flat.every((item) => typeof item === 'string')) return [{ key, nested: false }]
  return (value as unknown[]).some(Array.isArray) ? [{ key, nested: true }] : []
}
