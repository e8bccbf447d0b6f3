/** Methods for the tenant's policy. */

import type { components } from './contract.ts'
import type { CallOptions, Http } from './http.ts'
import { get, put } from './methods.ts'

/** The policy with its ETag. */
export interface PolicyVersion {
  readonly policy: components['schemas']['Policy']
  /** ETag of the policy, for use as `ifMatch` of `put`. */
  readonly etag: string
}

export const policyOf = (http: Http) => ({
  get: get(http, '/v1/policy'),
  /** Returns the policy with the ETag that `put` requires. */
  async getVersion(options: CallOptions = {}): Promise<PolicyVersion> {
    const response = await http({ ...options, method: 'GET', path: '/v1/policy' })
    const policy = (await response.json()) as PolicyVersion['policy']
    return { policy, etag: response.headers.get('etag') ?? '' }
  },
  put: put(http, '/v1/policy'),
})
