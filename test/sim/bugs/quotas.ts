/**
 * Planted bugs of a tenant's limits. Worlds in which a tenant is limited find what befalls often;
 * what takes a midnight, a lost write or a death at the right moment is shown by tests.
 */

import { inside } from '../../planting/patch.ts'
import { type Bug, bug, testedBug } from './bug.ts'

const ENGINE = 'test/engine/tenant-limits.test.ts'

export const QUOTA_BUGS: readonly Bug[] = [
  bug(
    'quota: a reservation is taken without what others have reserved',
    inside('outputWithin', '(counts ? reserved : 0)', '(counts ? 0 : 0)'),
  ),
  testedBug(
    'quota: a reservation whose write nobody knew of is taken twice',
    {
      file: ENGINE,
      title: 'a call is settled once, and reserved once when nobody knew whether it was',
    },
    inside(
      'reserveSpending',
      'const { [id]: _, ...others } = spending.reserved',
      'const others = spending.reserved',
    ),
  ),
  bug(
    'quota: a reservation is never given back',
    inside('settleSpending', 'of_day, of_month, reserved }', 'of_day, of_month }'),
  ),
  testedBug(
    'quota: a call is settled twice',
    {
      file: ENGINE,
      title: 'a call is settled once, and reserved once when nobody knew whether it was',
    },
    inside('settleSpending', 'if (!mine) return true', ''),
    inside('settleSpending', 'spent ?? mine', 'spent ?? mine ?? NOTHING'),
  ),
  testedBug(
    'quota: the call of a dead worker is forgotten',
    {
      file: ENGINE,
      title: 'the call of a worker that died counts as it was reserved, after a while',
    },
    inside('spendingOf', 'until <= now', 'until < 0'),
  ),
  testedBug(
    'quota: a day never begins anew',
    { file: ENGINE, title: 'a day begins anew at midnight UTC, and a month with its first day' },
    inside('spendingOf', 'was.day === day ? was.of_day : NOTHING', 'was.of_day'),
  ),
  testedBug(
    'real: a day of limits begins anew for a clock that is behind',
    {
      file: ENGINE,
      title: 'a day that has begun for one clock does not begin anew for one that is behind',
    },
    inside('spendingOf', 'was.day === dayOf(now + CLOCKS_MS) ? was.day : today', 'today'),
  ),
  bug(
    'real: a fan-out keeps its worker while it waits for room',
    inside(
      'performTask',
      'return { restMs: WAIT_MS }',
      'return context.world.clock.sleep(WAIT_MS, context.signal).then(() => ({}))',
    ),
  ),
  bug(
    'real: a key that was refused once is free when its run is gone',
    inside(
      'acceptRun',
      "if (keyed && 'refused' in reserved.value) await confirmReservation(world, tenant, keyed)",
      '',
    ),
  ),
  bug(
    'quota: a run that has ended keeps its place',
    inside('livingOf', '!isOver(head.body)', 'true'),
  ),
  bug(
    'quota: a run begins without a place',
    inside(
      'beyondLimits',
      'if (full && keyed)',
      'if (full?.extra?.limit === "live_runs") return undefined\n  if (full && keyed)',
    ),
  ),
  testedBug(
    'quota: files are counted anew without the writes under way',
    { file: ENGINE, title: 'are never more than the limit, nor their bytes' },
    inside('recounted', 'Object.fromEntries(whole)', '{}'),
  ),
  testedBug(
    'quota: a write that is lost takes its room for ever',
    { file: ENGINE, title: 'a write that failed on its way takes no room for ever' },
    inside('storage-quota:read', 'until > now', 'until > 0'),
  ),
  bug(
    'quota: a call is made and not settled',
    inside('metered', 'await settle(context, id, spentBy(answer, price))', ''),
  ),
]
