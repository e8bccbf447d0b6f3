/**
 * Documents read in processes beside this one (Node and Lambda): each has bounds of memory and time
 * of its own, and few run at once, the others wait in line. One that exceeds a bound is ended, and
 * its document is said to be too much.
 */

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { LIMITS } from '../../core/limits.ts'
import { fail, type Outcome } from '../../lib/outcome.ts'
import type { DocumentRequest, Documents, DocumentText } from '../../ports/documents.ts'

/** Processors are few, and each process may take its memory. */
const AT_ONCE = 2
/** Bytes of an answer: a document is cut well below. */
const ANSWER_BYTES = 33_554_432

/** The program: beside this file, or beside the bundle that this file went into. */
const PROGRAM = import.meta.url.endsWith('.ts') ? './child.ts' : './child.mjs'

export function spawnedDocuments(): Documents {
  let running = 0
  const waiting: (() => void)[] = []
  const turn = async (): Promise<void> => {
    if (running < AT_ONCE) running += 1
    // The place of the one that leaves.
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const leave = (): void => {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
  return {
    async read(request, signal) {
      await turn()
      try {
        return signal.aborted ? fail('the call was aborted') : await readIn(request, signal)
      } finally {
        leave()
      }
    },
  }
}

function readIn(
  { bytes, type, url }: DocumentRequest,
  signal: AbortSignal,
): Promise<Outcome<DocumentText, string>> {
  const { document_memory_bytes, document_seconds } = LIMITS
  const memory = `--max-old-space-size=${Math.floor(document_memory_bytes / 1_048_576)}`
  const child = spawn(
    process.execPath,
    [memory, fileURLToPath(new URL(PROGRAM, import.meta.url))],
    {
      // Nothing of this process's settings is a document's business.
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  )
  const pieces: Buffer[] = []
  let length = 0
  return new Promise((resolve) => {
    const settle = (outcome: Outcome<DocumentText, string>): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      child.kill('SIGKILL')
      resolve(outcome)
    }
    const stop = (): void => settle(fail('the call was aborted'))
    const late = (): void => settle(fail(`the document took longer than ${document_seconds} s`))
    const timer = setTimeout(late, document_seconds * 1_000)
    signal.addEventListener('abort', stop, { once: true })
    child.on('error', () => settle(fail('the document could not be read: no process was started')))
    // It may end before it has read everything.
    child.stdin.on('error', () => {})
    child.stdin.write(`${JSON.stringify({ type, url })}\n`)
    child.stdin.end(bytes)
    child.stdout.on('data', (piece: Buffer) => {
      length += piece.length
      if (length <= ANSWER_BYTES) pieces.push(piece)
      else settle(fail('the document is too large'))
    })
    child.on('close', () => settle(answerIn(Buffer.concat(pieces).toString())))
  })
}

function answerIn(text: string): Outcome<DocumentText, string> {
  try {
    return JSON.parse(text) as Outcome<DocumentText, string>
  } catch {
    return fail('the document takes more memory than there is for one')
  }
}
