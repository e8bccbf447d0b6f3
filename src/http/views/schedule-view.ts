/** Finds the schedule that a request names, and its etag. */

import type { Schedule } from '../../core/schedule/schedule.ts'
import type { Expected } from '../../engine/schedule/manage.ts'
import { mayBeSchedule } from '../../engine/schedule/store.ts'
import { expectation } from '../request/conditions.ts'
import { refuse } from '../request/problem.ts'
import type { Call, Route } from '../request/route.ts'

export const missing = () => refuse('not_found', 'Schedule not found.')

/**
 * Returns the schedule's name; a path that contains neither a name nor an ID results in "not
 * found".
 */
export function nameOf({ c }: Pick<Call<Route>, 'c'>): string {
  const name = c.req.param('name') ?? ''
  if (!mayBeSchedule(name)) throw missing()
  return name
}

export function expectedOf({ c }: Pick<Call<Route>, 'c'>): Expected {
  const expected = expectation(c.req.header('if-match'), c.req.header('if-none-match'))
  if (expected === 'any') return undefined
  return expected === 'absent' ? 'absent' : { revision: expected.etag }
}

export const etagOf = ({ revision }: Schedule) => ({ etag: `"${revision}"` })
