/** The planted bugs that any engine of this kind could have: the classic mistakes. */

import {
  ACCEPTS,
  ADVANCE,
  ANNOUNCE,
  ATTEMPT,
  type Bug,
  bug,
  CANCEL,
  DECIDE,
  HEAD,
  LEDGER,
  LOG,
  MACHINE,
  MODEL,
  OWED,
  patch,
  ROWS,
  STORE,
  TICK,
  TOOL,
} from './patch.ts'

export const FROM_THE_PAGE: readonly Bug[] = [
  bug(
    'no versions in commits',
    patch(
      STORE,
      "if (head && (rows.get(HEAD)?.version ?? null) !== head.expect) return 'conflict'",
      '',
    ),
    patch(STORE, "write.expect === 'absent' && rows.has(write.key)", 'false'),
  ),
  // NULL = NULL is not true in SQL: a guard that compares so lets whatever begins a log pass.
  bug(
    'the guard on a missing head compares with =',
    patch(
      STORE,
      '(rows.get(HEAD)?.version ?? null) !== head.expect',
      'head.expect !== null && rows.get(HEAD)?.version !== head.expect',
    ),
    patch(STORE, "write.expect === 'absent' && rows.has(write.key)", 'false'),
  ),
  bug(
    'random child ids',
    patch(
      'src/core/run/child.ts',
      'call.step, call.index)',
      'call.step, call.index, Math.random())',
    ),
  ),
  bug(
    'no wakeAt while parked',
    patch(
      MACHINE,
      'if (isTerminal(state)) return',
      "if (isTerminal(state) || state.status === 'waiting') return",
    ),
  ),
  bug('no tick', patch(TICK, '    await send(world, found.map(doubted))\n', '')),
  bug(
    'announce with a random id',
    patch(
      ANNOUNCE,
      'const key = mailKey(state.spec!.id)',
      'const key = mailKey(state.spec!.id) + Math.random()',
    ),
    patch(ACCEPTS, 'child.announce === null && child.run_id', 'child.run_id'),
  ),
  bug(
    'webhook id per attempt',
    patch(ATTEMPT, 'messageId(delivery.id)', 'messageId(delivery.id) + delivery.attempts'),
  ),
  bug(
    'cancel not checked',
    patch(DECIDE, 'if (state.cancel) return state.busy > 0 ? [] : [cancelled(state)]', ''),
    patch(
      OWED,
      'if (isTerminal(state) || state.cancel) return outbox',
      'if (isTerminal(state)) return outbox',
    ),
  ),
  bug(
    'once tool without its intent',
    patch(
      DECIDE,
      'if (call.intent === null) {',
      "if (call.intent === null && call.mode !== 'once') {",
    ),
    patch(DECIDE, "call.mode === 'once' && call.intent !== state.epoch", 'false'),
    patch(OWED, 'call.intent !== null && ', ''),
  ),
  bug(
    'waiting by queue retry',
    patch(MACHINE, 'deadline(state), retry, ', 'deadline(state), '),
    patch(
      ADVANCE,
      'const drive = new Executor',
      "if ((transaction.committed.state as unknown as { waiting: { on: string } | null }).waiting?.on === 'retry') throw new Error('conflicts in a row')\n  const drive = new Executor",
    ),
  ),
  bug(
    'tool key containing the attempt',
    patch(
      TOOL,
      '    key,\n    signal,',
      '    key: [key, context.state.epoch].join(),\n    signal,',
    ),
  ),
  bug(
    'results merged by arrival order',
    patch(
      'src/core/run/transcript.ts',
      'for (const call of state.calls.values()) {\n    const entry = kinds.get(call.id)',
      'for (const entry of kinds.values()) {\n    const call = state.calls.get(entry.call)!',
    ),
  ),
  bug(
    'reused provider call ids',
    patch(MODEL, "named('call', spec.id, effect.step, asked.length)", 'part.provider_id'),
  ),
  bug(
    'decided facts rebased',
    patch(
      LEDGER,
      '(await wrote())) return false\n',
      '(await wrote())) {\n      this.#pending.clear()\n      this.#pending.observe(facts.map(({ fact }) => fact), undefined)\n      return false\n    }\n',
    ),
  ),
  bug('a zombie frees the lease', patch(HEAD, 'leave: before?.lease ?? null', 'leave: null')),
  bug(
    'no heartbeat',
    patch(
      ADVANCE,
      'if (!idle && clock >= this.#lease.renewAt)',
      'if (!idle && this.#transaction.committed?.head.lease == null && clock >= this.#lease.renewAt)',
    ),
  ),
  bug(
    "another worker's intent performed",
    patch(DECIDE, "call.mode === 'once' && call.intent !== state.epoch", 'false'),
  ),
  bug(
    'no tombstone for a child not yet created',
    patch(
      CANCEL,
      'if (await command(world, partition, [requested])) return { acknowledged }',
      'await command(world, partition, [requested])\n  if (acknowledged) return { acknowledged }',
    ),
  ),
  bug(
    'a handler keeps the old wakeAt',
    patch(ROWS, 'return Math.min(before, wanted)', 'return before'),
  ),
  bug(
    'a torn read accepted',
    patch(
      LOG,
      "if (!dense || base.seq + facts.length !== head.seq) return 'torn'",
      "if (!dense) return 'torn'",
    ),
  ),
  bug('a tick without push-back', patch(TICK, '    await push(world, found, now)\n', '')),
  bug(
    'page: a stream tells that something happened and not what',
    patch(
      'src/http/stream/stream.ts',
      'const event = shown(member.run, stamped)',
      'const event = { ...shown(member.run, stamped), data: {} }',
    ),
  ),
  bug(
    'page: a page of events leaves out what a stream tells',
    patch(
      'src/http/stream/follow.ts',
      'found.map((fact) => shown(id, fact))',
      'found.map((fact) => ({ ...shown(id, fact), data: {} }))',
    ),
  ),
]
