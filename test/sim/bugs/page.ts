/** The planted bugs that any engine of this kind could have: the classic mistakes. */

import { inside } from '../planting/patch.ts'
import { type Bug, bug } from './bug.ts'

export const FROM_THE_PAGE: readonly Bug[] = [
  bug(
    'no versions in commits',
    inside(
      'StoreServer.commit',
      "if (head && (rows.get(HEAD)?.version ?? null) !== head.expect) return 'conflict'",
      '',
    ),
    inside('StoreServer.commit', "write.expect === 'absent' && rows.has(write.key)", 'false'),
  ),
  // NULL = NULL is not true in SQL: a guard that compares so lets whatever begins a log pass.
  bug(
    'the guard on a missing head compares with =',
    inside(
      'StoreServer.commit',
      '(rows.get(HEAD)?.version ?? null) !== head.expect',
      'head.expect !== null && rows.get(HEAD)?.version !== head.expect',
    ),
    inside('StoreServer.commit', "write.expect === 'absent' && rows.has(write.key)", 'false'),
  ),
  bug(
    'random child ids',
    inside(
      'childId',
      "derivedId('run', id, step, index)",
      "derivedId('run', id, step, index, Math.random())",
    ),
  ),
  bug(
    'no wakeAt while parked',
    inside(
      'run/machine:wakeAt',
      'if (isTerminal(state)) return',
      "if (isTerminal(state) || state.status === 'waiting') return",
    ),
  ),
  bug('no tick', inside('tick', 'await send(world, due.map(doubted))', '')),
  bug(
    'announce with a random id',
    inside(
      'performAnnounce',
      'const key = mailKey(state.spec!.id)',
      'const key = mailKey(state.spec!.id) + Math.random()',
    ),
    inside('accepts:accepts', 'child.announce === null && child.run_id', 'child.run_id'),
  ),
  bug(
    'webhook id per attempt',
    inside(
      'attempt:attempt',
      'messageId(delivery.id)',
      'messageId(delivery.id) + delivery.attempts',
    ),
  ),
  bug(
    'cancel not checked',
    inside(
      'decide:decide',
      'if (state.cancel) return state.busy > 0 ? [] : [cancelled(state)]',
      '',
    ),
    inside(
      'pending-effects:pendingEffects',
      'if (isTerminal(state) || state.cancel) return outbox',
      'if (isTerminal(state)) return outbox',
    ),
  ),
  bug(
    'once tool without its intent',
    inside(
      'followCall',
      'if (call.intent === null) return [intent(state, call)]',
      "if (call.intent === null && call.mode !== 'once') return [intent(state, call)]",
    ),
    inside('followCall', "call.mode === 'once' && call.intent !== state.epoch", 'false'),
    inside('workEffects', 'call.intent !== null && ', ''),
  ),
  bug(
    'waiting by queue retry',
    inside('run/machine:wakeAt', 'deadline(state), retry, ', 'deadline(state), '),
    inside(
      'advance',
      'const executor = new Executor',
      `if ((transaction.committed.state as unknown as { waiting: { on: string } | null }).waiting?.on === 'model') throw new Error('consecutive conflicts')
  const executor = new Executor`,
    ),
  ),
  bug(
    'tool key containing the attempt',
    inside('tool:remote', 'key: call.id,', 'key: [call.id, context.state.epoch].join(),'),
  ),
  bug(
    'results merged by arrival order',
    inside(
      'pushReports',
      'for (const call of state.calls.values()) {\n    const entry = kinds.get(call.id)',
      'for (const entry of kinds.values()) {\n    const call = state.calls.get(entry.call)!',
    ),
  ),
  bug(
    'reused provider call ids',
    inside(
      'model:assistantFact',
      "derivedId('call', spec.id, effect.step, toolCalls.length)",
      'part.provider_id',
    ),
  ),
  bug(
    'decided facts rebased',
    inside(
      'Transaction.#tryCommit',
      '(await wrote())) return false\n',
      '(await wrote())) {\n      this.#pending.clear()\n      this.#pending.observe(facts.map(({ fact }) => fact), undefined)\n      return false\n    }\n',
    ),
  ),
  bug(
    'a zombie frees the lease',
    inside('headAfter', 'leave: previous?.lease ?? null', 'leave: null'),
  ),
  bug(
    'no heartbeat',
    inside(
      'Executor.#mustCommit',
      'if (!idle && clock >= this.#lease.renewAt)',
      'if (!idle && this.#transaction.committed?.head.lease == null && clock >= this.#lease.renewAt)',
    ),
  ),
  bug(
    "another worker's intent performed",
    inside('followCall', "call.mode === 'once' && call.intent !== state.epoch", 'false'),
  ),
  bug(
    'no tombstone for a child not yet created',
    inside(
      'performCancel',
      'if (await command(world, partition, [requested])) return { acknowledged }',
      'await command(world, partition, [requested])\n  if (acknowledged) return { acknowledged }',
    ),
  ),
  bug(
    'a handler keeps the old wakeAt',
    inside('rows:wakeAt', 'return Math.min(previousWakeAt, dueAt)', 'return previousWakeAt'),
  ),
  bug(
    'a torn read accepted',
    inside(
      'assemble',
      "if (!dense || base.seq + facts.length !== head.seq) return 'torn'",
      "if (!dense) return 'torn'",
    ),
  ),
  bug('a tick without push-back', inside('tick', 'await push(world, due, now)', '')),
  bug(
    'page: a stream tells that something happened and not what',
    inside(
      'Reader.#tell',
      'const event = eventView(member.run, entry)',
      'const event = { ...eventView(member.run, entry), data: {} }',
    ),
  ),
  bug(
    'page: a page of events leaves out what a stream tells',
    inside(
      'eventPage',
      'pageFacts.map((fact) => eventView(id, fact))',
      'pageFacts.map((fact) => ({ ...eventView(id, fact), data: {} }))',
    ),
  ),
]
