/** The absence of single rules of the protocol. */

import { inside } from '../planting/patch.ts'
import { type Bug, bug } from './bug.ts'

export const ABSENT_RULES: readonly Bug[] = [
  bug(
    'rule 2: a spawn that is repeated is reported as failed',
    inside(
      'performSpawn',
      '  const run = await readRun(world, partition)\n',
      `  if (head) return rejection(call, 'it exists')
  const run = await readRun(world, partition)
`,
    ),
  ),
  bug(
    'rule 5: time may go back',
    inside('project', 'Math.max(now, committed?.head.at ?? 0, from?.facts.at(-1)?.at ?? 0)', 'now'),
  ),
  bug(
    'rule 5: what follows stands after the answer',
    inside('project', "if (of.asked.includes(index)) follow('before the end')", ''),
  ),
  bug(
    'rule 6: an ambiguous commit counts as done',
    inside(
      'Transaction.#tryCommit',
      "if (result === 'ok') return this.#done",
      "if (result !== 'conflict') return this.#done",
    ),
  ),
  bug(
    'rule 6: an ambiguous creation counts as done',
    inside('create:commitFirst', "if (result === 'ok') {", "if (result !== 'conflict') {"),
  ),
  bug(
    'rule 6: a refused announce counts as sent',
    inside('performAnnounce', 'arrived: isThere', 'arrived: async () => true'),
  ),
  bug(
    'rule 6: a refused delivery counts as created',
    inside('createDelivery', "if (result !== 'ok' && ", "if (result === 'ambiguous' && "),
  ),
  bug(
    'rule 9: nobody looks again at what is owed',
    inside('run/machine:wakeAt', 'return now + RECHECK_MS', 'return now + 3_600_000'),
  ),
  bug(
    'rule 10: a debt is cleared before it is paid',
    inside('performWebhook', "created === 'ok' ? ", ''),
    inside('performWebhook', ' : retryLater(context)', ''),
  ),
  bug(
    'rule 10: endpoints are owed nothing',
    inside(
      'enqueueEvents',
      'outbox.events == null && isSubscribedByEndpoints(state, fact)',
      'false',
    ),
  ),
  bug(
    'rule 10: what endpoints are owed counts as told at once',
    inside('tellFrom', 'if (!wasSent) {', 'if (false) {'),
    inside('tellEndpoints', "results.every((result) => result === 'ok')", 'true'),
    inside('createDelivery', "if (result !== 'ok' && ", 'if (false && '),
  ),
  bug(
    'rule 11: epochs do not rise',
    inside('WorkerLease.epoch', '(head?.epoch ?? 0) + 1', '(head?.epoch ?? 0)'),
  ),
  bug(
    'rule 12: a lease counts as dead too early',
    inside(
      'WorkerLease.isOthers',
      'now < lease.until + LEASE_GRACE_MS',
      'now < lease.until - 40_000',
    ),
  ),
  bug(
    'rule 12: a lease counts as dead minutes later',
    inside(
      'WorkerLease.isOthers',
      'now < lease.until + LEASE_GRACE_MS',
      'now < lease.until + 200_000',
    ),
  ),
  bug(
    'rule 12: a lease counts as dead at its end',
    inside('LEASE_GRACE_MS', 'LEASE_GRACE_MS = 5_000', 'LEASE_GRACE_MS = 0'),
  ),
  bug(
    'rule 12: whoever takes a lease forgets that clocks differ',
    inside('WorkerLease.isOthers', 'now < lease.until + LEASE_GRACE_MS', 'now < lease.until'),
  ),
  bug(
    'rule 12: a lost lease aborts nothing',
    inside('Transaction.commit', "if (hold !== 'leave' && isTaken) return false", ''),
  ),
  bug(
    'rule 15: anyone ends a run whose effects are under way',
    inside(
      'Transaction.#tryCommit',
      "requestedHold === 'leave' && this.leasedByOther(now) ? Math.max(busy, 1) : busy",
      'busy',
    ),
  ),
  bug(
    'rule 16: only a cancel cascades',
    inside(
      'run/evolve:ended',
      "if (fact.type !== 'run.completed') draft.outbox",
      "if (fact.type === 'run.cancelled') draft.outbox",
    ),
  ),
  bug(
    'rule 16: children that nobody recorded are not cancelled',
    inside(
      'orphans',
      'call.child ? call.child.announce === null : call.result === null',
      'call.child?.announce === null',
    ),
  ),
  bug('rule 18: a letter has no alarm', inside('mailbox:post', 'expect, alarm }', 'expect }')),
  bug(
    'rule 18: a letter that comes early is dropped',
    inside('drain:drainMailbox', 'if (isEarly(run.state, fact)) continue\n', ''),
  ),
  bug(
    'rule 21: an end after the end is forgotten',
    inside('drain:drainMailbox', ' || isLate(run.state, fact)\n', '\n'),
  ),
  bug(
    'rule 19: all children at once',
    inside('pending-effects:spawns', 'Math.max(0, Math.min(room, due.length))', 'due.length'),
  ),
  bug(
    'rule 21: failures count towards a quorum',
    inside('meetsJoin', "end?.status === 'completed').length", 'end != null).length'),
  ),
  bug(
    'rule 27: a key stands for ever for what it stood for',
    inside(
      'isFree',
      'if (expires_at <= world.clock.now()) return true',
      'if (expires_at <= 0) return true',
    ),
  ),
  bug(
    'attempts without a bound',
    inside('askAgainAt', 'attempt >= LIMITS.model_attempts', 'attempt >= 100'),
  ),
  bug(
    'a second result of one call counts',
    inside(
      'accepts:accepts',
      "case 'tool.result': { const call = state.calls.get(fact.call) return call !== undefined && call.result === null && call.child === null",
      "case 'tool.result': {\n const call = state.calls.get(fact.call)\n return call !== undefined && call.child === null",
    ),
  ),
  bug(
    'an answer to another step counts',
    inside(
      'accepts:accepts',
      "if (fact.step !== state.steps.length || state.status === 'waiting')",
      "if (state.status === 'waiting')",
    ),
    inside('project', '&& kind.isCausedBy(state, fact, fingerprint)', ''),
  ),
  bug(
    'a secret is stored as it is',
    inside('webhookOf', 'await world.secrets.seal(secret, runId)', 'secret'),
  ),
  bug(
    'who comes back after the end is not told that there is no more',
    inside('answerEvents', 'over && after === seq', 'over && after > seq'),
  ),
  bug(
    'rule 7: a stream goes on behind a gap',
    inside('Reader.#forward', 'from = factKey(member.seq)', 'from = factKey(member.seq + 1)'),
    inside(
      'factsAfter',
      'if (at_seq > next || at_seq > end) return out',
      'if (at_seq > end) return out',
    ),
  ),
  bug(
    'rule 45a: a model is asked on mail that only this worker knows',
    inside('Executor.#mustCommit', 'this.#transaction.isShared && ', 'false && '),
  ),
]
