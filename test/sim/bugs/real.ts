/** What the simulator has really found in this code. */

import { inside } from '../planting/patch.ts'
import { type Bug, bug, rareBug, testedBug } from './bug.ts'

/** Bugs that the simulator found in this code when they were not planted. */
export const ONCE_REAL: readonly Bug[] = [
  bug(
    'real: a result that arrives during a commit is started again',
    inside(
      'Executor.untilRest',
      'for (const settledEffect of this.#inflight.take()) this.#record(settledEffect)',
      '',
    ),
  ),
  testedBug(
    'real: an answer counts while its step waits for the next attempt',
    {
      file: 'test/unit/core/run/accepts.test.ts',
      title: 'an answer is rejected while its step waits for the next attempt',
    },
    inside('accepts:accepts', " || state.status === 'waiting'", ''),
  ),
  bug(
    'real: a run ends while it waits',
    inside(
      'atRest',
      "if (state.status === 'waiting') return [{ type: 'run.resumed' }]\n      return hasAnswered",
      "if (!hasAnswered && state.status === 'waiting') return [{ type: 'run.resumed' }]\n" +
        '      return hasAnswered',
    ),
  ),
  bug(
    'real: a moment that is past is waited for',
    inside('Executor.#wait', 'times.filter((time) => time > clock)', 'times'),
    inside(
      'Executor.#mustCommit',
      'if (!pending) return this.#flush.clean()',
      'if (!pending) return undefined',
    ),
  ),
  bug(
    'real: what has ended is leased',
    inside(
      'Transaction.#tryCommit',
      "const hold = over ? 'free' : requestedHold",
      'const hold = requestedHold',
    ),
  ),
  bug(
    'real: an answer counts though its conversation never became the log',
    inside('project', '&& kind.isCausedBy(state, fact, fingerprint)', ''),
  ),
  bug(
    'real: letters are not pushed back',
    inside(
      'tick:push',
      'if (head.wake_at === null && !MAILED.has(parsePartition(partition).kind)) return',
      'if ((head.wake_at === null && !MAILED.has(parsePartition(partition).kind)) || (head.wake_at ?? 0) > now) return',
    ),
  ),
  bug(
    'real: a guest judges the calls of the holder',
    inside(
      'project',
      'of.observer ? decided.filter((fact) => !kind.isLeaseOwners(fact)) : decided',
      'decided',
    ),
    inside('project', 'of.observer ? base.epoch : of.epoch', 'of.epoch'),
  ),
  bug(
    'real: what comes for a suspect waits for the clock',
    inside('advanceGuarded', "=== 'looked')\n    return", '!== undefined)\n    return'),
  ),
  bug(
    "real: an attempt's answer is lost to the clock's push",
    inside('attempt:write', '!== previous) return true', '!== undefined) return true'),
  ),
  bug(
    'real: an interruption is not owed',
    inside(
      'queued',
      "interrupts: onBusy === 'interrupt' ? current?.run_id : interrupts",
      'interrupts',
    ),
  ),
  bug(
    'real: an interruption is cleared before it is told',
    inside(
      'settleInterrupt',
      'if (interrupts !== undefined) await',
      'if (interrupts === null) await',
    ),
  ),
  bug(
    'real: a late look hides what was committed meanwhile',
    inside(
      'log:remember',
      'if (run.version >= (cache.get(partition)?.version ?? 0)) cache',
      'cache',
    ),
  ),
  testedBug(
    'real: a summary has no price but that of the policy',
    {
      file: 'test/unit/engine/run/compaction.test.ts',
      title: 'is charged at the deployment’s model price when the policy has none',
    },
    inside(
      'performCompaction',
      'listPrice(priced(policy, model).price, usage)',
      'listPrice(policy.prices[model.id], usage)',
    ),
  ),
  bug(
    'real: what a grandchild holds comes back with the child',
    inside('announceOf', '    ...heldAtEnd(state),\n', ''),
  ),
  rareBug(
    'real: a late look hides a new policy',
    inside(
      'readPolicy',
      '  place.stored ??= await loadPolicy(world, tenant)\n',
      '  place.stored ??= await loadPolicy(world, tenant)\n  places.set(tenant, place)\n',
    ),
  ),
  rareBug(
    'real: the clock is read twice in a round, and a time in between is dropped',
    inside(
      'Executor.#wait',
      'const { now, clock } = this.#at\n',
      'this.#read()\n    const { now, clock } = this.#at\n',
    ),
  ),
]
