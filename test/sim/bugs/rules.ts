/** The absence of single rules of the protocol. */

import {
  ACCEPTS,
  ADVANCE,
  ANNOUNCE,
  type Bug,
  bug,
  DELIVER,
  EVOLVE,
  LEASE,
  LEDGER,
  LOG,
  MACHINE,
  MAILBOX,
  MODEL,
  OWED,
  PROJECT,
  patch,
  ROWS,
  rareBug,
  SPAWN,
  TOLD,
} from './patch.ts'

export const ABSENT_RULES: readonly Bug[] = [
  bug(
    'rule 2: a spawn that is repeated is reported as failed',
    patch(
      SPAWN,
      '  const run = await readRun(world, partition)\n',
      "  if (there) return refused(call, 'it exists')\n  const run = await readRun(world, partition)\n",
    ),
  ),
  bug(
    'rule 5: time may go back',
    patch(PROJECT, 'Math.max(now, committed?.head.at ?? 0, from?.facts.at(-1)?.at ?? 0)', 'now'),
  ),
  bug(
    'rule 5: what follows stands after the answer',
    patch(PROJECT, "if (of.asked.includes(index)) follow('before the end')", ''),
  ),
  bug(
    'rule 6: an ambiguous commit counts as done',
    patch(
      LEDGER,
      "if (result === 'ok') return this.#done",
      "if (result !== 'conflict') return this.#done",
    ),
  ),
  bug(
    'rule 6: an ambiguous creation counts as done',
    patch(
      'src/engine/partition/create.ts',
      "if (result === 'ok') {",
      "if (result !== 'conflict') {",
    ),
  ),
  bug(
    'rule 6: a refused announce counts as sent',
    patch(ANNOUNCE, 'arrived: isThere', 'arrived: async () => true'),
  ),
  bug(
    'rule 6: a refused delivery counts as created',
    patch(DELIVER, "if (result !== 'ok' && ", "if (result === 'ambiguous' && "),
  ),
  bug(
    'rule 9: nobody looks again at what is owed',
    patch(MACHINE, 'return now + RECHECK_MS', 'return now + 3_600_000'),
  ),
  bug(
    'rule 10: a debt is cleared before it is paid',
    patch('src/engine/run/effects/webhook.ts', "created === 'ok' ? ", ''),
    patch('src/engine/run/effects/webhook.ts', ' : retryLater(context)', ''),
  ),
  bug(
    'rule 10: endpoints are owed nothing',
    patch(TOLD, 'outbox.events == null && isSubscribedByEndpoints(state, fact)', 'false'),
  ),
  bug(
    'rule 10: what endpoints are owed counts as told at once',
    patch('src/engine/run/effects/events.ts', 'if (!told) {', 'if (false) {'),
    patch(
      'src/engine/webhook/endpoint/subscriptions.ts',
      "made.every((result) => result === 'ok')",
      'true',
    ),
    patch(DELIVER, "if (result !== 'ok' && ", 'if (false && '),
  ),
  bug('rule 11: epochs do not rise', patch(LEASE, '(head?.epoch ?? 0) + 1', '(head?.epoch ?? 0)')),
  bug(
    'rule 12: a lease counts as dead too early',
    patch(LEASE, 'now < lease.until + LEASE_GRACE_MS', 'now < lease.until - 40_000'),
  ),
  rareBug(
    'rule 12: a lease counts as dead minutes later',
    patch(LEASE, 'now < lease.until + LEASE_GRACE_MS', 'now < lease.until + 200_000'),
  ),
  bug(
    'rule 12: a lease counts as dead at its end',
    patch(ROWS, 'LEASE_GRACE_MS = 5_000', 'LEASE_GRACE_MS = 0'),
  ),
  bug(
    'rule 12: whoever takes a lease forgets that clocks differ',
    patch(LEASE, 'now < lease.until + LEASE_GRACE_MS', 'now < lease.until'),
  ),
  bug(
    'rule 12: a lost lease aborts nothing',
    patch(LEDGER, "if (hold !== 'leave' && isTaken) return false", ''),
  ),
  bug(
    'rule 15: anyone ends a run whose effects are under way',
    patch(
      LEDGER,
      "wanted === 'leave' && this.leasedByOther(now) ? Math.max(busy, 1) : busy",
      'busy',
    ),
  ),
  bug(
    'rule 16: only a cancel cascades',
    patch(
      EVOLVE,
      "if (fact.type !== 'run.completed') draft.outbox",
      "if (fact.type === 'run.cancelled') draft.outbox",
    ),
  ),
  bug(
    'rule 16: children that nobody recorded are not cancelled',
    patch(
      EVOLVE,
      'call.child ? call.child.announce === null : call.result === null',
      'call.child?.announce === null',
    ),
  ),
  bug('rule 18: a letter has no alarm', patch(MAILBOX, 'expect, alarm }', 'expect }')),
  bug(
    'rule 18: a letter that comes early is dropped',
    patch(LEDGER, 'if (isEarly(run.state, fact)) continue\n', ''),
  ),
  bug(
    'rule 21: an end after the end is forgotten',
    patch(LEDGER, ' || isLate(run.state, fact)\n', '\n'),
  ),
  bug(
    'rule 19: all children at once',
    patch(OWED, '.slice(0, Math.max(0, room))', '.slice(0, room + 1_000)'),
  ),
  bug(
    'rule 21: failures count towards a quorum',
    patch('src/core/run/barrier.ts', "end?.status === 'completed').length", 'end != null).length'),
  ),
  bug(
    'rule 27: a key stands for ever for what it stood for',
    patch(
      'src/engine/tenant/idempotency.ts',
      'if (expires_at <= world.clock.now()) return true',
      'if (expires_at <= 0) return true',
    ),
  ),
  bug(
    'attempts without a bound',
    patch(MODEL, 'if (attempt >= LIMITS.model_attempts) {', 'if (attempt >= 100) {'),
  ),
  bug(
    'a second result of one call counts',
    patch(
      ACCEPTS,
      'return call !== undefined && call.result === null',
      'return call !== undefined',
    ),
  ),
  bug(
    'an answer to another step counts',
    patch(ACCEPTS, 'if (fact.step !== state.steps.length || ', 'if ('),
    patch(PROJECT, ' && kind.isCausedBy(state, fact, wanted)', ''),
  ),
  bug(
    'a secret is stored as it is',
    patch('src/engine/run/accept.ts', 'await world.secrets.seal(secret, runId)', 'secret'),
  ),
  bug(
    'who comes back after the end is not told that there is no more',
    patch('src/http/stream/follow.ts', 'over && after === seq', 'over && after > seq'),
  ),
  bug(
    'rule 7: a stream goes on behind a gap',
    patch(
      'src/http/stream/stream.ts',
      'from = factKey(member.seq)',
      'from = factKey(member.seq + 1)',
    ),
    patch(LOG, 'if (at_seq > next || at_seq > end) return out', 'if (at_seq > end) return out'),
  ),
  bug(
    'rule 45a: a model is asked on mail that only this worker knows',
    patch(ADVANCE, 'this.#transaction.isShared && ', 'false && '),
  ),
]
