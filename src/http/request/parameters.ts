/**
 * Reads request parameters and headers. On every route, an empty value (`?limit=`,
 * `Last-Event-ID:`) counts as absent, because clients may send the name of a setting without a
 * value. An empty `subject` is rejected, because the operation would apply to all end users.
 */

import type { HonoRequest, MiddlewareHandler } from 'hono'
import { refuse } from './problem.ts'

/** Overrides the request's `header` method, which all readers of headers use. */
export const withoutEmptyHeaders: MiddlewareHandler = function givenHeaders({ req }, next) {
  const read = req.header.bind(req)
  const readHeader = (name?: string): unknown =>
    name === undefined ? read() : read(name)?.trim() || undefined
  req.header = readHeader as HonoRequest['header']
  return next()
}

const NO_SUBJECT =
  '`subject` is empty; send the ID of an end user, or omit it to address the whole tenant.'

/**
 * Returns one value per query parameter; a repeated parameter is rejected, because parsers treat
 * repetition differently.
 */
export function givenQuery(req: HonoRequest): Record<string, string> {
  const query: Record<string, string> = Object.create(null)
  for (const [name, all] of Object.entries(req.queries())) {
    const values = all.filter((value) => value.trim() !== '')
    if (name === 'subject' && values.length === 0) throw refuse('invalid_query', NO_SUBJECT)
    if (values.length > 1) throw refuse('invalid_query', `${name} was sent twice.`)
    // Rejected here, because zod silently ignores this parameter name.
    if (name === '__proto__') throw refuse('invalid_query', `Unknown parameter ${name}.`)
    if (values.length === 1) query[name] = values[0]!
  }
  return query
}
