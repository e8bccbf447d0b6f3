/**
 * Paths inside a layer, by ascending precedence. For each kind of entry, the last folder takes
 * precedence; new files are written to `.agents/`.
 */

export interface FolderRule {
  readonly path: string
  /** Whether the folder is read only for entries that `.agents/` does not contain. */
  readonly legacy?: boolean
  /** Whether the folder is read in the base layer only. */
  readonly baseOnly?: boolean
  /** Prefix of the layer that owns the folder, if different; ends with a slash. */
  readonly home?: string
}

/**
 * Folder that contains skills by role. goclaw kept this folder in the main workspace, which
 * corresponds to the base layer.
 */
export interface RoleSkills {
  /** Name of the folder: `skills`, unless the tenant's policy sets another name. */
  readonly dir: string
  /** Requested role if there is no layer for that role; otherwise null. */
  readonly role: string | null
}
export const ROLE_SKILLS: RoleSkills = { dir: 'skills', role: null }

export const CONFIG_PATH = '.agents/config.toml'
export const LEGACY_CONFIG_PATH = '.goclaw/mcp.json'

/** Returns the folders that may contain skills, by ascending precedence. */
export function skillPlaces({ dir, role }: RoleSkills = ROLE_SKILLS): readonly FolderRule[] {
  const main: FolderRule = { path: `${dir}/main/`, legacy: true, baseOnly: true }
  if (role === null) return [main, ...PLACES]
  const home = `roles/${role}/`
  return [main, { path: `${dir}/${role}/`, legacy: true, baseOnly: true, home }, ...PLACES]
}

const PLACES: readonly FolderRule[] = [
  { path: '.goclaw/skills/', legacy: true },
  { path: '.neovate/skills/' },
  { path: '.agents/skills/' },
  { path: '.claude/skills/' },
]

export const AGENT_PLACES: readonly FolderRule[] = [
  { path: '.netclaw/agents/' },
  { path: '.neovate/agents/' },
  { path: '.agents/agents/' },
  { path: '.claude/agents/' },
]

export const SCHEDULE_PLACE = '.agents/schedules/'

export const SKILL_PLACES = skillPlaces()

/** Prefixes of the paths that make a layer valid; a role's layer without them is not used. */
export const VALID_PLACES: readonly string[] = [
  CONFIG_PATH,
  SCHEDULE_PLACE,
  ...[...AGENT_PLACES, ...PLACES].flatMap(({ path, legacy }) => (legacy === true ? [] : [path])),
]

/** Returns whether a file makes its layer valid, even if the file does not load. */
export const holdsEntry = (path: string): boolean =>
  path === CONFIG_PATH ||
  VALID_PLACES.some((place) => place.endsWith('/') && path.startsWith(place))

/** Returns whether a file belongs to an agent, a skill, a schedule, or the servers of a layer. */
export const isManagedPath = (path: string, roles: RoleSkills, isBase: boolean): boolean =>
  holdsEntry(path) ||
  path === LEGACY_CONFIG_PATH ||
  skillPlaces(roles).some(
    (place) => path.startsWith(place.path) && (place.baseOnly !== true || isBase),
  )

/**
 * Prefixes of dot folders that may contain layer files, or files in another dialect, in key order.
 */
export const READ_PREFIXES: readonly string[] = [
  '.agents/',
  '.claude/',
  '.codex/',
  '.cursor/',
  '.gemini/',
  '.goclaw/',
  '.mcp.json',
  '.neovate/',
  '.netclaw/',
  '.opencode/',
]

/**
 * Matches command files of other programs; in Strata, skills open with `/name` and accept
 * arguments.
 */
const COMMAND =
  /^\.(?:claude|opencode|codex|cursor|gemini)\/(?:commands?|prompts)\/(?:[^/]+\/)*([^/]+)\.(?:md|toml)$/

/** Returns advice on replacing a file in an unsupported dialect. */
export function dialectHint(path: string): string | null {
  if (/(?:^|\/)(?:\.?mcp\.json|(?:opencode|openclaw)\.jsonc?|\.?claude\.json)$/.test(path)) {
    return 'define the servers as [mcp_servers.<name>] in .agents/config.toml'
  }
  if (/^\.(?:opencode|codex|cursor|gemini)\/agents?\/.+\.md$/.test(path)) {
    return `move the file to .agents/agents/${path.slice(path.lastIndexOf('/') + 1)}`
  }
  if (/^\.(?:opencode|codex|cursor|gemini)\/skills?\//.test(path)) {
    return 'move the folder to .agents/skills/'
  }
  if (/^\.[a-z]+\/schedules?\/.+\.md$/.test(path)) {
    return `move the file to ${SCHEDULE_PLACE}${path.slice(path.lastIndexOf('/') + 1)}`
  }
  const [, command] = COMMAND.exec(path) ?? []
  if (command !== undefined) return `convert it to a skill: .agents/skills/${command}/SKILL.md`
  if (/^\.codex\/config\.toml$/.test(path)) return 'move [mcp_servers] to .agents/config.toml'
  return null
}

const OTHER_DIALECT =
  /^\.(?!git\/)[^/]+\/(?:.*\/)?(?:agents?|subagents|skills?|chatmodes)\/.*\.(?:md|toml)$/i
const OTHER_CONFIG = /^\.(?!git\/)[^/]+\/(?:config|mcp|agents|settings)\.toml$/i
/**
 * Matches configuration files at the root of a base or role layer. A repository may use these names
 * for other purposes.
 */
const ROOT_CONFIG =
  /^(?:(?:config|mcp|agents|settings)\.toml|mcp\.json|(?:opencode|openclaw)\.jsonc?|claude\.json)$/i
const LOOSE = /^(?:agents?|skills?)\/.*\.(?:md|toml)$/i

/** Returns a hint about server definitions at the root of a base or role layer. */
export const rootHint = (path: string): string | undefined =>
  ROOT_CONFIG.test(path)
    ? (dialectHint(path) ?? 'move [mcp_servers] to .agents/config.toml')
    : undefined

/**
 * Returns a hint about a file that looks like an agent, a skill, or configuration but is in an
 * unread location.
 */
export function misplacedHint(path: string): string | undefined {
  if (OTHER_CONFIG.test(path)) return 'move [mcp_servers] to .agents/config.toml'
  if (!OTHER_DIALECT.test(path) && !LOOSE.test(path)) return undefined
  const [, skill] = /(?:^|\/)([^/]+)\/skill\.md$/i.exec(path) ?? []
  if (skill !== undefined) return `move the folder to .agents/skills/${skill}/`
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:agent|chatmode)\.md$/i, '.md')
  if (/(?:^|\/)skills?\//i.test(path)) return 'move its skill to .agents/skills/'
  return `move it to .agents/agents/${file}`
}

/**
 * Returns the path at which a nested file would be an agent. Files that describe a folder are not
 * moved.
 */
export function movedAgent(name: string): string | null {
  const file = name.slice(name.lastIndexOf('/') + 1)
  return isProse(file) ? `move it to .agents/agents/${file}` : null
}

export function movedSkill(file: string): string | null {
  return isProse(file) ? `move it to .agents/skills/${file.slice(0, -3)}/SKILL.md` : null
}

const isProse = (file: string): boolean =>
  /.\.md$/i.test(file) && !/^(?:readme|skill|license|contributing|changelog)\./i.test(file)
