/**
 * Runs document conversions and shell commands in child processes (Node and Lambda), each with
 * limits on memory and time. Only a few run concurrently; the others are queued. A process that
 * exceeds a limit is ended, and the result states the limit.
 */

import { spawn } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import { LIMITS } from '../../core/limits.ts'
import { fail, type Outcome } from '../../lib/outcome.ts'
import type { Documents, DocumentText } from '../../ports/documents.ts'
import type { Shell, ShellResult } from '../../ports/shell.ts'
import type { Task } from './child.ts'
import { line } from './line.ts'

/**
 * Maximum size of a child process's response, in bytes; actual responses stay well below this
 * limit.
 */
const ANSWER_BYTES = 67_108_864
/** Time that a shell gets to report that it ended a command, in milliseconds. */
const GRACE_MS = 5_000

/** Path of the child program, relative to this file or to the bundle that contains this file. */
const PROGRAM = `./child${extname(import.meta.url)}`

export function isolatedTools(documentMs = LIMITS.document_seconds * 1_000): {
  readonly documents: Documents
  readonly shell: Shell
} {
  const inLine = line()
  return {
    documents: {
      read: (request, signal) =>
        inLine(signal, () =>
          compute<DocumentText>({
            task: { task: 'document', request },
            what: 'the document',
            memory: LIMITS.document_memory_bytes,
            ms: documentMs,
            signal,
          }),
        ),
    },
    shell: {
      run: (request, signal) =>
        inLine(signal, () =>
          compute<ShellResult>({
            task: { task: 'shell', request },
            what: 'the command',
            memory: LIMITS.shell_memory_bytes,
            ms: request.timeoutMs + GRACE_MS,
            signal,
          }),
        ),
    },
  }
}

interface Computing {
  readonly task: Task
  /** Name of the work for error sentences. */
  readonly what: string
  /** Memory limit of the child process, in bytes. */
  readonly memory: number
  readonly ms: number
  readonly signal: AbortSignal
}

function compute<T>({
  task,
  what: subject,
  memory,
  ms,
  signal,
}: Computing): Promise<Outcome<T, string>> {
  const program = fileURLToPath(new URL(PROGRAM, import.meta.url))
  const most = `--max-old-space-size=${Math.floor(memory / 1_048_576)}`
  const child = spawn(process.execPath, [most, program], {
    // The child process does not get the environment variables of this process.
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const pieces: Buffer[] = []
  let length = 0
  return new Promise((resolve) => {
    const settle = (outcome: Outcome<T, string>): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      child.kill('SIGKILL')
      resolve(outcome)
    }
    const stop = (): void => settle(fail('the call was aborted'))
    const late = (): void => settle(fail(`${subject} took longer than ${Math.round(ms / 1_000)} s`))
    const timer = setTimeout(late, ms)
    signal.addEventListener('abort', stop, { once: true })
    child.on('error', () => settle(fail(`${subject} was not started: no process could be created`)))
    // The child process may end before it has read all of its input.
    child.stdin.on('error', () => {})
    child.stdin.end(serialize(task))
    child.stdout.on('data', (piece: Buffer) => {
      length += piece.length
      if (length <= ANSWER_BYTES) pieces.push(piece)
      else settle(fail(`${subject} produced too much output`))
    })
    child.on('close', () => settle(answerIn(subject, Buffer.concat(pieces))))
  })
}

function answerIn<T>(subject: string, bytes: Buffer): Outcome<T, string> {
  try {
    return deserialize(bytes) as Outcome<T, string>
  } catch {
    return fail(`${subject} exceeded its memory limit`)
  }
}
