/** OAuth tokens for requests to an MCP server: sent if required, and renewed once. */

import type { FetchLike } from '@modelcontextprotocol/client'
import type { ServerEntry } from '../../core/config/types.ts'
import { AUTHORIZATION_REQUIRED } from '../../ports/world.ts'
import { OutboundRefused } from '../outbound/fetch.ts'

export interface TokenSource {
  /**
   * Returns an OAuth token; `used` is a token that the server rejected. Returns undefined if a
   * person must authorize the server first.
   */
  token(tenant: string, server: ServerEntry, used?: string): Promise<string | undefined>
  /** Returns the OAuth tokens that this process has sent to the server. */
  sent(tenant: string, server: ServerEntry): readonly string[]
}

/**
 * Adds the OAuth token of a configured server to requests; other servers request a token by a 401
 * response. A rejected token is renewed once.
 */
export function withToken(
  tenant: string,
  server: ServerEntry,
  tokens: TokenSource | undefined,
  fetch: FetchLike,
): FetchLike {
  const isOurs = server.oauth !== undefined || !hasCredential(server)
  if (!tokens || !isOurs) return fetch
  let needed = server.oauth !== undefined
  return async (url, init) => {
    let token = needed ? await tokens.token(tenant, server) : undefined
    if (needed && token === undefined) throw new OutboundRefused(AUTHORIZATION_REQUIRED)
    // The request is attempted without a token, with the stored token, and with a renewed token.
    for (let tries = token === undefined ? 2 : 1; ; tries -= 1) {
      const answer = await fetch(url, withBearer(init, token))
      if (answer.status !== 401) return answer
      const asks = /^\s*bearer\b/i.test(answer.headers.get('www-authenticate') ?? '')
      if (!needed && !asks) return answer
      await answer.body?.cancel()
      const fresh = tries > 0 ? await tokens.token(tenant, server, token) : undefined
      if (fresh === undefined || fresh === token) throw new OutboundRefused(AUTHORIZATION_REQUIRED)
      needed = true
      token = fresh
    }
  }
}

const hasCredential = ({ bearer_token_env_var, env_http_headers }: ServerEntry): boolean =>
  bearer_token_env_var !== null ||
  Object.keys(env_http_headers).some((name) => /^authorization$/i.test(name))

function withBearer(init: RequestInit | undefined, token: string | undefined): RequestInit {
  const headers = new Headers(init?.headers)
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  return { ...init, headers }
}
