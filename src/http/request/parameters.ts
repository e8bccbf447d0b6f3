/**
 * The parameters and headers that a request gives. One without a value (`?limit=`, `Last-Event-ID:`)
 * is not given, on every route: clients write the name of a setting that they have no value for.
 */

import type { HonoRequest, MiddlewareHandler } from 'hono'
import { refuse } from './problem.ts'

/** Every header of the request is read by this request's `header`. */
export const withoutEmptyHeaders: MiddlewareHandler = function givenHeaders({ req }, next) {
  const read = req.header.bind(req)
  const readHeader = (name?: string): unknown =>
    name === undefined ? read() : read(name)?.trim() || undefined
  req.header = readHeader as HonoRequest['header']
  return next()
}

/** A single value per parameter; a repeated one is refused, so that no two parsers differ. */
export function givenQuery(req: HonoRequest): Record<string, string> {
  const query: Record<string, string> = Object.create(null)
  for (const [name, all] of Object.entries(req.queries())) {
    const values = all.filter((value) => value.trim() !== '')
    if (values.length > 1) throw refuse('invalid_query', `${name} was sent twice.`)
    // Zod passes over it in silence.
    if (name === '__proto__') throw refuse('invalid_query', `Unknown parameter ${name}.`)
    if (values.length === 1) query[name] = values[0]!
  }
  return query
}
