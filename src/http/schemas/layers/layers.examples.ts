/** Examples of layers: an agent, a skill, an MCP server, and an older layout. */

import { AGENT, digestOf, etagOf, LAYER } from '../shared/story.ts'

export const RESOLVE_INPUTS = [
  {},
  { role: 'support', repo_dir: 'repos/shop' },
  {
    role: 'support',
    overlay: {
      files: [
        {
          path: `roles/support/.agents/agents/${AGENT}.md`,
          text: `---\nname: ${AGENT}\ndescription: Answers tickets.\n---\nAnswer one ticket.\n`,
        },
        { path: 'roles/support/.agents/skills/refund-policy/SKILL.md', text: null },
      ],
    },
  },
]

const origin = (kind: 'base' | 'role', layer: string, path: string) => ({
  kind,
  layer,
  key: `${layer}${path}`,
  etag: etagOf(path),
  shadows: [] as { layer: string; key: string }[],
})

export const UNKNOWN_TOOL = {
  code: 'unknown_tool',
  severity: 'warning',
  line: 4,
  message: 'there is no tool `Refund`',
  hint: 'mcp__helpdesk__refund',
} as const

const SKILL_PATH = '.agents/skills/refund-policy/SKILL.md'

export const RESOLVED = [
  {
    agents: [
      {
        id: AGENT,
        display_name: AGENT,
        description: 'Answers customer tickets and prepares refunds.',
        tools: ['file_read', 'mcp:helpdesk/*'],
        model: null,
        visibility: 'listed',
        system_prompt: "You answer the shop's tickets. Follow the refund policy.\n",
        origin: origin('role', 'roles/support/', `.agents/agents/${AGENT}.md`),
      },
    ],
    skills: [
      {
        id: 'refund-policy',
        description: 'When and how much the shop refunds.',
        enabled: true,
        available: true,
        reason: null,
        origin: {
          ...origin('role', 'roles/support/', SKILL_PATH),
          shadows: [{ layer: LAYER, key: `${LAYER}${SKILL_PATH}` }],
        },
      },
    ],
    servers: [
      {
        name: 'helpdesk',
        transport: 'http',
        enabled: true,
        url: 'https://helpdesk.shop.example/mcp',
        env: {},
        http_headers: { 'X-Shop': '[redacted]' },
        bearer_token_env_var: 'HELPDESK_TOKEN',
        origin: origin('base', LAYER, '.agents/config.toml'),
      },
    ],
    schedules: [
      {
        name: 'weekly-digest',
        request: {
          cron: '0 9 * * 1',
          timezone: 'Europe/Berlin',
          input: 'Sum up the tickets of the week before {{slot.date}}.',
          agent: AGENT,
        },
        file_digest: digestOf('schedule'),
        origin: origin('role', 'roles/support/', '.agents/schedules/weekly-digest.md'),
      },
    ],
    unavailable: [],
    records: [
      {
        layer: 'roles/support/',
        path: `.agents/agents/${AGENT}.md`,
        kind: 'agent',
        id: AGENT,
        status: 'loaded_with_warnings',
        diagnostics: [UNKNOWN_TOOL],
      },
    ],
    diagnostics: [],
    missing_secrets: [{ server: 'helpdesk', name: 'HELPDESK_TOKEN' }],
    secrets: [{ server: 'helpdesk', name: 'HELPDESK_TOKEN', source: 'none' }],
    lacks: {
      web_search: 'no search provider is configured: set BRAVE_API_KEY, TAVILY_API_KEY, …',
    },
    layers: [
      { kind: 'base', layer: LAYER },
      { kind: 'role', layer: 'roles/support/' },
    ],
    digest: digestOf('config'),
  },
]

export const DIFF_INPUTS = [
  { left: { digest: digestOf('config') }, right: { role: 'support', repo_dir: 'repos/shop' } },
]
export const DIFFS = [
  {
    left: digestOf('config'),
    right: digestOf("today's config"),
    differences: [
      { kind: 'agent', id: AGENT, change: 'changed', fields: ['body_digest', 'tools'] },
      { kind: 'skill', id: 'refund-policy', change: 'added', fields: [] },
    ],
  },
]

export const LAYERS = [
  { layer: LAYER, kind: 'base', files: 9, more_files: false, valid: true },
  { layer: 'repos/shop/', kind: 'repo', files: 1_000, more_files: true, valid: false },
  { layer: 'roles/support/', kind: 'role', files: 4, more_files: false, valid: true },
]

const IMPORT = 'imports/helpdesk/'
const IMPORTED = `.agents/agents/${AGENT}.md`

export const IMPORT_INPUTS = [
  { from: IMPORT, layer: 'repos/shop/', dry_run: true },
  { from: IMPORT, layer: 'repos/shop/', plan: digestOf('plan'), dry_run: false },
]
export const IMPORTS = [
  {
    from: IMPORT,
    layer: 'repos/shop/',
    dry_run: true,
    plan: digestOf('plan'),
    steps: [
      {
        action: 'create',
        path: `repos/shop/${IMPORTED}`,
        from: `${IMPORT}${IMPORTED}`,
        etag: null,
      },
      {
        action: 'skip',
        path: 'repos/shop/.env',
        from: `${IMPORT}.env`,
        etag: null,
        reason: 'environment file',
      },
    ],
    records: [
      {
        layer: '',
        path: IMPORTED,
        kind: 'agent',
        id: AGENT,
        status: 'loaded_with_warnings',
        diagnostics: [UNKNOWN_TOOL],
      },
    ],
  },
]

export const MIGRATE_INPUTS = [{ layer: LAYER, dry_run: true }]
export const MIGRATIONS = [
  {
    layer: LAYER,
    dry_run: true,
    steps: [
      {
        action: 'write',
        path: `${LAYER}.agents/config.toml`,
        from: `${LAYER}.goclaw/mcp.json`,
        content: '[mcp_servers.helpdesk]\nurl = "https://helpdesk.shop.example/mcp"\n',
        diagnostics: [],
      },
      { action: 'delete', path: `${LAYER}.goclaw/mcp.json` },
    ],
  },
]
