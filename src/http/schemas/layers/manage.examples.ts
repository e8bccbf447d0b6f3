/** Examples of one layer's resources: the support desk's agent, skill, and MCP server. */

import { AGENT, digestOf, etagOf, OLDER_VERSION } from '../shared/story.ts'
import { UNKNOWN_TOOL } from './layers.examples.ts'
import { SKILL_MD } from './versions.examples.ts'

const LAYER = 'roles/support/'
const AGENT_MD =
  '---\n' +
  `name: ${AGENT}\n` +
  'description: Answers customer tickets and prepares refunds.\n' +
  'tools: file_read, mcp:helpdesk/*\n' +
  '---\n' +
  "You answer the shop's tickets. Follow the refund policy.\n"

export const SKILL_INPUTS = [{ skill_md: SKILL_MD, enabled: true }]
export const SWITCH_INPUTS = [{ enabled: false }]
export const AGENT_INPUTS = [{ agent_md: AGENT_MD, overwrite: false }]
export const AGENT_PATCHES = [{ max_steps: 20, model: null }]
export const SERVER_INPUTS = [
  {
    url: 'https://helpdesk.shop.example/mcp',
    bearer_token_env_var: 'HELPDESK_TOKEN',
    http_headers: { 'X-Shop': 'north' },
    disabled_tools: ['delete_ticket'],
    approval: { refund: 'ask' },
  },
]
export const SERVER_PATCHES = [{ enabled: false, http_headers: { 'X-Shop': null } }]
export const ROLLBACK_INPUTS = [{ version: OLDER_VERSION }]

const skill = {
  name: 'refund-policy',
  enabled: true,
  path: `${LAYER}.agents/skills/refund-policy/SKILL.md`,
  has_skill_md: true,
  description: 'When and how much the shop refunds.',
  files: [{ path: 'SKILL.md', etag: etagOf('SKILL.md'), size: SKILL_MD.length }],
  etag: etagOf('SKILL.md'),
  diagnostics: [],
} as const

const agent = {
  name: AGENT,
  path: `${LAYER}.agents/agents/${AGENT}.md`,
  status: 'loaded_with_warnings',
  description: 'Answers customer tickets and prepares refunds.',
  model: null,
  tools: ['file_read', 'mcp:helpdesk/*'],
  visibility: 'listed',
  etag: etagOf('agent'),
  diagnostics: [UNKNOWN_TOOL],
} as const

const server = {
  name: 'helpdesk',
  enabled: true,
  type: 'http',
  path: 'base/.agents/config.toml',
  etag: etagOf('helpdesk'),
  diagnostics: [],
  url: 'https://helpdesk.shop.example/mcp',
  bearer_token_env_var: 'HELPDESK_TOKEN',
  env: {},
  http_headers: { 'X-Shop': '[redacted]' },
} as const

export const LAYER_SKILLS = [skill]
export const LAYER_AGENTS = [agent]
export const LAYER_SERVERS = [server]

const message = 'The change applies to new runs.'
const change = { layer: LAYER, reloaded: true, message }
const writeResult = { ...change, created: false, warnings: [] }

export const WRITTEN_SKILLS = [{ ...writeResult, skill }]
export const WRITTEN_AGENTS = [{ ...writeResult, warnings: [UNKNOWN_TOOL], agent }]
export const WRITTEN_SERVERS = [{ ...writeResult, layer: 'base/', server }]
export const DELETED = [{ ...change, deleted: 1 }]
export const RELOADED = [{ reloaded: true, message, config_digest: digestOf('config') }]
export const PROBED = [
  {
    name: 'helpdesk',
    reachable: true,
    protocol_version: '2025-06-18',
    tools: [{ name: 'refund', description: 'Books a refund.' }],
    findings: [],
    latency_ms: 84,
    missing_secrets: [],
    error: null,
  },
]
