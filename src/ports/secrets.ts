/** Defines the secrets port: values of tenants' secrets at the time of use, and sealing at rest. */

import type { Bindings } from '../core/config/server/secret-binding.ts'
import type { KeySlot, SecretDestination, SecretUse } from '../core/secret.ts'
import type { Outcome } from '../lib/outcome.ts'

/**
 * Resolves a provider key that a tenant stores as a secret; undefined selects the deployment's key.
 * The failure is the reason why the tenant's key must not be used, as part of a sentence.
 */
export type TenantKeys = (slot: KeySlot) => Promise<Outcome<string | undefined, string>>

export interface Secrets {
  /**
   * Returns the value of a tenant's secret at the time of use; never cached in plain text, never
   * logged. With `to`, returns undefined unless the secret may be sent there for this use. With
   * `subject`, a secret of this end user takes precedence.
   */
  get(
    tenant: string,
    name: string,
    to?: SecretDestination,
    subject?: string,
  ): Promise<string | undefined>
  /** Returns the names of a tenant's secrets, of one use or of all uses, without values. */
  names(tenant: string, use?: SecretUse, subject?: string): Promise<ReadonlySet<string>>
  /** Returns the allowed hosts of bound secrets; every sender of a secret checks these first. */
  bindings(tenant: string, subject?: string): Promise<Bindings>
  /**
   * Returns the names of the secrets that the tenant stored with the API, which take precedence
   * over the deployment's. Absent if the deployment stores none.
   */
  tenantNames?(tenant: string): Promise<ReadonlySet<string>>
  /** Discards cached secrets of an owner after a change; absent if none are cached. */
  forget?(tenant: string, subject?: string): void
  /** ID of an exchange of the master key, while a previous key also decrypts; else absent. */
  readonly rotation?: string | undefined
  /** Encrypts a text for storage at rest, bound to `context` (AES-256-GCM, authenticated). */
  seal(text: string, context: string): Promise<string>
  /** Decrypts a text; undefined unless sealed by this deployment for this context. */
  open(sealed: string, context: string): Promise<string | undefined>
}
