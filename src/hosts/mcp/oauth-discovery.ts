/**
 * Discovers the authorization server of an MCP server from metadata. The metadata is third-party
 * input: each URL is checked against the outbound rules before it is used for a request, a
 * registration, or a link for a person.
 */

import {
  checkResourceAllowed,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  type FetchLike,
} from '@modelcontextprotocol/client'
import type { ServerOAuth } from '../../core/config/server/oauth.ts'
import { AUTHORIZATION_FAILED, type Web } from '../../ports/world.ts'
import type { Issuer } from './oauth-grants.ts'
import { AuthorizationRefused } from './oauth-requests.ts'

interface Discovering {
  readonly fetch: FetchLike
  readonly check: Web['check']
}

export interface Discovery {
  readonly issuer: Issuer
  /** Scopes that the MCP server requires for a token. */
  readonly scopes: readonly string[]
}

/** Discovers an MCP server's authorization server; metadata URLs are checked before use. */
export async function discover(
  { fetch, check }: Discovering,
  url: string,
  oauth: ServerOAuth | undefined,
): Promise<Discovery> {
  const vetted = new VettedFetch(fetch, check)
  const discovery = await discovered(vetted.fetch, url, oauth).catch((error) => {
    throw vetted.refusal ?? error
  })
  // The rejection is rethrown, because the library tries other URLs if a document is unavailable.
  if (vetted.refusal) throw vetted.refusal
  if (oauth?.grant !== 'client_credentials') mayAuthorize(discovery.issuer)
  return discovery
}

async function discovered(
  fetch: FetchLike,
  url: string,
  oauth: ServerOAuth | undefined,
): Promise<Discovery> {
  const challenge = await challengeOf(fetch, url)
  const { resourceMetadataUrl } = challenge
  const info = await discoverOAuthServerInfo(url, {
    fetchFn: fetch,
    ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
  })
  const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = info
  const expectedIssuer = oauth?.issuer
  if (expectedIssuer != null && plain(authorizationServerUrl) !== plain(expectedIssuer))
    throw new AuthorizationRefused(
      'the server names an authorization server other than oauth.issuer',
    )
  const resource = resourceMetadata?.resource
  if (
    resource !== undefined &&
    !checkResourceAllowed({ requestedResource: url, configuredResource: resource })
  )
    throw new AuthorizationRefused('the metadata belongs to another server')
  const challengeScopes = challenge.scope?.split(/\s+/).filter((scope) => scope !== '')
  return {
    issuer: {
      url: authorizationServerUrl,
      metadata: authorizationServerMetadata && needed(authorizationServerMetadata),
      resource,
    },
    scopes: challengeScopes ?? resourceMetadata?.scopes_supported ?? [],
  }
}

const plain = (url: string): string => url.replace(/\/+$/, '')

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

async function challengeOf(fetch: FetchLike, url: string) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const answer = await fetch(url, { method: 'POST', headers, body: PING })
  return answer.status === 401 ? extractWWWAuthenticateParams(answer) : {}
}

/** Names of the metadata members that are kept; the full document may be large. */
const NEEDED = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'response_types_supported',
  'grant_types_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
  'authorization_response_iss_parameter_supported',
]

const needed = (metadata: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(metadata).filter(([name]) => NEEDED.includes(name)))

/** Metadata members that contain URLs to be requested later or opened by a person. */
const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
]

/** Provides a `fetch` for discovery that rejects disallowed URLs and keeps the first rejection. */
class VettedFetch {
  refusal: AuthorizationRefused | undefined
  readonly #fetch: FetchLike
  readonly #check: Web['check']

  constructor(fetch: FetchLike, check: Web['check']) {
    this.#fetch = fetch
    this.#check = check
  }

  readonly fetch: FetchLike = async (url, init) => {
    this.#judge('metadata URL', String(url))
    const answer = await this.#fetch(url, init)
    const isDocument = answer.ok && (init?.method ?? 'GET') === 'GET'
    if (!isDocument) return answer
    const text = await answer.text()
    this.#read(text)
    const { status, headers } = answer
    return new Response(text, { status, headers })
  }

  #read(text: string): void {
    let document: unknown
    try {
      document = JSON.parse(text)
    } catch {
      // The library itself reports invalid metadata.
      return
    }
    const members = (document ?? {}) as Readonly<Record<string, unknown>>
    for (const name of ENDPOINTS) if (members[name] != null) this.#judge(name, members[name])
    const { authorization_servers: servers } = members
    for (const server of Array.isArray(servers) ? servers : [])
      this.#judge('authorization_servers', server)
  }

  #judge(name: string, url: unknown): void {
    const fault = typeof url === 'string' ? this.#check(url) : 'not a string'
    if (fault === undefined) return
    this.refusal ??= new AuthorizationRefused(
      `${AUTHORIZATION_FAILED}is rejected because of its ${name}: ${fault}`,
    )
    throw this.refusal
  }
}

/**
 * Checks that the authorization server supports the code flow with PKCE; without it, links are
 * invalid, or their codes can be stolen.
 */
function mayAuthorize({ metadata = {} }: Issuer): void {
  const lacks = (name: string, value: string) =>
    Array.isArray(metadata[name]) && !metadata[name].includes(value)
  if (lacks('response_types_supported', 'code'))
    throw new AuthorizationRefused(
      `${AUTHORIZATION_FAILED}is rejected because it does not issue authorization codes`,
    )
  if (lacks('code_challenge_methods_supported', 'S256'))
    throw new AuthorizationRefused(
      `${AUTHORIZATION_FAILED}is rejected because it does not support PKCE with S256`,
    )
}
