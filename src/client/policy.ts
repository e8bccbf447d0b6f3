/** The policy of a tenant: read with the version that a change must name. */

import type { components } from './contract.ts'
import type { CallOptions, Http } from './http.ts'
import { get, put } from './methods.ts'

type Policy = components['schemas']['Policy']

export interface PolicyVersion {
  readonly policy: Policy
  /** For `ifMatch`. */
  readonly etag: string | null
}

export const policyOf = (http: Http) => ({
  get: get(http, '/v1/policy'),
  /** The policy with its ETag. */
  async read(options: CallOptions = {}): Promise<PolicyVersion> {
    const response = await http({ ...options, method: 'GET', path: '/v1/policy' })
    return { policy: (await response.json()) as Policy, etag: response.headers.get('etag') }
  },
  put: put(http, '/v1/policy'),
})
