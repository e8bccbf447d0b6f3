/**
 * Where things lie inside a layer, in rising precedence. The last directory of each kind wins; new
 * files are written to `.agents/`.
 */

export interface Place {
  readonly path: string
  /** Read only where `.agents/` lacks the thing. */
  readonly legacy?: boolean
  /** Belongs to the base layer only. */
  readonly baseOnly?: boolean
}

export const CONFIG_PATH = '.agents/config.toml'
export const LEGACY_CONFIG_PATH = '.goclaw/mcp.json'

export const SKILL_PLACES: readonly Place[] = [
  { path: 'skills/main/', legacy: true, baseOnly: true },
  { path: '.goclaw/skills/', legacy: true },
  { path: '.neovate/skills/' },
  { path: '.agents/skills/' },
  { path: '.claude/skills/' },
]

export const AGENT_PLACES: readonly Place[] = [
  { path: '.netclaw/agents/' },
  { path: '.neovate/agents/' },
  { path: '.agents/agents/' },
  { path: '.claude/agents/' },
]

/** The dot directories that hold any of the above or another dialect's files, in key order. */
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

/** Dialects that are not read, and what to write instead. */
export function dialectHint(path: string): string | null {
  if (/(?:^|\/)(?:\.?mcp\.json|(?:opencode|openclaw)\.jsonc?|\.?claude\.json)$/.test(path)) {
    return 'write the servers as [mcp_servers.<name>] in .agents/config.toml'
  }
  if (/^\.(?:opencode|codex|cursor|gemini)\/agents?\/.+\.md$/.test(path)) {
    return `move the file to .agents/agents/${path.slice(path.lastIndexOf('/') + 1)}`
  }
  if (/^\.(?:opencode|codex|cursor|gemini)\/skills?\//.test(path)) {
    return 'move the directory to .agents/skills/'
  }
  if (/^\.codex\/config\.toml$/.test(path)) return 'move [mcp_servers] to .agents/config.toml'
  return null
}

/** Where a file of a deeper folder would be an agent; descriptions of the folder stay. */
export function movedAgent(name: string): string | null {
  const file = name.slice(name.lastIndexOf('/') + 1)
  return isProse(file) ? `move it to .agents/agents/${file}` : null
}

export function movedSkill(file: string): string | null {
  return isProse(file) ? `move it to .agents/skills/${file.slice(0, -3)}/SKILL.md` : null
}

const isProse = (file: string): boolean =>
  /.\.md$/i.test(file) && !/^(?:readme|skill|license|contributing|changelog)\./i.test(file)
