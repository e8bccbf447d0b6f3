/**
 * Implements OAuth 2.1 for MCP servers over HTTP: a link that a person opens (authorization code
 * with PKCE), and the callback. The `state` parameter is sealed, names the tenant, and is valid
 * once. Tokens are stored sealed and leave this folder only in request headers.
 */

import { startAuthorization } from '@modelcontextprotocol/client'
import type { ServerEntry } from '../../core/config/types.ts'
import { LIMITS } from '../../core/limits.ts'
import { base64url } from '../../lib/bytes.ts'
import { fail, ok } from '../../lib/outcome.ts'
import type { Authorization, AuthorizationAnswer, AuthorizationShown } from '../../ports/world.ts'
import { urlOf } from './expand-server.ts'
import { type Discovery, discover } from './oauth-discovery.ts'
import {
  EMPTY,
  type Grant,
  type GrantHead,
  type Grants,
  grantPartition,
  type OAuthClient,
} from './oauth-grants.ts'
import {
  AuthorizationRefused,
  boundedFetch,
  exchange,
  metadataOf,
  oauthTrouble,
  register,
  revoke,
  tokensOf,
} from './oauth-requests.ts'
import { withSecret } from './oauth-secret.ts'
import { isOver, type ServerTokens, type TokenParts } from './oauth-tokens.ts'
import { serverKey } from './server-key.ts'

export interface OAuthParts extends TokenParts {
  readonly tokens: Pick<ServerTokens, 'forget'>
  /** Called when the server's tool list may have changed. */
  readonly onList: (key: string) => void
}

const STATE = 'oauth-state'
const NOTHING_OPEN = 'the link was already used, has expired, or was not issued by this service'

interface TenantServer {
  readonly tenant: string
  readonly server: ServerEntry
  readonly partition: string
}

export class ServerAuthorizations implements Authorization {
  readonly #parts: OAuthParts
  readonly #grants: Grants
  readonly #fetch: ReturnType<typeof boundedFetch>

  constructor(parts: OAuthParts) {
    this.#parts = parts
    this.#grants = parts.grants
    this.#fetch = boundedFetch(parts.fetch)
  }

  // ── Consent by a person ─────────────────────────────────────────────────────────────────────

  async begin(
    tenant: string,
    server: ServerEntry,
    { redirect, by }: { readonly redirect: string; readonly by: string },
  ): ReturnType<Authorization['begin']> {
    if (server.oauth?.grant === 'client_credentials')
      return fail('it uses client credentials, which require no authorization link')
    const partition = grantPartition(tenant, server)
    try {
      const previous = await this.#grants.read(partition)
      const { found: discovery, client } = await this.#client(
        { tenant, server, partition },
        redirect,
        previous,
      )
      const { issuer } = discovery
      const nonce = base64url(this.#parts.clock.random(16))
      const { authorizationUrl, codeVerifier } = await startAuthorization(issuer.url, {
        ...metadataOf(issuer),
        ...(issuer.resource === undefined ? {} : { resource: issuer.resource }),
        clientInformation: client as { client_id: string },
        redirectUrl: redirect,
        state: await this.#parts.secrets.seal(JSON.stringify({ partition, nonce }), STATE),
        ...scopeOf(server, discovery),
      })
      const until = this.#parts.clock.now() + LIMITS.oauth_link_seconds * 1_000
      const link = { nonce, verifier: codeVerifier, redirect, until, by, issuer, client }
      const list = serverKey(tenant, server)
      const owner = server.subject === undefined ? {} : { subject: server.subject }
      const fresh = { ...EMPTY, server: server.name, ...owner, list, issuer, client }
      const grant = { ...(previous ?? fresh), link }
      const version = await this.#grants.version(partition)
      if (!(await this.#grants.write(partition, { ...grant, version })))
        return fail('another request just created a link')
      return ok({ url: authorizationUrl.href, expires_at: until })
    } catch (error) {
      return fail(oauthTrouble(error).why)
    }
  }

  async finish(answer: AuthorizationAnswer): ReturnType<Authorization['finish']> {
    const opened = await this.#parts.secrets.open(answer.state, STATE)
    if (opened === undefined) return fail(NOTHING_OPEN)
    const { partition, nonce } = JSON.parse(opened) as { partition: string; nonce: string }
    const grant = await this.#grants.read(partition)
    const link = grant?.link
    if (!grant || link?.nonce !== nonce || link.until <= this.#parts.clock.now())
      return fail(NOTHING_OPEN)
    const { link: _, ...closed } = grant
    const { issuer } = link
    // Only the first of two callbacks with the same state counts, whether it succeeds or fails.
    if (!(await this.#grants.write(partition, closed))) return fail(NOTHING_OPEN)
    const [tenant = ''] = partition.split('/')
    const change = { server: grant.server, by: link.by, ...ownerDetail(grant) }
    try {
      if (answer.code === undefined) throw new AuthorizationRefused(refusalOf(answer.error))
      const client = await withSecret(this.#parts.secrets, tenant, link)
      const { code, iss } = answer
      const response = await exchange(this.#fetch, { issuer, client }, { code, iss }, link)
      const tokens = tokensOf(response, this.#parts.clock.now())
      const mine = { issuer, client: link.client, tokens, renewing: 0 }
      await this.#grants.put(partition, { ...closed, ...mine, state: 'authorized' })
      this.#changed(partition, closed.list)
      await this.#parts.onChange(tenant, { ...change, action: 'authorize' })
      return ok({ server: grant.server })
    } catch (error) {
      const { refused: isRefusal, why: reason } = oauthTrouble(error)
      // If a person refuses later, the first consent stays valid.
      if (isRefusal && !closed.tokens)
        await this.#grants.put(partition, { ...closed, state: 'refused' })
      const detail = [change.detail, reason].filter(Boolean).join('; ')
      await this.#parts.onChange(tenant, { ...change, action: 'refuse', detail })
      return fail(reason)
    }
  }

  async states(
    tenant: string,
    servers: readonly Pick<ServerEntry, 'url' | 'oauth'>[],
  ): Promise<(AuthorizationShown | undefined)[]> {
    if (servers.length === 0) return []
    const partitions = servers.map((server) => grantPartition(tenant, server))
    const heads = await this.#grants.readHeads(partitions)
    const now = this.#parts.clock.now()
    return heads.map((head, index) =>
      head
        ? grantView(head, now)
        : servers[index]?.oauth && { state: 'required', expires_at: null },
    )
  }

  async forget(
    tenant: string,
    server: ServerEntry,
    by: string,
    origin?: Parameters<Authorization['forget']>[3],
  ): Promise<{ readonly forgotten: boolean; readonly revoked: boolean }> {
    const partition = grantPartition(tenant, server)
    const grant = await this.#grants.read(partition)
    const exists = (await this.#grants.version(partition)) !== null
    await this.#grants.drop(partition)
    this.#changed(partition, serverKey(tenant, server))
    if (!exists) return { forgotten: false, revoked: false }
    const token = grant?.tokens?.refresh_token ?? grant?.tokens?.access_token
    const revoked = grant && token !== undefined && (await revoke(this.#fetch, grant, token))
    const change = { ...origin, server: server.name, by, ...ownerDetail(server) }
    await this.#parts.onChange(tenant, { ...change, action: 'forget' })
    return { forgotten: true, revoked: revoked === true }
  }

  async #client(
    { tenant, server }: TenantServer,
    redirect: string,
    previous: Grant | undefined,
  ): Promise<{ readonly found: Discovery; readonly client: OAuthClient }> {
    const url = await urlOf(tenant, server, this.#parts.secrets)
    const discovery = await discover(
      { fetch: this.#fetch, check: this.#parts.check },
      url,
      server.oauth,
    )
    const { client_id = null, client_secret_env_var = null } = server.oauth ?? {}
    if (client_id !== null) {
      return { found: discovery, client: { client_id, secret: client_secret_env_var ?? undefined } }
    }
    const registered = [previous?.link, previous].find(
      (grant) => grant?.issuer.url === discovery.issuer.url && grant.client.redirect === redirect,
    )
    if (registered) return { found: discovery, client: registered.client }
    const { scope } = scopeOf(server, discovery)
    const registration = await register(this.#fetch, discovery.issuer, { redirect, scope })
    return { found: discovery, client: { ...registration, redirect } }
  }

  #changed(partition: string, list: string): void {
    this.#parts.tokens.forget(partition)
    this.#parts.onList(list)
  }
}

/** Returns the audit detail of an authorization of an end user. */
const ownerDetail = ({ subject }: { readonly subject?: string }): { readonly detail?: string } =>
  subject === undefined ? {} : { detail: `subject: ${subject}` }

function grantView({ state, expires_at, renews }: GrantHead, now: number): AuthorizationShown {
  const over = state === 'authorized' && !renews && isOver({ expires_at }, now)
  return { state: over ? 'expired' : state, expires_at }
}

function scopeOf(server: ServerEntry, { scopes }: Discovery): { readonly scope?: string } {
  const requested = server.oauth?.scopes.length ? server.oauth.scopes : scopes
  return requested.length === 0 ? {} : { scope: requested.join(' ') }
}

const refusalOf = (error: string | undefined): string =>
  `the authorization server responded with ${/^[a-z_]{1,60}$/.test(error ?? '') ? error : 'nothing'}`
