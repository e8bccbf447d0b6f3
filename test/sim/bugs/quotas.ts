/** Planted bugs of quotas, which tests of concurrent processes and moved clocks find. */

import { inside } from '../planting/patch.ts'
import { type Bug, testedBug } from './bug.ts'

const USAGE = 'test/unit/engine/tenant-quotas.test.ts'
const KEYS = 'test/unit/http/tenant/key-quotas.test.ts'
const SLOTS = 'test/unit/engine/resource-quotas.test.ts'

export const QUOTAS: readonly Bug[] = [
  testedBug(
    'quota: a reservation ignores the other reservations',
    { file: USAGE, title: 'and reservations together never exceed the quota' },
    inside('outputWithin', '(counts ? reserved : 0)', '0'),
  ),
  testedBug(
    'quota: a reservation with an unknown outcome counts twice',
    { file: USAGE, title: 'of a call counts once after writes with an unknown outcome' },
    inside('settleUsage', 'if (!mine) return { result: undefined }', ''),
    inside('settleUsage', 'used ?? mine', 'used ?? mine ?? ZERO'),
  ),
  testedBug(
    'quota: the call of a failed worker is forgotten',
    { file: USAGE, title: 'of a call whose worker failed counts with its reservation' },
    inside('usageAt', 'until <= now', 'until < 0'),
  ),
  testedBug(
    'quota: a day never starts again',
    { file: USAGE, title: 'starts again at midnight UTC, and with the first day of a month' },
    inside('usageAt', 'last.day === day ? last.of_day : ZERO', 'last.of_day'),
  ),
  testedBug(
    'quota: a day starts again for a clock that is behind',
    { file: USAGE, title: 'does not start again for a clock that is behind' },
    inside('usageAt', 'last.day === dayOf(now + CLOCKS_MS) ? last.day : today', 'today'),
  ),
  testedBug(
    'quota: an ended run keeps its slot',
    { file: USAGE, title: 'do not count after their end, nor do their subagents' },
    inside('neededBy', 'counts(head.body)', 'true'),
  ),
  testedBug(
    'quota: each refusal is an event of its own',
    {
      file: 'test/unit/http/tenant/tenant-quotas.test.ts',
      title: 'is sent once an hour for active runs, also to an endpoint that was created late',
    },
    inside('reportExceeded', 'Math.floor(now / HOUR_MS)', 'now'),
  ),
  testedBug(
    'quota: subagents have no slot',
    { file: USAGE, title: 'of all runs never exceed the quota, and free it with their end' },
    inside('childRefusal', "['children']", '[]'),
  ),
  testedBug(
    'quota: a subagent does not count for the key of its run',
    { file: KEYS, title: 'count the tokens of its runs, of their subagents, and of fan-outs' },
    inside('childSpec', '...(spec.key ? { key: spec.key } : {}),', ''),
  ),
  testedBug(
    'quota: a run that the tenant refuses keeps the slot of its key',
    {
      file: KEYS,
      title: 'hold together with those of the tenant, whose refusal takes no slot of the key',
    },
    inside('takeSlots', 'rows.slice(0, index)', '[]'),
  ),
  testedBug(
    'quota: a rotated key counts anew',
    { file: KEYS, title: 'keeps its count when it is rotated' },
    inside('rotateKey', '{ ...grant, ...shared }', 'grant'),
  ),
  testedBug(
    'quota: concurrent requests exceed the number of resources',
    { file: SLOTS, title: 'is free a minute after its creator ended before creating the resource' },
    inside('takeSlot', 'if (isFull && countOf(slots) >= row.max)', 'if (false)'),
  ),
  testedBug(
    'quota: a queued run counts until its end',
    { file: USAGE, title: 'of runs count until they begin' },
    inside('neededBy', "quota === 'queued_runs' ? hasNotBegun : hasNotEnded", 'hasNotEnded'),
  ),
  testedBug(
    'quota: a run of a hook does not count for the key that made the hook',
    { file: KEYS, title: 'count the runs of hooks and schedules that it makes or changes' },
    inside('receive:start', '...(hook.key && { key: hook.key }),', ''),
  ),
  testedBug(
    'quota: the slot of a new schedule is freed by an earlier deletion',
    { file: SLOTS, title: 'stays with a schedule that is created anew while its deletion ends' },
    inside('releaseSlot', '|| reservedAt > deletedAt', ''),
  ),
]
