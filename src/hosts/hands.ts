/**
 * `strata-hands`, a second Worker beside the first: it computes what needs large programs or may
 * take much memory (reading documents), so that the Worker that holds runs stays small and survives
 * it. It is reached by the binding HANDS alone: it has no route, no storage, no secret, and its
 * answers rest on what it is handed.
 */

import { WorkerEntrypoint } from 'cloudflare:workers'
import type { DocumentRequest } from '../ports/documents.ts'
import { readDocument } from './hands/documents.ts'

export default class Hands extends WorkerEntrypoint {
  readDocument(request: DocumentRequest) {
    return readDocument(request)
  }

  /** It is nobody's to ask. */
  override fetch(): Response {
    return new Response(null, { status: 404 })
  }
}
