/** What the simulator has really found in this code. */

import { ACCEPTS, ADVANCE, type Bug, bug, LEDGER, PROJECT, patch, TICK } from './patch.ts'

/** Bugs that the simulator found in this code when they were not planted. */
export const ONCE_REAL: readonly Bug[] = [
  bug(
    'real: a result that arrives during a commit is started again',
    patch(ADVANCE, 'for (const arrival of this.#inflight.take()) this.#arrived(arrival)', ''),
  ),
  bug(
    'real: an answer counts while its step waits for the next attempt',
    patch(ACCEPTS, " || state.status === 'waiting'", ''),
  ),
  bug(
    'real: a moment that is past is waited for',
    patch(ADVANCE, 'times.filter((time) => time > clock)', 'times'),
    patch(ADVANCE, 'if (!pending) this.#dirtySince = undefined', ''),
  ),
  bug(
    'real: what has ended is leased',
    patch(LEDGER, "const hold = over ? 'free' : wanted", 'const hold = wanted'),
  ),
  bug(
    'real: an answer counts though its conversation never became the log',
    patch(PROJECT, ' && kind.restsOn(state, fact, wanted)', ''),
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
      'of.guest ? decided.filter((fact) => !kind.isHolders(fact)) : decided',
      'decided',
    ),
    patch(PROJECT, 'of.guest ? base.epoch : of.epoch', 'of.epoch'),
  ),
]
