/**
 * Provides OAuth tokens for servers. Tokens are read from the store, and renewed before they expire
 * or after a rejection. A lease in the row allows only one renewal at a time, because servers
 * rotate refresh tokens and treat reuse as theft.
 */

import { LRUCache } from 'lru-cache'
import type { ServerEntry } from '../../core/config/types.ts'
import { LIMITS } from '../../core/limits.ts'
import type { AuthorizationChange, Clock, Secrets, Web } from '../../ports/world.ts'
import { type Fetch, OutboundRefused } from '../outbound/fetch.ts'
import type { TokenSource } from './bearer.ts'
import { urlOf } from './expand-server.ts'
import { discover } from './oauth-discovery.ts'
import {
  EMPTY,
  type Grant,
  type Grants,
  grantPartition,
  type Tokens,
  withoutSubject,
} from './oauth-grants.ts'
import { boundedFetch, credentials, oauthTrouble, refresh, tokensOf } from './oauth-requests.ts'
import { withSecret } from './oauth-secret.ts'
import { serverKey } from './server-key.ts'

export interface TokenParts {
  readonly grants: Grants
  readonly secrets: Secrets
  readonly clock: Clock
  /** `fetch` that enforces the outbound rules. */
  readonly fetch: Fetch
  /** Returns why the outbound rules reject a URL, judged by the URL alone. */
  readonly check: Web['check']
  /** Reports changes of an authorization to the audit log. Never rejects. */
  readonly onChange: (tenant: string, change: AuthorizationChange) => Promise<void>
}

/** Time before expiry at which a token is renewed, in milliseconds. */
const EARLY_MS = 60_000
/** Time for which a process uses a cached token before rereading the store, in milliseconds. */
const REMEMBERED_MS = 30_000
const RENEWING_MS = 2 * LIMITS.oauth_request_seconds * 1_000
const POLL_MS = 200
/** Number of previous tokens kept for redaction, because a response may still contain them. */
const KEPT_SENT = 6

interface TenantServer {
  readonly tenant: string
  readonly server: ServerEntry
  readonly partition: string
}

export class ServerTokens implements TokenSource {
  readonly #parts: TokenParts
  readonly #fetch: ReturnType<typeof boundedFetch>
  readonly #tokens = new LRUCache<string, string>({ max: 1_000, ttl: REMEMBERED_MS })
  readonly #sent = new LRUCache<string, readonly string[]>({ max: 1_000 })
  readonly #renewals = new Map<string, Promise<string | undefined>>()

  constructor(parts: TokenParts) {
    this.#parts = parts
    this.#fetch = boundedFetch(parts.fetch)
  }

  async token(tenant: string, server: ServerEntry, used?: string): Promise<string | undefined> {
    const ownToken = this.#tokens.get(grantPartition(tenant, server))
    if (ownToken !== undefined && ownToken !== used) return ownToken
    const granted = await this.#granted(tenant, server)
    return this.#tokenOf(
      { tenant, server: granted, partition: grantPartition(tenant, granted) },
      used,
    )
  }

  /** Returns the server with the end user whose grant applies, or without one. */
  async #granted(tenant: string, server: ServerEntry): Promise<ServerEntry> {
    if (server.subject === undefined) return server
    const [head] = await this.#parts.grants.readHeads([grantPartition(tenant, server)])
    // A link that no person has opened yet grants nothing.
    return head && head.state !== 'required' ? server : withoutSubject(server)
  }

  async #tokenOf(target: TenantServer, used: string | undefined): Promise<string | undefined> {
    const { partition } = target
    const cached = this.#tokens.get(partition)
    if (cached !== undefined && cached !== used) return cached
    const key = `${partition} ${used ?? ''}`
    const renewal =
      this.#renewals.get(key) ??
      this.#current(target, used).finally(() => this.#renewals.delete(key))
    this.#renewals.set(key, renewal)
    return renewal
  }

  sent(tenant: string, server: ServerEntry): readonly string[] {
    const owners = server.subject === undefined ? [server] : [server, withoutSubject(server)]
    return owners.flatMap((owner) => this.#sent.get(grantPartition(tenant, owner)) ?? [])
  }

  /** Drops the cached token after a change of the stored row. */
  forget(partition: string): void {
    this.#tokens.delete(partition)
  }

  async #current(target: TenantServer, used: string | undefined): Promise<string | undefined> {
    const { clock, grants } = this.#parts
    const patience = clock.monotonic() + RENEWING_MS
    for (;;) {
      const grant = await grants.read(target.partition)
      const now = clock.now()
      const { tokens, renewing = 0 } = grant ?? {}
      const renews = tokens?.refresh_token !== undefined || byCredentials(target.server)
      if (tokens && tokens.access_token !== used && !isOver(tokens, now + (renews ? EARLY_MS : 0)))
        return this.#remember(target.partition, tokens, now)
      if (!renews) return undefined
      if (renewing <= now) {
        const renewed = await this.#renew(target, grant, now)
        if (renewed !== 'again') return renewed?.token
      }
      if (clock.monotonic() > patience)
        throw new OutboundRefused('its token is being renewed by another request')
      await clock.sleep(POLL_MS)
    }
  }

  async #renew(
    target: TenantServer,
    previous: Grant | undefined,
    now: number,
  ): Promise<{ readonly token: string } | undefined | 'again'> {
    const { partition, tenant, server } = target
    const { secrets, grants, clock } = this.#parts
    const grant = previous ?? (await this.#fresh(target))
    if (!(await grants.write(partition, { ...grant, renewing: now + RENEWING_MS }))) return 'again'
    const { refresh_token } = grant.tokens ?? {}
    try {
      const request = { ...grant, client: await withSecret(secrets, tenant, grant) }
      const scope = server.oauth?.scopes.join(' ') || undefined
      const response =
        refresh_token === undefined
          ? await credentials(this.#fetch, request, scope)
          : await refresh(this.#fetch, request, refresh_token)
      const tokens = tokensOf(response, clock.now(), grant.tokens)
      await grants.put(partition, { ...grant, tokens, state: 'authorized', renewing: 0 })
      return { token: this.#remember(partition, tokens, clock.now()) }
    } catch (error) {
      return this.#failed(target, grant, error)
    }
  }

  /**
   * Handles a failed renewal. Temporary failures are not stored; a rejection is stored, so that no
   * request retries before a person consents.
   */
  async #failed({ partition, tenant, server }: TenantServer, grant: Grant, error: unknown) {
    const { refused: isRefusal, why: reason } = oauthTrouble(error)
    const { tokens, ...withoutTokens } = grant
    if (!isRefusal) {
      await this.#parts.grants.put(partition, { ...grant, renewing: 0 })
      throw new OutboundRefused(reason)
    }
    const isConsent = tokens?.refresh_token !== undefined
    const state = isConsent ? 'expired' : 'refused'
    await this.#parts.grants.put(partition, { ...withoutTokens, state, renewing: 0 })
    const change = {
      server: server.name,
      by: 'system',
      action: 'refresh_failed',
      detail: reason,
    } as const
    await this.#parts.onChange(tenant, change)
    if (isConsent) return undefined
    throw new OutboundRefused(reason)
  }

  /** Obtains a grant with client credentials, without consent by a person. */
  async #fresh({ tenant, server }: TenantServer): Promise<Grant> {
    const { client_id, client_secret_env_var } = server.oauth!
    const client = { client_id: client_id ?? '', secret: client_secret_env_var ?? undefined }
    const list = serverKey(tenant, server)
    try {
      const url = await urlOf(tenant, server, this.#parts.secrets)
      const { issuer } = await discover(
        { fetch: this.#fetch, check: this.#parts.check },
        url,
        server.oauth,
      )
      return { ...EMPTY, server: server.name, list, issuer, client }
    } catch (error) {
      throw new OutboundRefused(oauthTrouble(error).why)
    }
  }

  #remember(partition: string, { access_token, refresh_token, expires_at }: Tokens, now: number) {
    const remainingMs = expires_at === null ? REMEMBERED_MS : expires_at - now - EARLY_MS
    const ttl = Math.min(REMEMBERED_MS, remainingMs)
    if (ttl > 0) this.#tokens.set(partition, access_token, { ttl })
    const earlier = this.#sent.get(partition) ?? []
    const all = [access_token, refresh_token, ...earlier].filter((token) => token !== undefined)
    this.#sent.set(partition, [...new Set(all)].slice(0, KEPT_SENT))
    return access_token
  }
}

const byCredentials = ({ oauth }: ServerEntry): boolean => oauth?.grant === 'client_credentials'

export const isOver = ({ expires_at }: Pick<Tokens, 'expires_at'>, now: number): boolean =>
  expires_at !== null && expires_at <= now
