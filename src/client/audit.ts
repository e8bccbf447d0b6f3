/** The audit: its pages, and all of it with its chain, line by line. */

import type { components } from './contract.ts'
import type { CallOptions, Http } from './http.ts'
import { linesOf } from './lines.ts'
import { list } from './methods.ts'

export type AuditLine = components['schemas']['AuditLine']

export const auditOf = (http: Http) => ({
  list: list(http, '/v1/audit'),
  /** Whole only with the line `audit_head`: `strata audit verify` recomputes its hashes. */
  async export(options: CallOptions = {}): Promise<AsyncIterable<AuditLine>> {
    return linesOf<AuditLine>(await http({ ...options, method: 'GET', path: '/v1/audit/export' }))
  },
})
