/**
 * A tenant's authorization at a server, or that of an end user: one row of the store, whose secrets
 * are sealed for this owner and this configuration. The server's name is not part of the row's key;
 * the key depends on the URL that the token was issued for, on the method of obtaining the token,
 * and on the end user.
 *
 *     <tenant>/oauth/<digest>   head: state, expiry, current renewer; sealed: client, tokens, link
 */

import type { ServerEntry } from '../../core/config/types.ts'
import { authorizationsList, parsePartition } from '../../engine/partition/keys.ts'
import { digest } from '../../lib/digest.ts'
import {
  type AuthorizationShown,
  HEAD,
  type Row,
  type Secrets,
  type Store,
} from '../../ports/world.ts'
import { OutboundRefused } from '../outbound/fetch.ts'

/** Properties of an authorization server that are stored for later requests. */
export interface Issuer {
  readonly url: string
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Resource identifier to request the token for, as written in the MCP server's metadata. */
  readonly resource?: string | undefined
}
export interface OAuthClient {
  readonly client_id: string
  /** Secret of a dynamically registered client; a configured client's secret is read when used. */
  readonly client_secret?: string | undefined
  /** Name of the tenant's secret that contains the secret of a configured client. */
  readonly secret?: string | undefined
  /** The only allowed redirect URI of a dynamically registered client. */
  readonly redirect?: string | undefined
}
export interface Tokens {
  readonly access_token: string
  readonly refresh_token?: string | undefined
  /** Expiry of the access token in milliseconds since 1970; null if the server reports none. */
  readonly expires_at: number | null
}
/** Authorization link that was issued and not answered yet. */
interface OpenLink {
  readonly nonce: string
  readonly verifier: string
  readonly redirect: string
  readonly until: number
  readonly by: string
  /**
   * Issuer and client that replace those of the grant when the link is answered; until then, the
   * existing tokens need the old ones.
   */
  readonly issuer: Issuer
  readonly client: OAuthClient
}
interface Sealed {
  /** Server name at the time when the link was issued, and key of the server's tool list. */
  readonly server: string
  /** End user who granted the authorization; absent if it applies to all runs of the tenant. */
  readonly subject?: string
  readonly list: string
  readonly issuer: Issuer
  readonly client: OAuthClient
  readonly tokens?: Tokens | undefined
  readonly link?: OpenLink | undefined
}
export interface Grant extends Sealed {
  readonly state: AuthorizationShown['state']
  /** Time until which a process owns the renewal lease, in milliseconds since 1970, or else 0. */
  readonly renewing: number
  /** Version of the grant's row; null if the row does not exist. */
  readonly version: number | null
}
interface Head {
  readonly state: Grant['state']
  readonly expires_at: number | null
  readonly renews: boolean
  readonly renewing: number
  readonly sealed: string
}
export type GrantHead = Pick<Head, 'state' | 'expires_at' | 'renews'>

/** Returns the partition of the grant of the tenant, or of the server's end user. */
export function grantPartition(
  tenant: string,
  server: Pick<ServerEntry, 'url' | 'oauth' | 'subject'>,
): string {
  const { url, oauth = null, subject } = server
  const owner = subject === undefined ? {} : { subject }
  return `${tenant}/oauth/${digest({ url, oauth, ...owner })}`
}

/** Returns the server as the tenant calls it, without an end user. */
export function withoutSubject({ subject: _, ...server }: ServerEntry): ServerEntry {
  return server
}

/** State of a grant before the first authorization. */
export const EMPTY = { state: 'required', renewing: 0, version: null } as const

const PUTS = 10

export class Grants {
  readonly #store: Store
  readonly #secrets: Pick<Secrets, 'seal' | 'open'>

  constructor(store: Store, secrets: Pick<Secrets, 'seal' | 'open'>) {
    this.#store = store
    this.#secrets = secrets
  }

  async read(partition: string): Promise<Grant | undefined> {
    const [row] = await this.#store.heads([partition])
    const head = headOf(row)
    if (!row || !head) return undefined
    const text = await this.#secrets.open(head.sealed, partition)
    if (text === undefined) return undefined
    const { state, renewing } = head
    return { ...(JSON.parse(text) as Sealed), state, renewing, version: row.version }
  }

  /**
   * Writes a grant; returns false if another process wrote the row in the meantime, or if the
   * outcome is unknown.
   */
  async write(
    partition: string,
    { version, state, renewing, ...content }: Grant,
  ): Promise<boolean> {
    const sealed = await this.#secrets.seal(JSON.stringify(content satisfies Sealed), partition)
    const { expires_at = null, refresh_token } = content.tokens ?? {}
    const renews = refresh_token !== undefined
    const body = JSON.stringify({ state, expires_at, renews, renewing, sealed } satisfies Head)
    const { tenant, id } = parsePartition(partition)
    const listing = { under: authorizationsList(tenant), at: id }
    const head = { expect: version, body, listed: listing }
    return (await this.#store.commit(partition, [], head)) === 'ok'
  }

  /** Reads grants without opening the sealed tokens. */
  async readHeads(partitions: readonly string[]): Promise<(GrantHead | undefined)[]> {
    return (await this.#store.heads(partitions)).map(headOf)
  }

  /**
   * Writes a grant and overwrites concurrent changes: the authorization server's response counts,
   * and an open link stays open. A deleted row stays deleted, because the grant was revoked in the
   * meantime.
   */
  async put(partition: string, { link: _, ...grant }: Grant): Promise<void> {
    for (let tries = 0; tries < PUTS; tries += 1) {
      const now = await this.read(partition)
      const version = now?.version ?? (await this.version(partition))
      if (version === null) return
      const link = now?.link ? { link: now.link } : {}
      if (await this.write(partition, { ...grant, ...link, version })) return
    }
    throw new OutboundRefused('the token could not be stored')
  }

  drop(partition: string): Promise<void> {
    return this.#store.drop(partition)
  }

  /** Returns the current version of the grant's row, including writes by other processes. */
  async version(partition: string): Promise<number | null> {
    const [row] = await this.#store.heads([partition])
    return row?.version ?? null
  }
}

function headOf(row: Row | null | undefined): Head | undefined {
  return row?.key === HEAD ? (JSON.parse(row.body) as Head) : undefined
}
