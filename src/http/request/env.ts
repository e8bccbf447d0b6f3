/** Values that belong to one request, and those that the host passes with it. */

import type { RateKind } from '../../core/rate-limits.ts'
import type { Principal } from '../../engine/tenant/api-keys.ts'
import type { KeyRates } from '../../engine/tenant/request-rates.ts'
import type { Path } from './ignored-members.ts'

export interface Env {
  Variables: {
    requestId: string
    principal: Principal
    bodyDigest: string
    /** Whether the token came as `?token=`. */
    tokenInQuery?: true
    route: string
    /** Names of request members that the route does not use. */
    ignored?: readonly string[]
    /** Places of items that were left out, which count in the places of a refusal. */
    leftOut?: readonly Path[]
    /** Rate limits of the key; absent: no key was verified. */
    rates?: KeyRates
    /** Limits that the request has taken of; absent: requests alone. */
    charged?: readonly RateKind[]
  }
  Bindings: {
    /** The raw request target, if the platform provides it: URLs normalize dot segments. */
    readonly target?: string
    /** The address of the connection, where the host knows it. */
    readonly address?: string | undefined
  }
}
