/** The `Idempotency-Key` header of requests that create something. */

import type { Context } from 'hono'
import * as z from 'zod'
import type { Keyed } from '../engine/idempotency.ts'
import { refuse } from './problem.ts'
import type { Env } from './route.ts'

const FORM = /^[A-Za-z0-9_:-]{8,200}$/

export const IdempotencyKey = z
  .string()
  .optional()
  .describe('8 to 200 of A-Z a-z 0-9 _ : -; kept 24 h, compared by the bytes of the body')

/**
 * The key with the digest of the body, when the caller sent one. Refuses what is no key. `what`
 * names the operation where a body alone does not: one key never stands for two of them.
 */
export function keyedOf(c: Context<Env>, what?: string): Keyed | undefined {
  const given = c.req.header('idempotency-key')
  if (given === undefined) return undefined
  const key = given.replace(/^"(.*)"$/, '$1')
  if (!FORM.test(key)) {
    throw refuse('invalid_header', 'An Idempotency-Key has 8 to 200 of A-Z a-z 0-9 _ : -')
  }
  const digest = c.get('bodyDigest') ?? ''
  return { key, body: what === undefined ? digest : `${what} ${digest}` }
}

export const replayHeader = (replayed: boolean): Record<string, string> =>
  replayed ? { 'idempotency-replayed': 'true' } : {}
