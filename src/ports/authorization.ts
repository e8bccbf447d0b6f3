/** Defines the OAuth part of the tools port: a tenant's authorizations at MCP servers. */

import type { ServerEntry } from '../core/config/types.ts'
import type { Outcome } from '../lib/outcome.ts'
import type { RequestOrigin } from './origin.ts'

/**
 * Prefix of the error that `list`, `call`, and `probe` return if a person must authorize access
 * first.
 */
export const AUTHORIZATION_REQUIRED = 'the server requires authorization (OAuth): '

/** Returns the complete authorization error for a server. */
export const authorizationRequired = ({ name, origin }: ServerEntry): string =>
  AUTHORIZATION_REQUIRED +
  (origin.kind === 'run'
    ? 'authorize it first as a layer server with this URL'
    : 'authorize it first, with the link from POST ' +
      `/v1/mcp-servers/${name}/authorization?layer=${origin.layer}`)

/** Prefix of the error that only the operator of the client or the server can resolve. */
export const AUTHORIZATION_FAILED = 'the authorization server '

/** Prefix of the error for a failed TLS connection. */
export const TLS_FAILED = 'the secure connection (TLS) failed: '

export interface AuthorizationShown {
  /**
   * State of the authorization; `refused` means that a person declined it or that the server does
   * not accept the client.
   */
  readonly state: 'required' | 'authorized' | 'expired' | 'refused'
  /**
   * Expiry of the access token (milliseconds since 1970), which may be renewed; null if unknown.
   */
  readonly expires_at: number | null
}
/** Query parameters of the OAuth callback from a person's browser. */
export interface AuthorizationAnswer {
  readonly state: string
  readonly code?: string | undefined
  readonly error?: string | undefined
  readonly iss?: string | undefined
}
export interface AuthorizationChange extends Partial<Omit<RequestOrigin, 'by'>> {
  readonly server: string
  /** ID of the API key that requested the authorization, or `system`. */
  readonly by: string
  readonly action: 'authorize' | 'refuse' | 'refresh_failed' | 'forget'
  readonly detail?: string | undefined
}
export interface Authorization {
  /**
   * Creates a single-use authorization link for a person; afterwards the browser returns to
   * `redirect`. Never throws.
   */
  begin(
    tenant: string,
    server: ServerEntry,
    options: { readonly redirect: string; readonly by: string },
  ): Promise<Outcome<{ readonly url: string; readonly expires_at: number }, string>>
  /** Completes an authorization. The callback's `state` names the tenant and cannot be forged. */
  finish(answer: AuthorizationAnswer): Promise<Outcome<{ readonly server: string }, string>>
  /**
   * Returns the authorization states in the order of the servers; undefined for a server whose use
   * of OAuth is neither known nor configured.
   */
  states(
    tenant: string,
    servers: readonly Pick<ServerEntry, 'url' | 'oauth'>[],
  ): Promise<readonly (AuthorizationShown | undefined)[]>
  /**
   * Deletes the stored tokens, regardless of the authorization server's response; `revoked` means
   * that the server also revoked them.
   */
  forget(
    tenant: string,
    server: ServerEntry,
    by: string,
    origin?: Partial<Omit<RequestOrigin, 'by'>>,
  ): Promise<{ readonly forgotten: boolean; readonly revoked: boolean }>
}
