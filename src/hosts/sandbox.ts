/**
 * Implements `strata-sandbox`, a second Worker for large programs and memory-intensive work
 * (documents, shell commands). The Worker that executes runs stays small and survives a crash of
 * this Worker. Only the SANDBOX binding reaches this Worker, which has no route, storage, or
 * secret.
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

  /** Rejects external requests. */
  override fetch(): Response {
    return new Response(null, { status: 404 })
  }
}
