/**
 * Paths are taken as they came or not at all. Every URL parser resolves `.` and `..` segments,
 * encoded ones too, so a key like `a/%2e%2e/b` would silently name another file; where the host
 * knows the target as it was sent, such a path is refused. An encoded slash separates like any
 * other: generated clients encode those of a parameter.
 */

import type { MiddlewareHandler } from 'hono'
import { refuse } from './problem.ts'
import type { Env } from './route.ts'

export const pathAsSent: MiddlewareHandler<Env> = async function asSent(c, next) {
  if (hasDotSegment(c.env?.target ?? '')) {
    throw refuse('invalid_key', 'A segment of the path consists of dots only.')
  }
  await next()
}

const DOTS = /^(?:\.|%2e){1,2}$/i

export function hasDotSegment(target: string): boolean {
  const [path = ''] = target.split(/[?#]/, 1)
  return path.split(/\/|%2f/i).some((segment) => DOTS.test(segment))
}
