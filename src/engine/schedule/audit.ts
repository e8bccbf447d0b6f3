/** Audit entries of schedules: who changed which settings, and how. */

import { changeOf } from '../../core/audit-change.ts'
import type { Schedule } from '../../core/schedule/schedule.ts'
import type { Write } from '../../ports/world.ts'
import { type Asker, type Audited, auditRow } from '../tenant/audit.ts'

/** Members that are bookkeeping, and no setting of the schedule. */
const NO_SETTINGS = [
  ...['id', 'name', 'kind', 'incarnation', 'revision', 'created_at', 'deleted', 'source', 'key'],
  ...['cursor', 'fires', 'failures', 'last', 'ended_at'],
]

/** Describes a change of a schedule; undefined means that the schedule is new. */
export const changeOfSchedule = (previous: Schedule | undefined, next: Schedule) =>
  changeOf(previous ?? null, next.deleted ? null : next, NO_SETTINGS)

/** Returns the row that records a change of a schedule by a caller. */
export const scheduleRow = (
  { world, tenant, by }: Asker,
  action: Audited['action'],
  next: Schedule,
  previous?: Schedule,
): Write =>
  auditRow(world, tenant, {
    ...{ kind: 'schedule', name: next.name, action, by, number: next.revision },
    ...changeOfSchedule(previous, next),
  })
