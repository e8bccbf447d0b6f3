/** Lists the tasks of a fan-out in pages; a cursor belongs to one fan-out and one filter. */

import type { TaskView } from '../../core/fanout/view.ts'
import type { Fanout } from '../../engine/fanout/accept.ts'
import { readTaskPage } from '../../engine/fanout/query.ts'
import { searchTasks } from '../../engine/fanout/task-search.ts'
import { fanoutPartition } from '../../engine/partition/keys.ts'
import { type Page, sealCursor } from '../../engine/partition/page.ts'
import type { World } from '../../ports/world.ts'
import { openCursor } from '../request/page.ts'
import type { TasksQuery } from '../schemas/fanouts/fanouts.ts'

export async function taskPage(
  world: World,
  tenant: string,
  fanout: Fanout,
  { cursor, limit, status: statuses }: TasksQuery,
): Promise<Page<TaskView>> {
  const filter = statuses === undefined ? '' : `?${statuses.toSorted().join(',')}`
  const cursors = `tasks ${fanoutPartition(tenant, fanout.state.spec!.id)}${filter}`
  const from = cursor ? Number(await openCursor(world, cursors, cursor)) : 0
  const { data, next } = statuses
    ? await searchTasks(world, tenant, fanout, { from, limit, statuses })
    : await readTaskPage(world, tenant, fanout, from, limit)
  const next_cursor = next === null ? null : await sealCursor(world, cursors, String(next))
  return { data, next_cursor, has_more: next !== null }
}
