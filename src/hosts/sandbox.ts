/**
 * `strata-sandbox`, a second Worker beside the first: it computes what needs large programs or may
 * take much memory (documents, commands of a shell), so that the Worker that holds runs stays small
 * and survives it. It is reached by the binding SANDBOX alone: it has no route, no storage and no
 * secret, and its answers rest on what it is handed.
 */

import { WorkerEntrypoint } from 'cloudflare:workers'
import type { DocumentRequest } from '../ports/documents.ts'
import type { ShellRequest } from '../ports/shell.ts'
import { readDocument } from './sandbox/documents.ts'
import { runShell } from './sandbox/shell.ts'

export default class Sandbox extends WorkerEntrypoint {
  readDocument(request: DocumentRequest) {
    return readDocument(request)
  }

  runShell(request: ShellRequest) {
    return runShell(request)
  }

  /** Not for external requests. */
  override fetch(): Response {
    return new Response(null, { status: 404 })
  }
}
