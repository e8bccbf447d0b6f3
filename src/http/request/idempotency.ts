/** Handles the `Idempotency-Key` header of requests that create resources. */

import type { Context } from 'hono'
import * as z from 'zod'
import type { RequestKey } from '../../engine/tenant/idempotency.ts'
import { refuse } from './problem.ts'
import type { Env } from './route.ts'

const FORM = /^[A-Za-z0-9_:-]{8,200}$/

export const IdempotencyKey = z
  .string()
  .optional()
  .describe(
    'Key that makes the request idempotent for 24 hours: 8 to 200 characters from A-Z a-z ' +
      '0-9 _ : -. A repeated request must have the same body. Keys are separate for each ' +
      'method and path',
  )

export const NO_KEY = 'An Idempotency-Key must have 8 to 200 characters from A-Z a-z 0-9 _ : -'

/** Parses an idempotency key from a header; returns undefined if the key is invalid. */
export function keyIn(header: string): string | undefined {
  const key = header.replace(/^"(.*)"$/, '$1')
  return FORM.test(key) ? key : undefined
}

/**
 * Returns the request's idempotency key with the body's digest; undefined without a key. Rejects an
 * invalid key.
 */
export function keyedOf(c: Context<Env>): RequestKey | undefined {
  const header = c.req.header('idempotency-key')
  if (header === undefined) return undefined
  const key = keyIn(header)
  if (key === undefined) throw refuse('invalid_header', NO_KEY)
  return { scope: `${c.req.method} ${c.req.path}`, key, body: c.get('bodyDigest') ?? '' }
}

export const replayHeader = (replayed: boolean): Record<string, string> =>
  replayed ? { 'idempotency-replayed': 'true' } : {}
