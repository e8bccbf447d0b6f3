/** Keys of `[mcp_servers.<name>]` in config.toml, and the types of their values. */

import * as z from 'zod'
import { ToolRuleShape } from '../argument-rules.ts'
import type { FileKey } from '../file-key.ts'
import { OAUTH } from './oauth.ts'

/** Default time-outs of MCP servers in seconds. */
export const DEFAULT_SECONDS = {
  startup_timeout_sec: 20,
  startup_timeout_ms: 20,
  tool_timeout_sec: 60,
} as const
const SECONDS = z.number().positive().max(3_600)
export const TEXT = z.string()
export const LIST = z.array(z.string())
const TEXTS = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

export const SERVER_SCHEMA = {
  command: TEXT,
  args: LIST,
  env: TEXTS,
  cwd: TEXT,
  url: TEXT,
  type: TEXT,
  transport: TEXT,
  bearer_token_env_var: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/),
  http_headers: TEXTS,
  env_http_headers: z.record(z.string(), z.string()),
  oauth: OAUTH,
  enabled: z.boolean(),
  enabled_tools: LIST,
  disabled_tools: LIST,
  startup_timeout_sec: SECONDS,
  startup_timeout_ms: z.number().positive().max(3_600_000),
  tool_timeout_sec: SECONDS,
  approval: z.record(z.string(), ToolRuleShape),
} as const satisfies Readonly<Record<string, z.ZodType>>

type ServerKey = keyof typeof SERVER_SCHEMA

const ABOUT: Readonly<Record<ServerKey, Pick<FileKey, 'about' | 'default' | 'example'>>> = {
  url: {
    about: 'URL of a remote server. Each server has either a `url` or a `command`.',
    default: 'none',
    example: 'https://mcp.example.com/mcp',
  },
  command: {
    about:
      'Command that starts a local server, which communicates over MCP on standard input ' +
      'and output.',
    default: 'none',
    example: 'npx',
  },
  args: { about: 'Arguments for `command`.', default: 'none', example: ['-y', 'my-server'] },
  env: {
    about: 'Environment variables for `command`; `${NAME}` is replaced with a secret.',
    default: 'none',
    example: { TOKEN: '${MY_TOKEN}' },
  },
  cwd: {
    about: 'Working directory for `command`.',
    default: "the server's working directory",
    example: '/srv/tools',
  },
  type: {
    about: 'Server transport: `http` or `sse` with a `url`, `stdio` with a `command`.',
    default: 'derived from `url` or `command`',
    example: 'http',
  },
  transport: {
    about: 'Alias for `type`.',
    default: 'derived from `url` or `command`',
    example: 'http',
  },
  bearer_token_env_var: {
    about: 'Name of the secret to send as `Authorization: Bearer`.',
    default: 'none',
    example: 'MY_TOKEN',
  },
  http_headers: {
    about: 'Headers for every request; `${NAME}` is replaced with a secret.',
    default: 'none',
    example: { 'x-team': 'support' },
  },
  env_http_headers: {
    about: 'Headers whose values are secrets, as a map from header name to secret name.',
    default: 'none',
    example: { 'x-api-key': 'MY_KEY' },
  },
  oauth: {
    about:
      'OAuth settings for obtaining a token: `grant` (`authorization_code` or ' +
      '`client_credentials`), `client_id`, `client_secret_env_var`, `scopes`, and `issuer`.',
    default: 'a client is registered if the server requires authorization',
    example: { scopes: ['read'] },
  },
  enabled: { about: 'Whether the server is enabled.', default: 'true', example: false },
  enabled_tools: {
    about: 'Server tools that agents can use; all others are unavailable.',
    default: 'all',
    example: ['search'],
  },
  disabled_tools: {
    about: 'Server tools that agents cannot use.',
    default: 'none',
    example: ['delete'],
  },
  startup_timeout_sec: {
    about: 'Number of seconds within which the server must list its tools.',
    default: `${DEFAULT_SECONDS.startup_timeout_sec}`,
    example: 10,
  },
  startup_timeout_ms: {
    about: 'Number of milliseconds within which the server must list its tools.',
    default: `${DEFAULT_SECONDS.startup_timeout_ms * 1_000}`,
    example: 10_000,
  },
  tool_timeout_sec: {
    about: 'Number of seconds within which a tool call must return.',
    default: `${DEFAULT_SECONDS.tool_timeout_sec}`,
    example: 120,
  },
  approval: {
    about:
      'Permission rules by tool name or pattern: `allow`, `ask`, `deny`, or lists of ' +
      'argument patterns for each.',
    default: "according to the tenant's policy",
    example: { 'create_*': 'ask', 'delete_*': 'deny' },
  },
}

export const SERVER_KEYS: readonly FileKey[] = (Object.keys(SERVER_SCHEMA) as ServerKey[]).map(
  (name) => ({ name, ...ABOUT[name], schema: SERVER_SCHEMA[name], otherwise: 'entry' }),
)
