/** Short readings of a resolved config, and the files that most tests of layers use. */

import type { FileRecord, Resolved } from '../../src/core/config/types.ts'

export const server = (name: string, body = `url = "https://${name}.example/mcp"`) =>
  `[mcp_servers.${name}]\n${body}\n`
export const BASE_CONFIG = 'base/.agents/config.toml'
export const REPO_CONFIG = 'repos/app/.agents/config.toml'
export const REPO = { repo_dir: 'repos/app' }

export const skills = (resolved: Resolved) =>
  resolved.skills.map((one) => [one.id, one.enabled, one.body.trim()])
export const servers = (resolved: Resolved) => resolved.servers.map((one) => one.name)
export const agentBody = (resolved: Resolved, id: string) =>
  resolved.agents.find((one) => one.id === id)?.system_prompt.trim()
export const record = (resolved: Resolved, path: string): FileRecord | undefined =>
  resolved.records.find((one) => one.layer + one.path === path)
export const codes = (resolved: Resolved) => resolved.diagnostics.map((one) => one.code)
