/** Planted leaks between the two tenants of each world: of rows, objects, wakes, events, webhooks. */

import { inside } from '../../planting/patch.ts'
import { type Bug, bug } from './bug.ts'

export const LEAKS: readonly Bug[] = [
  bug(
    'leak, row: a child announces itself to the partition of one tenant',
    inside(
      'performAnnounce',
      'logPartition(tenant, parent.run_id)',
      "logPartition('red', parent.run_id)",
    ),
  ),
  bug(
    'leak, row: all conversations stand in one list',
    inside('sessionsList', '`${tenant}/sessions`', "`red/sessions${tenant ? '' : '.'}`"),
  ),
  bug(
    'leak, row: equal idempotency keys of two tenants are one',
    inside(
      'reservationPartition',
      '`${tenant}/reservation/${key}`',
      "`red${tenant ? '' : '.'}/reservation/${key}`",
    ),
  ),
  bug(
    'leak, object: equal texts of two tenants are one object',
    inside('homesOf', '`${tenant}/${FOLDER}`', "`red${tenant ? '' : '.'}/${FOLDER}`"),
  ),
  bug(
    'leak, object: workspaces and layers lie under one tenant',
    inside('fileKey', '`${tenant}/files/${key}`', "`red${tenant ? '' : '.'}/files/${key}`"),
  ),
  bug(
    'leak, wake: the run of another tenant is worked at',
    inside(
      'dispatch:pass',
      "case 'run': return advanceGuarded(world, runHandlers, wake, seal)",
      "case 'run': return advanceGuarded(world, runHandlers, { ...wake, partition: wake.partition.replace('blue/', 'red/') }, seal)",
    ),
  ),
  bug(
    'leak, event: a stream follows the run of another tenant',
    inside(
      'streamLog',
      'new Reader(world, partition,',
      "new Reader(world, partition.replace('blue/', 'red/'),",
    ),
  ),
  bug(
    'leak, webhook: every event goes to the endpoints of one tenant',
    inside('endpointsList', '`${tenant}/endpoints`', "`red/endpoints${tenant ? '' : '.'}`"),
  ),
]
