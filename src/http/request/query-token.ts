/**
 * Accepts tokens in the query (`?token=`), because `EventSource` and plain links cannot send
 * headers. URLs are stored in browser histories and third-party logs. Only tokens are therefore
 * accepted, and only for server-sent events and downloads. Responses never repeat the token, and
 * the log contains paths without queries.
 */

import type { Context } from 'hono'
import { isToken } from '../../engine/tenant/tokens.ts'
import { refuse } from './problem.ts'
import type { Env } from './route.ts'

const EVENTS = /^\/v1\/(?:runs|fanouts)\/[^/]+\/events$/
const DOWNLOADS = /^\/v1\/(?:runs\/[^/]+\/media\/[^/]+|sessions\/[^/]+\/export)$/

/** Reports whether a GET of the path accepts `?token=`; event paths accept it only for a stream. */
export const takesQueryToken = (path: string): boolean => EVENTS.test(path) || DOWNLOADS.test(path)

/** Returns the token in the query, if any. Rejects a token on other paths. */
export function queryToken(c: Context<Env>): string | undefined {
  const { req } = c
  if (!req.url.includes('?')) return undefined
  const tokens = (req.queries('token') ?? []).filter((text) => text.trim() !== '')
  const [text] = tokens
  if (text === undefined) return undefined
  const reads = req.method === 'GET' || req.method === 'HEAD'
  const streams = req.header('accept')?.includes('text/event-stream') === true
  const counts = DOWNLOADS.test(req.path) || (EVENTS.test(req.path) && streams)
  if (!reads || !counts) throw refuse('unauthorized', ELSEWHERE)
  if (!isToken(text)) throw refuse('unauthorized', NO_KEY)
  if (tokens.length > 1 || req.header('authorization') !== undefined) {
    throw refuse('unauthorized', 'Send one token, either as `?token=` or in `Authorization`.')
  }
  c.set('tokenInQuery', true)
  return text
}

const ELSEWHERE =
  '`?token=` is accepted only for server-sent events and downloads; send ' +
  '`Authorization: Bearer` instead.'
const NO_KEY =
  '`?token=` accepts only tokens from POST /v1/tokens; an API key would appear in logs.'
