/** API client shared by all commands, and error messages for the terminal. */

import {
  ConnectionError,
  createClient,
  ProblemError,
  type Strata,
  StrataError,
} from '../client/index.ts'
import { oneLine } from '../lib/invisible-characters.ts'
import type { Environment } from './terminal.ts'

/** Number of retries per request; enough to outlast a restart or a busy store. */
const RETRIES = 5

/**
 * Creates the API client. The client retries temporary failures, but fails at once if the server
 * has never responded.
 */
export function clientOf(env: Environment): Strata {
  const { url, apiKey } = addressOf(env)
  let hasAnswered = false
  return createClient({
    ...{ url, apiKey, retries: RETRIES },
    async fetch(...request) {
      const response = await fetch(...request)
      hasAnswered = true
      return response
    },
    onRetry(error) {
      if (!hasAnswered) throw error
    },
  })
}

export function addressOf(env: Environment): { readonly url: string; readonly apiKey: string } {
  const apiKey = env.STRATA_API_KEY
  if (!apiKey) throw new Error('STRATA_API_KEY is not set; set it to an API key of the server')
  return { url: (env.STRATA_URL || 'http://127.0.0.1:8787').replace(/\/+$/, ''), apiKey }
}

/**
 * Returns the terminal message for an error. The text of an unexpected exception may quote user
 * input, so it is shown only with the stack, under STRATA_DEBUG.
 */
export function sentenceOf(error: unknown, env: Environment = {}): string {
  if (!(error instanceof Error) || isUnexpected(error)) {
    return env.STRATA_DEBUG
      ? `internal: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
      : UNEXPECTED
  }
  if (error instanceof ConnectionError) return `${oneLine(error.message)}; see STRATA_URL`
  if (error instanceof ProblemError && error.status >= 500) {
    const { code = 'unknown', requestId = 'none' } = error
    return oneLine(`${error.message} (${code}, request ${requestId})`)
  }
  if (error instanceof StrataError) return oneLine(error.message)
  return systemSentence(error) ?? error.message
}

const UNEXPECTED =
  'internal: the command failed because of a bug; set STRATA_DEBUG=1 to print the stack ' + 'trace'

const FAULTS = [TypeError, RangeError, SyntaxError, ReferenceError, URIError, EvalError]

/** Reports whether an error is a bug or was thrown by Node itself. */
const isUnexpected = (error: Error): boolean =>
  FAULTS.some((fault) => error instanceof fault) || /^ERR_/.test(codeOf(error))

const codeOf = (error: Error): string => String((error as NodeJS.ErrnoException).code ?? '')

const SYSTEM: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'expected a file, found a folder',
  ENOTDIR: 'part of the path is not a folder',
  ENOSPC: 'the disk is full',
  EADDRINUSE: 'the port is already in use',
}

/** Describes an operating system error by the error's code and path. */
function systemSentence(error: Error): string | undefined {
  const { syscall, path, port } = error as NodeJS.ErrnoException & { port?: number }
  if (syscall === undefined) return undefined
  const code = codeOf(error)
  const about = path ?? (port === undefined ? undefined : `port ${port}`)
  const sentence = `${SYSTEM[code] ?? 'the system refused it'} (${code})`
  return about === undefined ? sentence : `${about}: ${sentence}`
}
