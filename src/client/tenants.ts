/** Tenants of the deployment, for keys of the default tenant. */

import type { components } from './contract.ts'
import type { CallOptions, Http } from './http.ts'
import { act, create, fillPath, get, list, patch, remove } from './methods.ts'

type Imported = components['schemas']['TenantImport']

/** Time-out of an import in milliseconds, because the server answers when all data is stored. */
const IMPORT_MS = 3_600_000

export const tenantsOf = (http: Http) => ({
  create: create(http, '/v1/tenants'),
  list: list(http, '/v1/tenants'),
  get: get(http, '/v1/tenants/{id}'),
  update: patch(http, '/v1/tenants/{id}'),
  pause: act(http, '/v1/tenants/{id}/pause'),
  suspend: act(http, '/v1/tenants/{id}/suspend'),
  resume: act(http, '/v1/tenants/{id}/resume'),
  /** Deletes all data of the tenant in the background. */
  delete: remove(http, '/v1/tenants/{id}'),
  /** Streams all data as JSON Lines; complete only with the line `tenant_export_end`. */
  async export(id: string, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const path = fillPath('/v1/tenants/{id}/export', [id])
    const { body } = await http({ ...options, method: 'GET', path })
    return body ?? new ReadableStream({ start: (controller) => controller.close() })
  },
  /** Imports an export into a new, suspended tenant with the same ID. */
  async import(
    id: string,
    lines: Uint8Array | Blob | string,
    options: CallOptions = {},
  ): Promise<Imported> {
    const path = fillPath('/v1/tenants/{id}/import', [id])
    const headers = { ...options.headers, 'content-type': 'application/jsonl' }
    const more = { timeoutMs: IMPORT_MS, ...options, headers, method: 'POST', path }
    const response = await http({ ...more, body: lines })
    return (await response.json()) as Imported
  },
})
