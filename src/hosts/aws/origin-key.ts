/**
 * The door behind a distribution: where `STRATA_ORIGIN_KEY` is set, the function URL answers only
 * those who send that key, which CloudFront puts beside each request. A signature of CloudFront's
 * cannot do it: it takes the place of `Authorization`, where our callers' keys are, and wants a
 * digest of each body from the caller (docs/decisions).
 */

import { createHash, timingSafeEqual } from 'node:crypto'
import { refusal } from '../../core/problem.ts'
import { PROBLEM_TYPE, problemDocument } from '../../http/request/problem.ts'
import { random } from '../../lib/id.ts'
import { systemClock } from '../shared/clock.ts'
import type { Environment } from '../shared/options.ts'
import type { UrlEvent } from './url.ts'

/** The header that the distribution adds; `infra/cdn.ts` names it too. */
export const ORIGIN_HEADER = 'x-strata-origin-key'

/** Fewer could be guessed. */
const LEAST_CHARACTERS = 32

/**
 * The event without the key, or undefined when it did not come through CloudFront. The previous key
 * counts too, so that a rotation refuses no request. Throws a sentence when a key is too short.
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

/** Answers requests that bypassed the distribution. */
export const closed = {
  fetch({ url }: Request): Response {
    const detail = 'This address serves no requests: use the distribution in front of it.'
    const place = {
      instance: new URL(url).pathname,
      request_id: random('req', systemClock.random(17)),
    }
    const problem = problemDocument(refusal('not_found', detail), place)
    return Response.json(problem, { status: 404, headers: { 'content-type': PROBLEM_TYPE } })
  },
}
