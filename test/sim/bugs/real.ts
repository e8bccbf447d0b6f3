/** What the simulator has really found in this code. */

import {
  ACCEPTS,
  ADVANCE,
  ATTEMPT,
  type Bug,
  bug,
  LEDGER,
  LOG,
  MOVE,
  PROJECT,
  patch,
  rareBug,
  TICK,
} from './patch.ts'

/** Bugs that the simulator found in this code when they were not planted. */
export const ONCE_REAL: readonly Bug[] = [
  bug(
    'real: a result that arrives during a commit is started again',
    patch(ADVANCE, 'for (const one of this.#inflight.take()) this.#record(one)', ''),
  ),
  bug(
    'real: an answer counts while its step waits for the next attempt',
    patch(ACCEPTS, " || state.status === 'waiting'", ''),
  ),
  bug(
    'real: a moment that is past is waited for',
    patch(ADVANCE, 'times.filter((time) => time > clock)', 'times'),
    patch(ADVANCE, 'if (!pending) return this.#flush.clean()', 'if (!pending) return undefined'),
  ),
  bug(
    'real: what has ended is leased',
    patch(LEDGER, "const hold = over ? 'free' : wanted", 'const hold = wanted'),
  ),
  rareBug(
    'real: an answer counts though its conversation never became the log',
    patch(PROJECT, ' && kind.isCausedBy(state, fact, wanted)', ''),
  ),
  bug(
    'real: letters are not pushed back',
    patch(
      TICK,
      "if (head.wake_at === null && parsePartition(partition).kind !== 'session') return",
      "if ((head.wake_at === null && parsePartition(partition).kind !== 'session') || (head.wake_at ?? 0) > now) return",
    ),
  ),
  bug(
    'real: a guest judges the calls of the holder',
    patch(
      PROJECT,
      'of.observer ? decided.filter((fact) => !kind.isLeaseOwners(fact)) : decided',
      'decided',
    ),
    patch(PROJECT, 'of.observer ? base.epoch : of.epoch', 'of.epoch'),
  ),
  bug(
    'real: what comes for a suspect waits for the clock',
    patch(MOVE, "=== 'looked')\n    return", '!== undefined)\n    return'),
  ),
  bug(
    "real: an attempt's answer is lost to the clock's push",
    patch(ATTEMPT, '!== before) return true', '!== undefined) return true'),
  ),
  bug(
    'real: an interruption is not owed',
    patch(
      'src/core/session/session.ts',
      "interrupts: onBusy === 'interrupt' ? current?.run_id : interrupts",
      'interrupts',
    ),
  ),
  bug(
    'real: an interruption is cleared before it is told',
    patch(
      'src/engine/session/interrupt.ts',
      'if (interrupts !== undefined) await',
      'if (interrupts === null) await',
    ),
  ),
  rareBug(
    'real: a late look hides what was committed meanwhile',
    patch(LOG, 'if (run.version >= (cache.get(partition)?.version ?? 0)) cache', 'cache'),
  ),
  rareBug(
    'real: what a grandchild holds comes back with the child',
    patch('src/core/run/view.ts', '    ...heldAtEnd(state),\n', ''),
  ),
  rareBug(
    'real: a late look hides a new policy',
    patch(
      'src/engine/tenant/policy.ts',
      '  place.stored ??= await loadPolicy(world, tenant)\n',
      '  place.stored ??= await loadPolicy(world, tenant)\n  places.set(tenant, place)\n',
    ),
  ),
  bug(
    'real: the clock is read twice in a round, and a time in between is dropped',
    patch(
      ADVANCE,
      'const { now, clock } = this.#at\n',
      'this.#read()\n    const { now, clock } = this.#at\n',
    ),
  ),
]
