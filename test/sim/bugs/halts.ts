/** Bugs of how the work of a tenant stops while the operator has paused or suspended it. */

import { inside } from '../planting/patch.ts'
import { type Bug, bug, testedBug } from './bug.ts'

export const HALTS: readonly Bug[] = [
  bug(
    'halt: a worker goes on all the same',
    inside(
      'Executor.untilRest',
      "status === 'active' ? pending : whileHalted(this.#handlers, pending)",
      'pending',
    ),
    inside('askThrough', 'if (!(await mayBegin(world, tenant))) throw new TenantHalted()', ''),
    inside('haltedAnswer', 'if (await mayBegin(world, tenant)) return undefined', 'return'),
  ),
  bug(
    'halt: a state is believed for a minute',
    inside('state:readState', 'world.clock.monotonic() + STATE_MS', 'world.clock.monotonic() + 60_000'),
  ),
  testedBug(
    'real: a state of a tenant counts that was read long ago',
    {
      file: 'test/unit/engine/run/halted.test.ts',
      title: 'a state whose answer came late is read again',
    },
    inside('state:readState', 'if (world.clock.monotonic() > until) continue', ''),
  ),
]
