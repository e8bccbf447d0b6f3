/**
 * Sends requests to authorization servers with the client library, under the outbound rules and
 * with limits on size and time.
 */

import {
  ClientCredentialsProvider,
  exchangeAuthorization,
  type FetchLike,
  fetchToken,
  IssuerMismatchError,
  OAuthError,
  type OAuthTokens,
  refreshAuthorization,
  registerClient,
} from '@modelcontextprotocol/client'
import { LIMITS } from '../../core/limits.ts'
import { AUTHORIZATION_FAILED } from '../../ports/world.ts'
import { type Fetch, OutboundRefused, refusedIn, sendThrough } from '../outbound/fetch.ts'
import type { Issuer, OAuthClient, Tokens } from './oauth-grants.ts'

type Metadata = NonNullable<Parameters<typeof refreshAuthorization>[1]['metadata']>

/** Returns a `fetch` for the library with limits on the size and duration of each response. */
export function boundedFetch(door: Fetch): FetchLike {
  const send = sendThrough(door)
  return async (url, init) => {
    const answer = await send(
      {
        method: init?.method === 'POST' ? 'POST' : 'GET',
        url: String(url),
        headers: Object.fromEntries(new Headers(init?.headers)),
        ...(init?.body == null ? {} : { body: String(init.body) }),
        timeoutMs: LIMITS.oauth_request_seconds * 1_000,
        maxBytes: LIMITS.oauth_answer_bytes,
      },
      init?.signal ?? undefined,
    )
    if (!answer.ok) throw new OutboundRefused(answer.error)
    const { status, headers, body, cut } = answer.value
    if (cut) throw new OutboundRefused("the authorization server's response is too large")
    const { 'content-encoding': _, 'content-length': __, ...plainHeaders } = headers
    const hasNone = status === 204 || status === 205 || status === 304
    return new Response(hasNone ? null : body, { status, headers: plainHeaders })
  }
}

/**
 * Error reported by the authorization server, described by OAuth error codes and never by the
 * server's text.
 */
export class AuthorizationRefused extends Error {
  override readonly name = 'AuthorizationRefused'
}

const OTHER_ISSUER = `${AUTHORIZATION_FAILED}is rejected because its issuer does not match`

/**
 * Describes a failure in a sentence; `refused` means that the authorization server declined and a
 * retry is useless.
 */
export function oauthTrouble(error: unknown): { readonly refused: boolean; readonly why: string } {
  const door = refusedIn(error)
  if (door) return { refused: false, why: door.message }
  if (error instanceof AuthorizationRefused) return { refused: true, why: error.message }
  if (error instanceof IssuerMismatchError) return { refused: true, why: OTHER_ISSUER }
  if (error instanceof OAuthError) {
    const code = /^[a-z_]{1,60}$/.test(error.code) ? error.code : 'error'
    const passing = code === 'server_error' || code === 'temporarily_unavailable'
    return { refused: !passing, why: `${AUTHORIZATION_FAILED}responded with ${code}` }
  }
  return { refused: false, why: `${AUTHORIZATION_FAILED}sent an invalid response` }
}

export const metadataOf = ({ metadata }: Issuer): { metadata: Metadata } | object =>
  metadata === undefined ? {} : { metadata: metadata as Metadata }

/** Returns the host to which the client secret is sent. */
export function tokenHost({ url, metadata }: Issuer): string {
  const endpoint = metadata?.token_endpoint
  return URL.parse(typeof endpoint === 'string' ? endpoint : url)?.hostname ?? ''
}

/** Registers a new OAuth client for a single redirect URI. */
export async function register(
  fetch: FetchLike,
  issuer: Issuer,
  { redirect, scope }: { readonly redirect: string; readonly scope: string | undefined },
): Promise<OAuthClient> {
  const registration = await registerClient(issuer.url, {
    ...metadataOf(issuer),
    clientMetadata: {
      client_name: 'Strata',
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    ...(scope === undefined ? {} : { scope }),
    fetchFn: fetch,
  })
  const { client_id, client_secret } = registration
  return { client_id, client_secret }
}

export interface TokenRequest {
  readonly issuer: Issuer
  readonly client: OAuthClient
}

const resourceOf = ({ resource }: Issuer) => (resource === undefined ? {} : { resource })

export const exchange = (
  fetch: FetchLike,
  { issuer, client }: TokenRequest,
  answer: { readonly code: string; readonly iss?: string | undefined },
  link: { readonly verifier: string; readonly redirect: string },
): Promise<OAuthTokens> =>
  exchangeAuthorization(issuer.url, {
    ...metadataOf(issuer),
    ...resourceOf(issuer),
    ...(answer.iss === undefined ? {} : { iss: answer.iss }),
    clientInformation: client as { client_id: string },
    authorizationCode: answer.code,
    codeVerifier: link.verifier,
    redirectUri: link.redirect,
    fetchFn: fetch,
  })

export const refresh = (
  fetch: FetchLike,
  { issuer, client }: TokenRequest,
  refreshToken: string,
): Promise<OAuthTokens> =>
  refreshAuthorization(issuer.url, {
    ...metadataOf(issuer),
    ...resourceOf(issuer),
    clientInformation: client as { client_id: string },
    refreshToken,
    fetchFn: fetch,
  })

export function credentials(
  fetch: FetchLike,
  { issuer, client }: TokenRequest,
  scope: string | undefined,
): Promise<OAuthTokens> {
  const { client_id: clientId, client_secret: clientSecret = '' } = client
  const expectedIssuer = String(issuer.metadata?.issuer ?? issuer.url)
  const provider = new ClientCredentialsProvider({
    ...{ clientId, clientSecret, expectedIssuer },
    ...(scope === undefined ? {} : { scope }),
  })
  return fetchToken(provider, issuer.url, {
    ...metadataOf(issuer),
    ...resourceOf(issuer),
    ...(scope === undefined ? {} : { scope }),
    fetchFn: fetch,
  })
}

/**
 * Revokes tokens on a best-effort basis; returns false if the server has no revocation endpoint or
 * rejects the request.
 */
export async function revoke(
  fetch: FetchLike,
  { issuer, client }: TokenRequest,
  token: string,
): Promise<boolean> {
  const endpoint = issuer.metadata?.revocation_endpoint
  if (typeof endpoint !== 'string') return false
  const body = new URLSearchParams({ token, client_id: client.client_id })
  if (client.client_secret !== undefined) body.set('client_secret', client.client_secret)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  try {
    const answer = await fetch(endpoint, { method: 'POST', headers, body: body.toString() })
    return answer.ok
  } catch {
    return false
  }
}

/**
 * Converts a token response to tokens with an expiry time; tokens without one are used until the
 * server answers 401.
 */
export function tokensOf(response: OAuthTokens, now: number, previous?: Tokens): Tokens {
  const { access_token, expires_in, refresh_token = previous?.refresh_token } = response
  const expires_at = expires_in === undefined ? null : now + expires_in * 1_000
  return { access_token, refresh_token, expires_at }
}
