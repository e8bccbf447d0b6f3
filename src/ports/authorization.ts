/** Defines the OAuth part of the tools port: authorizations at a tenant's MCP servers. */

import type { ServerEntry } from '../core/config/types.ts'
import type { Outcome } from '../lib/outcome.ts'

/** Prefix of the error of `list`, `call`, and `probe` if a person must authorize first. */
export const AUTHORIZATION_REQUIRED = 'the server requires authorization (OAuth): '

/** Returns the complete error. */
export const authorizationRequired = ({ name, origin }: ServerEntry): string =>
  AUTHORIZATION_REQUIRED +
  (origin.kind === 'run'
    ? 'authorize it first as a layer server with this URL'
    : 'authorize it first, with the link from POST ' +
      `/v1/mcp-servers/${name}/authorization?layer=${origin.layer}`)

/** Prefix of the error if only the operator of the client or of the server can help. */
export const AUTHORIZATION_FAILED = 'the authorization server '

/** Prefix of the error for a failed TLS connection. */
export const TLS_FAILED = 'the secure connection (TLS) failed: '

export interface AuthorizationShown {
  /** State; `refused` means by a person, or because the client is not accepted. */
  readonly state: 'required' | 'authorized' | 'expired' | 'refused'
  /** Expiry of the token (milliseconds since 1970), which may be renewed; null if unknown. */
  readonly expires_at: number | null
}
/** Query of the OAuth callback in a person's browser. */
export interface AuthorizationAnswer {
  readonly state: string
  readonly code?: string | undefined
  readonly error?: string | undefined
  readonly iss?: string | undefined
}
export interface AuthorizationChange {
  readonly server: string
  /** ID of the API key, or `system`. */
  readonly by: string
  readonly action: 'authorize' | 'refuse' | 'refresh_failed' | 'forget'
  readonly detail?: string | undefined
}
export interface Authorization {
  /** Creates a single-use link for a person; the browser returns to `redirect`. Never throws. */
  begin(
    tenant: string,
    server: ServerEntry,
    options: { readonly redirect: string; readonly by: string },
  ): Promise<Outcome<{ readonly url: string; readonly expires_at: number }, string>>
  /** Completes an authorization; the state names the tenant and cannot be forged. */
  finish(answer: AuthorizationAnswer): Promise<Outcome<{ readonly server: string }, string>>
  /**
   * Returns the states in the servers' order; undefined if OAuth is neither known nor configured.
   */
  states(
    tenant: string,
    servers: readonly Pick<ServerEntry, 'url' | 'oauth'>[],
  ): Promise<readonly (AuthorizationShown | undefined)[]>
  /**
   * Deletes the stored tokens, regardless of the server's response; `revoked` means also at the
   * server.
   */
  forget(
    tenant: string,
    server: ServerEntry,
    by: string,
  ): Promise<{ readonly forgotten: boolean; readonly revoked: boolean }>
}
