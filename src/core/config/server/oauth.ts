/**
 * Parses the `oauth` settings of a server's table, which define how the server's token is obtained.
 * Without them, a server that requires a token is authorized by a person, with a dynamically
 * registered client.
 */

import * as z from 'zod'

export interface ServerOAuth {
  /**
   * OAuth grant type. With `authorization_code` a person opens a link; `client_credentials`
   * involves no person.
   */
  readonly grant: 'authorization_code' | 'client_credentials'
  /** OAuth client ID; null to register a client dynamically. */
  readonly client_id: string | null
  /** Name of the tenant secret that contains the client secret; null if there is none. */
  readonly client_secret_env_var: string | null
  /** OAuth scopes to request; if empty, the scopes that the server names. */
  readonly scopes: readonly string[]
  /** The only accepted authorization server; null to accept the one that the MCP server names. */
  readonly issuer: string | null
}

/** Alternative member names of `oauth`, used by Claude Code, VS Code, and other products. */
const ALIASES: Readonly<Record<string, string>> = {
  clientId: 'client_id',
  clientSecretEnvVar: 'client_secret_env_var',
  scope: 'scopes',
  grantType: 'grant',
  grant_type: 'grant',
}
/** `oauth` members for local programs; Strata receives redirects at its own URL instead. */
const LOCAL: ReadonlySet<string> = new Set(['callbackPort', 'callback_port'])

const isMap = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function inOurWords(config: unknown): unknown {
  if (!isMap(config)) return config
  const entries = Object.entries(config).filter(([key]) => !LOCAL.has(key))
  const renamed = entries.map(([key, value]) => {
    const name = Object.hasOwn(ALIASES, key) ? ALIASES[key]! : key
    return [name, name === 'scopes' && typeof value === 'string' ? words(value) : value] as const
  })
  return Object.fromEntries(renamed)
}

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

/** OAuth scope (RFC 6749): printable ASCII without quotes and backslashes. */
const SCOPE = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/)
const SECRET = /^[A-Za-z_][A-Za-z0-9_]*$/

export const OAUTH = z.preprocess(
  inOurWords,
  z.strictObject({
    grant: z.enum(['authorization_code', 'client_credentials']).optional(),
    client_id: z.string().trim().min(1).max(2_048).optional(),
    client_secret_env_var: z.string().regex(SECRET).optional(),
    scopes: z.array(SCOPE).max(100).optional(),
    issuer: z
      .url({ protocol: /^https?$/ })
      .max(2_048)
      .optional(),
  }),
)

export const OAUTH_EXPECTED =
  'must be a table with client_id, client_secret_env_var (the name of a secret), ' +
  'scopes, issuer, and grant (authorization_code or client_credentials)'

/** Parses the `oauth` settings and fills in defaults for all members. */
export function oauthOf(input: unknown): ServerOAuth {
  const { grant = 'authorization_code', scopes = [], ...settings } = input as z.output<typeof OAUTH>
  const { client_id = null, client_secret_env_var = null, issuer = null } = settings
  return { grant, client_id, client_secret_env_var, scopes, issuer }
}

/** Explains why `oauth` settings are invalid; returns undefined if they are valid. */
export function oauthFault({ grant, client_id, client_secret_env_var }: ServerOAuth) {
  if (client_secret_env_var !== null && client_id === null)
    return 'oauth.client_secret_env_var requires oauth.client_id'
  if (grant === 'client_credentials' && client_secret_env_var === null)
    return 'client_credentials requires oauth.client_id and oauth.client_secret_env_var'
  return undefined
}
