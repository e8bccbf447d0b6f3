/** Values of one request, including values that the platform passes with it. */

import type { RateKind } from '../../core/rate-limits.ts'
import type { Principal } from '../../engine/tenant/api-keys.ts'
import type { KeyRates } from '../../engine/tenant/request-rates.ts'
import type { Path } from './ignored-members.ts'

export interface Env {
  Variables: {
    requestId: string
    principal: Principal
    bodyDigest: string
    /** True if the client sent its token as `?token=`. */
    tokenInQuery?: true
    route: string
    /** Names of request members that the route does not use. */
    ignored?: readonly string[]
    /**
     * Paths of list items omitted from the request; pointers of a rejection still count these
     * items.
     */
    leftOut?: readonly Path[]
    /** Rate limits of the request's key; absent if no key was verified. */
    rates?: KeyRates
    /**
     * Kinds of rate limits charged to the request; absent if only the request limit was charged.
     */
    charged?: readonly RateKind[]
  }
  Bindings: {
    /** Raw request target, if the platform provides it, because URLs normalize dot segments. */
    readonly target?: string
    /** Remote address of the connection, if the platform knows it. */
    readonly address?: string | undefined
    /** Protocol whose handler sent this request to a route; absent for a client's request. */
    readonly via?: 'mcp'
  }
}
