/**
 * Access check behind a CDN: with `STRATA_ORIGIN_KEY` set, the function URL accepts only requests
 * with that key, which CloudFront adds to each request. CloudFront signatures are no alternative:
 * they replace `Authorization`, which contains the API keys of callers. They also require a digest
 * of each body from the caller (docs/decisions).
 */

import { createHash, timingSafeEqual } from 'node:crypto'
import { refusal } from '../../core/problem.ts'
import { PROBLEM_TYPE, problemDocument } from '../../http/request/problem.ts'
import { random } from '../../lib/id.ts'
import { systemClock } from '../shared/clock.ts'
import type { Environment } from '../shared/options.ts'
import type { UrlEvent } from './url.ts'

/** Header in which the distribution sends the origin key; `infra/cdn.ts` also contains its name. */
export const ORIGIN_HEADER = 'x-strata-origin-key'

/** Minimum length of the origin key in characters; a shorter key could be guessed. */
const LEAST_CHARACTERS = 32

/**
 * Returns a function that removes the origin key from an event, or returns undefined if the event
 * is not from CloudFront. The previous key is also accepted, so that key rotation rejects no
 * request. Throws an explanatory error if a key is too short.
 */
export function originDoor(env: Environment): (event: UrlEvent) => UrlEvent | undefined {
  const keys = ['STRATA_ORIGIN_KEY', 'STRATA_ORIGIN_KEY_PREVIOUS'].flatMap((name) => {
    const key = env[name]
    if (key === undefined || key === '') return []
    if (key.length >= LEAST_CHARACTERS) return [digestOf(key)]
    throw new Error(`${name} must have at least ${LEAST_CHARACTERS} characters`)
  })
  return (event) => {
    const { [ORIGIN_HEADER]: sent = '', ...headers } = event.headers ?? {}
    const sentDigest = digestOf(sent)
    const isTrusted = keys.length === 0 || keys.some((key) => timingSafeEqual(key, sentDigest))
    return isTrusted ? { ...event, headers } : undefined
  }
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Response to requests that bypassed the CDN distribution. */
export const closed = {
  fetch({ url }: Request): Response {
    const detail = 'This address does not accept requests; use the distribution in front of it.'
    const place = {
      instance: new URL(url).pathname,
      request_id: random('req', systemClock.random(17)),
    }
    const problem = problemDocument(refusal('not_found', detail), place)
    return Response.json(problem, { status: 404, headers: { 'content-type': PROBLEM_TYPE } })
  },
}
