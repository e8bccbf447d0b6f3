/** Tenants of the deployment, for keys of the default tenant. */

import type { Http } from './http.ts'
import { act, create, get, list, patch, remove } from './methods.ts'

export const tenantsOf = (http: Http) => ({
  create: create(http, '/v1/tenants'),
  list: list(http, '/v1/tenants'),
  get: get(http, '/v1/tenants/{id}'),
  update: patch(http, '/v1/tenants/{id}'),
  pause: act(http, '/v1/tenants/{id}/pause'),
  suspend: act(http, '/v1/tenants/{id}/suspend'),
  /** Deletes all data of the tenant in the background. */
  delete: remove(http, '/v1/tenants/{id}'),
  resume: act(http, '/v1/tenants/{id}/resume'),
})
