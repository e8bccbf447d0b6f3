/** Values of one request, and values that the host passes with it. */

import type { RateKind } from '../../core/rate-limits.ts'
import type { Principal } from '../../engine/tenant/api-keys.ts'
import type { KeyRates } from '../../engine/tenant/request-rates.ts'
import type { Path } from './ignored-members.ts'

export interface Env {
  Variables: {
    requestId: string
    principal: Principal
    bodyDigest: string
    /** True if the token was sent as `?token=`. */
    tokenInQuery?: true
    route: string
    /** Names of request members that the route does not use. */
    ignored?: readonly string[]
    /** Paths of omitted items, which still count in the pointers of a refusal. */
    leftOut?: readonly Path[]
    /** Rate limits of the key; absent if no key was verified. */
    rates?: KeyRates
    /** Limits charged to the request; absent if only the request limit was charged. */
    charged?: readonly RateKind[]
  }
  Bindings: {
    /** The raw request target, if the platform provides it: URLs normalize dot segments. */
    readonly target?: string
    /** Address of the connection, if the host knows it. */
    readonly address?: string | undefined
  }
}
