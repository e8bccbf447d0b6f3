/**
 * An authorization server over real HTTP: metadata, registration, authorize, token, revoke. PKCE is
 * checked, a code counts once, refresh tokens rotate, and a second use of one ends its family. It
 * consents at once, or refuses while `consent` is false.
 */

import { createHash, randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { startCannedMcp } from './canned-mcp.ts'
import { type Received, startCannedServer } from './canned-server.ts'
import { cleanup } from './cleanup.ts'

interface Code {
  readonly client: string
  readonly redirect: string
  readonly challenge: string
  readonly resource: string | null
  readonly scope: string | null
}

export interface OAuthServer {
  readonly origin: string
  /** What the tests change about it. */
  readonly behaviour: Behaviour
  readonly access: Map<string, { readonly scope: string | null; readonly resource: string | null }>
  readonly refreshes: Map<string, 'live' | 'used'>
  /** Paths of its requests, in order. */
  paths(): readonly string[]
  /** Bodies of its token requests. */
  tokenRequests(): readonly URLSearchParams[]
  /** Tokens that it has issued end now. */
  expireAll(): void
}
interface Behaviour {
  consent: boolean
  expires_in: number | undefined
  refreshTokens: boolean
  /** What the token endpoint answers instead: a code of OAuth, or a status. */
  tokenError: string | number | undefined
  issuer: string | undefined
  pkce: boolean
  registers: boolean
  /** Members of its metadata that are others. */
  metadata: Readonly<Record<string, unknown>>
  /** Those that the MCP server names; itself when absent. */
  servers: readonly unknown[] | undefined
  /** Answers of the token endpoint wait for it. */
  pause: Promise<void> | undefined
}

const SECRETS: Readonly<Record<string, string>> = { machine: 'machine-secret-of-some-length' }

export async function startOAuthServer(): Promise<OAuthServer> {
  const behaviour: Behaviour = {
    consent: true,
    expires_in: 3_600,
    refreshTokens: true,
    tokenError: undefined,
    issuer: undefined,
    pkce: true,
    registers: true,
    metadata: {},
    servers: undefined,
    pause: undefined,
  }
  const clients = new Map<string, readonly string[]>([['known', []]])
  const codes = new Map<string, Code>()
  const access: OAuthServer['access'] = new Map()
  const refreshes: OAuthServer['refreshes'] = new Map()
  const asked: URLSearchParams[] = []
  let origin = ''

  const issue = (scope: string | null, resource: string | null, refreshes_: boolean) => {
    const access_token = `at-${randomBytes(16).toString('hex')}`
    access.set(access_token, { scope, resource })
    const refresh_token = `rt-${randomBytes(16).toString('hex')}`
    if (refreshes_) refreshes.set(refresh_token, 'live')
    return {
      ...{ access_token, token_type: 'Bearer' },
      ...(behaviour.expires_in === undefined ? {} : { expires_in: behaviour.expires_in }),
      ...(refreshes_ ? { refresh_token } : {}),
    }
  }
  const metadata = () => ({
    issuer: behaviour.issuer ?? origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    revocation_endpoint: `${origin}/revoke`,
    ...(behaviour.registers ? { registration_endpoint: `${origin}/register` } : {}),
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    code_challenge_methods_supported: behaviour.pkce ? ['S256'] : ['plain'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    authorization_response_iss_parameter_supported: true,
    ...behaviour.metadata,
  })
  const token = (form: URLSearchParams, headers: Received['headers']): [number, object] => {
    const { tokenError } = behaviour
    if (typeof tokenError === 'number') return [tokenError, {}]
    if (tokenError !== undefined) return [400, { error: tokenError, error_description: 'No: x' }]
    const no = (error: string): [number, object] => [400, { error }]
    switch (form.get('grant_type')) {
      case 'authorization_code': {
        const code = codes.get(form.get('code') ?? '')
        codes.delete(form.get('code') ?? '')
        const verifier = form.get('code_verifier') ?? ''
        const proof = createHash('sha256').update(verifier).digest('base64url')
        if (!code || code.challenge !== proof || code.client !== form.get('client_id'))
          return no('invalid_grant')
        if (code.redirect !== form.get('redirect_uri')) return no('invalid_grant')
        return [200, issue(code.scope, code.resource, behaviour.refreshTokens)]
      }
      case 'refresh_token': {
        const given = form.get('refresh_token') ?? ''
        if (refreshes.get(given) !== 'live') {
          // Somebody has a copy: all of them end.
          for (const one of refreshes.keys()) refreshes.set(one, 'used')
          return no('invalid_grant')
        }
        refreshes.set(given, 'used')
        return [200, issue(null, form.get('resource'), true)]
      }
      case 'client_credentials': {
        const [, basic = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
        const [id = '', secret] = Buffer.from(basic, 'base64').toString().split(':')
        if (SECRETS[id] === undefined || SECRETS[id] !== secret) return no('invalid_client')
        return [200, issue(form.get('scope'), form.get('resource'), false)]
      }
      default:
        return no('unsupported_grant_type')
    }
  }
  const authorize = (query: URLSearchParams, response: ServerResponse): void => {
    const client = query.get('client_id') ?? ''
    const redirect = query.get('redirect_uri') ?? ''
    const isKnown = clients.get(client)?.includes(redirect) || client === 'known'
    const hasProof = query.get('code_challenge_method') === 'S256'
    if (!isKnown || !hasProof || query.get('response_type') !== 'code')
      return void response.writeHead(400).end()
    const back = new URL(redirect)
    back.searchParams.set('state', query.get('state') ?? '')
    back.searchParams.set('iss', behaviour.issuer ?? origin)
    if (behaviour.consent) {
      const code = randomBytes(16).toString('hex')
      const challenge = query.get('code_challenge') ?? ''
      const [resource, scope] = [query.get('resource'), query.get('scope')]
      codes.set(code, { client, redirect, challenge, resource, scope })
      back.searchParams.set('code', code)
    } else back.searchParams.set('error', 'access_denied')
    response.writeHead(302, { location: back.href }).end()
  }
  const server = await startCannedServer((request, response) => {
    const json = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    const url = new URL(request.url, 'http://x')
    switch (url.pathname) {
      case '/.well-known/oauth-authorization-server':
        return json(200, metadata())
      case '/register': {
        const { redirect_uris } = JSON.parse(request.body)
        const client_id = `client-${randomBytes(8).toString('hex')}`
        clients.set(client_id, redirect_uris)
        return json(201, { ...JSON.parse(request.body), client_id })
      }
      case '/authorize':
        return authorize(url.searchParams, response)
      case '/token': {
        const form = new URLSearchParams(request.body)
        asked.push(form)
        const [status, body] = token(form, request.headers)
        return void (behaviour.pause ?? Promise.resolve()).then(() => json(status, body))
      }
      case '/revoke': {
        const form = new URLSearchParams(request.body)
        refreshes.delete(form.get('token') ?? '')
        access.clear()
        return json(200, {})
      }
      default:
        return json(404, {})
    }
  })
  cleanup.push(server.close)
  origin = server.origin
  return {
    ...{ origin, behaviour, access, refreshes },
    paths: () => server.received.map(({ url }) => url.split('?')[0] ?? ''),
    tokenRequests: () => asked,
    expireAll: () => access.clear(),
  }
}

/** An MCP server that lets nobody in without a token of that server. */
export async function startGuardedMcp(
  oauth: OAuthServer,
  options: Parameters<typeof startCannedMcp>[0] = {},
) {
  let origin = ''
  const mcp = await startCannedMcp({
    ...options,
    onRequest(request, response) {
      const path = request.url.split('?')[0]
      if (path === '/.well-known/oauth-protected-resource/mcp') {
        response.writeHead(200, { 'content-type': 'application/json' })
        const scopes_supported = ['read', 'write']
        const authorization_servers = oauth.behaviour.servers ?? [oauth.origin]
        const resource = `${origin}/mcp`
        response.end(JSON.stringify({ resource, authorization_servers, scopes_supported }))
        return true
      }
      if (path !== '/mcp') {
        response.writeHead(404).end()
        return true
      }
      const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
      if (oauth.access.has(token)) return options.onRequest?.(request, response) ?? false
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`
      const challenge = `Bearer error="invalid_token", resource_metadata="${metadata}"`
      response.writeHead(401, { 'www-authenticate': challenge }).end()
      return true
    },
  })
  cleanup.push(mcp.close)
  origin = mcp.origin
  return mcp
}
