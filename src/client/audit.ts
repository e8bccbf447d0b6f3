/** Methods for the audit log: pages, single entries, and the export with its hash chain. */

import type { components } from './contract.ts'
import type { CallOptions, Http } from './http.ts'
import { get, list } from './methods.ts'

export type AuditLine = components['schemas']['AuditLine']

export const auditOf = (http: Http) => ({
  list: list(http, '/v1/audit'),
  get: get(http, '/v1/audit/{version}'),
  /** Yields the lines of the export; it is complete only if the last line is `audit_head`. */
  async export(options: CallOptions = {}): Promise<AsyncIterable<AuditLine>> {
    return linesOf(await http({ ...options, method: 'GET', path: '/v1/audit/export' }))
  },
})

async function* linesOf({ body }: Response): AsyncGenerator<AuditLine> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let incomplete = ''
  try {
    while (reader) {
      const { done, value } = await reader.read()
      if (done) break
      const lines = (incomplete + value).split('\n')
      incomplete = lines.pop() ?? ''
      for (const line of lines) yield JSON.parse(line) as AuditLine
    }
  } finally {
    await reader?.cancel()
  }
  if (incomplete !== '') yield JSON.parse(incomplete) as AuditLine
}
