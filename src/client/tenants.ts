/** Tenants of the deployment, for keys of its operator; all that one has, line by line. */

import type { components } from './contract.ts'
import type { CallOptions, Http } from './http.ts'
import { linesOf } from './lines.ts'
import { create, get, list, patch, remove } from './methods.ts'

export type TenantLine = components['schemas']['TenantLine']

export const tenantsOf = (http: Http) => ({
  create: create(http, '/v1/tenants'),
  list: list(http, '/v1/tenants'),
  get: get(http, '/v1/tenants/{id}'),
  update: patch(http, '/v1/tenants/{id}'),
  delete: remove(http, '/v1/tenants/{id}'),
  /** Whole only with the line `tenant_export_end`. */
  async export(id: string, options: CallOptions = {}): Promise<AsyncIterable<TenantLine>> {
    const path = `/v1/tenants/${encodeURIComponent(id)}/export`
    return linesOf<TenantLine>(await http({ ...options, method: 'GET', path }))
  },
})
