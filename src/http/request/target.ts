/**
 * Requires unambiguous paths. URL parsers resolve `.` and `..` segments, even encoded ones, so a
 * key like `a/%2e%2e/b` would silently name another file. If the platform knows the raw target, a
 * path with such segments is rejected. An encoded slash still separates segments, because generated
 * clients encode slashes in parameters.
 */

import type { MiddlewareHandler } from 'hono'
import { refuse } from './problem.ts'
import type { Env } from './route.ts'

export const pathAsSent: MiddlewareHandler<Env> = async function asSent(c, next) {
  if (hasDotSegment(c.env?.target ?? '')) {
    throw refuse('invalid_key', 'A path segment consists only of dots.')
  }
  await next()
}

const DOTS = /^(?:\.|%2e){1,2}$/i

export function hasDotSegment(target: string): boolean {
  const [path = ''] = target.split(/[?#]/, 1)
  return path.split(/\/|%2f/i).some((segment) => DOTS.test(segment))
}
