/** Planted bugs of the home of objects: of its lives, its wakes and the names of its kin. */

import { inside } from '../planting/patch.ts'
import { type Bug, objectsBug, rareBug, testedBug } from './bug.ts'

export const OBJECTS_BUGS: readonly Bug[] = [
  objectsBug(
    'objects: a new life forgets what has not begun',
    inside('tick:recover', ' || !alarm.started', ''),
  ),
  objectsBug(
    'objects: what comes due after a look waits for the next one',
    inside('Passes.#tickAt', 'isNew ? alarm', 'alarm === undefined ? alarm'),
    inside(
      'Passes.#tickAt',
      'this.#tickedAt + TICK_MS',
      'Math.max(alarm, this.#tickedAt + TICK_MS)',
    ),
  ),
  objectsBug(
    'objects: a commit that creates wakes nobody',
    inside('commitFirst', '...(wakes ? { wakes } : {}),', ''),
  ),
  objectsBug(
    'objects: two passes over one partition at once',
    inside('memoryWakes', 'if (underWay.has(partition)) continue', ''),
  ),
  objectsBug(
    'objects: the lease of a life that is over is respected',
    inside('WorkerLease.constructor', 'isPass ? isSoleWorker(settings) : ', ''),
  ),
  objectsBug(
    'objects: the late end of a child is looked for under its plain name',
    inside(
      'accepts:isLate',
      'fact.announce.run_id === childId(state.spec, call)',
      'fact.announce.run_id === childId({ id: state.spec.id }, call)',
    ),
  ),
  objectsBug(
    'objects: a child is cancelled under its plain name',
    inside('performCancel', 'childId(state.spec, call)', 'childId({ id: state.spec.id }, call)'),
    inside('tombstone', 'childId(state.spec!, call)', 'childId({ id: state.spec!.id }, call)'),
  ),
  objectsBug(
    'objects: a pass that an object died of is not counted',
    inside('tick:recover', 'suspect: true', 'suspect: false'),
    inside('doubted', 'entry.head.redeliveries > 0 || entry.head.lease != null', 'false'),
  ),
  objectsBug(
    'real: a sole worker ends what another one works at',
    inside(
      'WorkerLease.constructor',
      'isPass ? isSoleWorker(settings) : settings.singleProcess',
      'isPass ? isSoleWorker(settings) : isSoleWorker(settings)',
    ),
  ),
  rareBug(
    'real: a new life forgets what was sent before',
    inside(
      'tick:recover',
      'const { found: due } = await headsOf(world, entries)',
      `const { found: all } = await headsOf(world, entries)
    const due = all.filter(({ head }) => !isPushed(head, now))`,
    ),
  ),
  testedBug(
    'real: what is due and may not begin is waited for without end',
    {
      file: 'test/unit/hosts/cloudflare/passes.test.ts',
      title: 'passes wait for a slot without spinning when more is due than may be skipped',
    },
    inside('Passes.#news', 'this.#mayBegin ?', 'this ?'),
  ),
]
