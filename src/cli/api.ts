/** The client of every command, and its errors as sentences for the person at the terminal. */

import { ConnectionError, createClient, type Strata, StrataError } from '../client/index.ts'
import { oneLine } from '../lib/visible.ts'
import type { Environment } from './terminal.ts'

/** A restart or a busy store passes. */
const RETRIES = 5

/** Tries again what may pass; but a server that has never answered is not waited for. */
export function clientOf(env: Environment): Strata {
  const { url, apiKey } = addressOf(env)
  let seen = false
  return createClient({
    ...{ url, apiKey, retries: RETRIES },
    async fetch(...request) {
      const response = await fetch(...request)
      seen = true
      return response
    },
    onRetry(error) {
      if (!seen) throw error
    },
  })
}

export function addressOf(env: Environment): { readonly url: string; readonly apiKey: string } {
  const apiKey = env.STRATA_API_KEY
  if (!apiKey) throw new Error('set STRATA_API_KEY to an API key of the server')
  return { url: (env.STRATA_URL || 'http://127.0.0.1:8787').replace(/\/+$/, ''), apiKey }
}

/** The sentence of an error, on one line. */
export function sentenceOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  if (error instanceof ConnectionError) return `${oneLine(text)}; see STRATA_URL`
  return error instanceof StrataError ? oneLine(text) : text
}
