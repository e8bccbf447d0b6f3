/** Handles `If-Match` and `If-None-Match` for all editable resources. */

import type { Context } from 'hono'
import * as z from 'zod'
import type { Expect } from '../../ports/world.ts'
import { refuse } from './problem.ts'
import type { Env } from './route.ts'

export const conditions = z.object({
  'if-match': ifMatch(),
  'if-none-match': z
    .string()
    .optional()
    .describe(
      'Always `*`: creates the resource only if it does not exist; otherwise returns 412. ' +
        'Cannot be combined with `If-Match`',
    ),
})

/**
 * Creates the `If-Match` header schema of resources that can be changed only in the version that
 * the client read.
 */
export function ifMatch() {
  return z
    .string()
    .optional()
    .describe(
      'ETag of the version that you have read, in quotes; returns 412 if the resource has ' +
        'changed',
    )
}

const ETAG = /^(?:W\/)?"([^"]{1,200})"$/

/**
 * Reports whether the client has the current version: `*`, or any listed etag, including weak etags
 * (RFC 9110).
 */
export function isKnown(noneMatch: string | undefined, etag: string): boolean {
  if (noneMatch === undefined) return false
  return noneMatch.split(',').some((tag) => {
    const trimmed = tag.trim()
    return trimmed === '*' || ETAG.exec(trimmed)?.[1] === etag
  })
}

/**
 * Returns the expected version from a quoted `If-Match` etag or `If-None-Match: *`; without either,
 * any version is accepted.
 */
export function expectation(match: string | undefined, noneMatch: string | undefined): Expect {
  if (noneMatch !== undefined) {
    if (noneMatch.trim() === '*' && match === undefined) return 'absent'
    throw refuse('invalid_header', '`If-None-Match` must be `*`, without `If-Match`.')
  }
  if (match === undefined) return 'any'
  const [, etag] = ETAG.exec(match.trim()) ?? []
  if (etag === undefined) throw refuse('invalid_header', '`If-Match` must be a single quoted ETag.')
  return { etag }
}

/** Returns the revision that a change requires, if any; undefined accepts any revision. */
export function revisionOf({ req }: Context<Env>): string | undefined {
  const expect = expectation(req.header('if-match'), req.header('if-none-match'))
  if (expect === 'absent') throw refuse('precondition_failed', 'The resource already exists.')
  return expect === 'any' ? undefined : expect.etag
}
