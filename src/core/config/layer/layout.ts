/**
 * Paths inside a layer, by ascending precedence. The last directory of each kind wins; new files
 * are written to `.agents/`.
 */

export interface FolderRule {
  readonly path: string
  /** Read only where `.agents/` lacks the entry. */
  readonly legacy?: boolean
  /** Read only in the base layer. */
  readonly baseOnly?: boolean
  /** Prefix of the owning layer, if different; ends with a slash. */
  readonly home?: string
}

/** goclaw kept skills by role in the main workspace, which is the base layer here. */
export interface RoleSkills {
  /** Their folder: `skills`, unless the tenant's policy names another one. */
  readonly dir: string
  /** The requested role if it has no layer, else null. */
  readonly role: string | null
}
export const ROLE_SKILLS: RoleSkills = { dir: 'skills', role: null }

export const CONFIG_PATH = '.agents/config.toml'
export const LEGACY_CONFIG_PATH = '.goclaw/mcp.json'

/** Returns the locations of skills, by ascending precedence. */
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

/** Dot directories with any of the above or another dialect's files, in key order. */
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

/** Commands of other programs; a skill also opens by `/name` and accepts arguments. */
const COMMAND =
  /^\.(?:claude|opencode|codex|cursor|gemini)\/(?:commands?|prompts)\/(?:[^/]+\/)*([^/]+)\.(?:md|toml)$/

/** Returns what to write instead of an unsupported dialect. */
export function dialectHint(path: string): string | null {
  if (/(?:^|\/)(?:\.?mcp\.json|(?:opencode|openclaw)\.jsonc?|\.?claude\.json)$/.test(path)) {
    return 'write the servers as [mcp_servers.<name>] in .agents/config.toml'
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
  if (command !== undefined) return `make it a skill: .agents/skills/${command}/SKILL.md`
  if (/^\.codex\/config\.toml$/.test(path)) return 'move [mcp_servers] to .agents/config.toml'
  return null
}

const OTHER_DIALECT =
  /^\.(?!git\/)[^/]+\/(?:.*\/)?(?:agents?|subagents|skills?|chatmodes)\/.*\.(?:md|toml)$/i
const OTHER_CONFIG = /^\.(?!git\/)[^/]+\/(?:config|mcp|agents|settings)\.toml$/i
/** Matches config files at the root of a base or role layer; a repository may use these names. */
const ROOT_CONFIG =
  /^(?:(?:config|mcp|agents|settings)\.toml|mcp\.json|(?:opencode|openclaw)\.jsonc?|claude\.json)$/i
const LOOSE = /^(?:agents?|skills?)\/.*\.(?:md|toml)$/i

/** Hint about servers at the root of a base or role layer. */
export const rootHint = (path: string): string | undefined =>
  ROOT_CONFIG.test(path)
    ? (dialectHint(path) ?? 'move [mcp_servers] to .agents/config.toml')
    : undefined

/**
 * Hint about a file that looks like an agent, a skill, or configuration in a location that is not
 * read.
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

/** Returns the path at which a nested file would be an agent; folder descriptions stay. */
export function movedAgent(name: string): string | null {
  const file = name.slice(name.lastIndexOf('/') + 1)
  return isProse(file) ? `move it to .agents/agents/${file}` : null
}

export function movedSkill(file: string): string | null {
  return isProse(file) ? `move it to .agents/skills/${file.slice(0, -3)}/SKILL.md` : null
}

const isProse = (file: string): boolean =>
  /.\.md$/i.test(file) && !/^(?:readme|skill|license|contributing|changelog)\./i.test(file)
