/** Documents on Cloudflare: read by the Worker `strata-hands`, which is bound as HANDS. */

import { LIMITS } from '../../core/limits.ts'
import { fail, type Outcome } from '../../lib/outcome.ts'
import type { DocumentRequest, Documents, DocumentText } from '../../ports/world.ts'
import { within } from '../outbound/deadline.ts'

/** Calls of the second Worker. */
export interface HandsCalls {
  readDocument(request: DocumentRequest): Promise<Outcome<DocumentText, string>>
}

export const remoteDocuments = (
  hands: HandsCalls,
  onError: (where: string, error: unknown) => void,
): Documents => ({
  async read(request, signal) {
    const totalMs = LIMITS.document_seconds * 1_000
    try {
      return await within({ totalMs, signals: [signal] }, () => hands.readDocument(request))
    } catch (error) {
      if (signal.aborted) return fail('the call was aborted')
      onError('hands', error)
      return fail('the document takes more time or memory than there is for one')
    }
  },
})
