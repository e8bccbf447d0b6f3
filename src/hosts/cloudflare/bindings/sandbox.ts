/**
 * Processes documents and commands on Cloudflare with the Worker `strata-sandbox`, bound as
 * SANDBOX.
 */

import { LIMITS } from '../../../core/limits.ts'
import { fail, type Outcome } from '../../../lib/outcome.ts'
import type {
  DocumentRequest,
  Documents,
  DocumentText,
  Shell,
  ShellRequest,
  ShellResult,
} from '../../../ports/world.ts'
import { within } from '../../outbound/deadline.ts'

/** Calls of the sandbox Worker. */
export interface SandboxCalls {
  readDocument(request: DocumentRequest): Promise<Outcome<DocumentText, string>>
  runShell(request: ShellRequest): Promise<Outcome<ShellResult, string>>
}

type OnError = (where: string, error: unknown) => void

/** Time for a shell to report that it has ended a command, in milliseconds. */
const GRACE_MS = 5_000

export function remoteSandbox(
  sandbox: SandboxCalls,
  onError: OnError,
): { readonly documents: Documents; readonly shell: Shell } {
  const compute = async <T>(
    task: string,
    { totalMs, signal }: { readonly totalMs: number; readonly signal: AbortSignal },
    call: () => Promise<Outcome<T, string>>,
  ): Promise<Outcome<T, string>> => {
    try {
      return await within({ totalMs, signals: [signal] }, call)
    } catch (error) {
      if (signal.aborted) return fail('the call was aborted')
      onError('sandbox', error)
      return fail(`${task} exceeded its time or memory limit`)
    }
  }
  return {
    documents: {
      read: (request, signal) =>
        compute('the document', { totalMs: LIMITS.document_seconds * 1_000, signal }, () =>
          sandbox.readDocument(request),
        ),
    },
    shell: {
      run: (request, signal) =>
        compute('the command', { totalMs: request.timeoutMs + GRACE_MS, signal }, () =>
          sandbox.runShell(request),
        ),
    },
  }
}
