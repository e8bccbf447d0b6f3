/**
 * The bugs that the simulator must find: first the list of failure-model.md, then the absence of
 * single rules of protocol.md, then what it has really found in this code. A bug that a second
 * mechanism hides is planted together with the absence of that mechanism.
 */

export interface Patch {
  readonly file: string
  readonly find: string
  readonly put: string
}
export interface Bug {
  readonly name: string
  readonly patches: readonly Patch[]
}

const patch = (file: string, find: string, put: string): Patch => ({ file, find, put })
const bug = (name: string, ...patches: Patch[]): Bug => ({ name, patches })

const ACCEPTS = 'src/core/run/accepts.ts'
const DECIDE = 'src/core/run/decide.ts'
const OWED = 'src/core/run/owed.ts'
const MACHINE = 'src/core/run/machine.ts'
const EVOLVE = 'src/core/run/evolve.ts'
const FANOUT = 'src/core/fanout/machine.ts'
const LEDGER = 'src/engine/ledger.ts'
const PROJECT = 'src/engine/project.ts'
const ADVANCE = 'src/engine/advance.ts'
const LOG = 'src/engine/log.ts'
const ROWS = 'src/engine/rows.ts'
const TICK = 'src/engine/tick.ts'
const DELIVER = 'src/engine/deliver.ts'
const ATTEMPT = 'src/engine/attempt.ts'
const ANNOUNCE = 'src/engine/perform/announce.ts'
const CANCEL = 'src/engine/perform/cancel.ts'
const MODEL = 'src/engine/perform/model.ts'
const SPAWN = 'src/engine/perform/spawn.ts'
const TOOL = 'src/engine/perform/tool.ts'
const STORE = 'test/sim/store.ts'

const FROM_THE_PAGE: readonly Bug[] = [
  bug(
    'no versions in commits',
    patch(
      STORE,
      "if (head && (rows.get(HEAD)?.version ?? null) !== head.expect) return 'conflict'",
      '',
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
      'const key = letterKey(state.spec!.id)',
      'const key = letterKey(state.spec!.id) + Math.random()',
    ),
    patch(ACCEPTS, 'child.announce === null && ', ''),
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
      'if (isTerminal(state) || state.cancel) return debts',
      'if (isTerminal(state)) return debts',
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
    patch(MACHINE, 'state.retry_at, ', ''),
    patch(
      ADVANCE,
      'const drive = new Drive',
      "if ((ledger.committed.state as unknown as { waiting_on: string }).waiting_on === 'retry') throw new Error('conflicts in a row')\n  const drive = new Drive",
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
      '      return false\n    }\n    return this.#settled(head.epoch, hold)',
      '      this.#observed = facts.map(({ fact }) => ({ fact }))\n      return false\n    }\n    return this.#settled(head.epoch, hold)',
    ),
  ),
  bug('a zombie frees the lease', patch(LEDGER, 'leave: before?.lease ?? null', 'leave: null')),
  bug(
    'no heartbeat',
    patch(
      ADVANCE,
      'if (!idle && clock >= this.#leaseAt)',
      'if (!idle && this.#leasedSince === undefined && clock >= this.#leaseAt)',
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
      'if (await command(world, partition, [requested])) return { paid }',
      'await command(world, partition, [requested])\n  if (paid) return { paid }',
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
]

const ABSENT_RULES: readonly Bug[] = [
  bug(
    'rule 2: a spawn that is repeated is reported as failed',
    patch(
      SPAWN,
      '  const run = await readRun(world, partition)\n',
      "  if (there) return refused(call, 'it exists')\n  const run = await readRun(world, partition)\n",
    ),
  ),
  bug('rule 5: time may go back', patch(PROJECT, 'Math.max(now, committed?.head.at ?? 0)', 'now')),
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
    patch('src/engine/create.ts', "if (result === 'ok') {", "if (result !== 'conflict') {"),
  ),
  bug(
    'rule 6: a refused announce counts as sent',
    patch(ANNOUNCE, "if (result !== 'ok' && ", "if (result === 'ambiguous' && "),
  ),
  bug(
    'rule 6: a refused delivery counts as created',
    patch(DELIVER, "if (result !== 'ok' && ", "if (result === 'ambiguous' && "),
  ),
  bug(
    'rule 9: nobody looks again at what is owed',
    patch(MACHINE, 'return now + LOOK_AGAIN_MS', 'return now + 3_600_000'),
  ),
  bug(
    'rule 10: a debt is cleared before it is paid',
    patch('src/engine/perform/webhook.ts', "created === 'ok' ? ", ''),
    patch('src/engine/perform/webhook.ts', ' : unpaid(context)', ''),
  ),
  bug(
    'rule 10: endpoints are owed nothing',
    patch(EVOLVE, 'draft.debts.events == null && isTold(draft, fact)', 'false'),
  ),
  bug(
    'rule 10: what endpoints are owed counts as told at once',
    patch('src/engine/perform/events.ts', 'if (!told) {', 'if (false) {'),
    patch('src/engine/endpoint/tell.ts', "made.every((result) => result === 'ok')", 'true'),
    patch(DELIVER, "if (result !== 'ok' && ", 'if (false && '),
  ),
  bug(
    'rule 11: epochs do not rise',
    patch(LEDGER, '(this.#committed?.head.epoch ?? 0) + 1', '(this.#committed?.head.epoch ?? 0)'),
  ),
  bug(
    'rule 12: a lease counts as dead too early',
    patch(LEDGER, 'now < lease.until + LEASE_GRACE_MS', 'now < lease.until - 40_000'),
  ),
  bug(
    'rule 12: a lost lease aborts nothing',
    patch(
      LEDGER,
      "if (hold !== 'leave' && (this.lost || this.leasedByOther(now))) return false",
      '',
    ),
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
      "if (fact.type !== 'run.completed') draft.debts",
      "if (fact.type === 'run.cancelled') draft.debts",
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
  bug(
    'rule 18: a letter has no alarm',
    patch(ANNOUNCE, "expect: 'absent', alarm }", "expect: 'absent' }"),
  ),
  bug(
    'rule 18: a letter that comes early is dropped',
    patch(LEDGER, 'else if (this.#kind.isEarly(run.state, fact)) continue\n', ''),
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
    patch(PROJECT, ' && kind.restsOn(state, fact, wanted)', ''),
  ),
  bug(
    'a secret is stored as it is',
    patch('src/engine/accept.ts', 'await world.secrets.seal(secret, runId)', 'secret'),
  ),
  bug(
    'rule 7: a stream goes on behind a gap',
    patch('src/http/stream.ts', 'from = factKey(seq)', 'from = factKey(seq + 1)'),
    patch(LOG, 'if (at_seq > next || at_seq > end) return out', 'if (at_seq > end) return out'),
  ),
]

/** The same rules where a fan-out keeps them. */
const FANOUTS: readonly Bug[] = [
  bug(
    'fan-out, rule 16: children that nobody recorded are not cancelled',
    patch(
      'src/core/fanout/evolve.ts',
      'return task.run_id !== null || call === CLOSING || Number(call) < reach',
      'return task.run_id !== null',
    ),
  ),
  bug(
    'fan-out, rule 18: a letter that comes early is dropped',
    patch(
      FANOUT,
      'return taskOf(state, fact.call)?.run_id === null\n}\n\nfunction wakeAt',
      'return false\n}\n\nfunction wakeAt',
    ),
  ),
  bug(
    'fan-out, rule 19: all children at once',
    patch(FANOUT, 'if (found.length >= places) break', 'if (found.length >= places + 1_000) break'),
  ),
  bug(
    'fan-out: a child counts twice',
    patch(FANOUT, 'task?.announce === null && task.run_id ===', 'task?.run_id ==='),
    patch(ANNOUNCE, "expect: 'absent', alarm }", "expect: 'any', alarm }"),
    patch(
      ANNOUNCE,
      'const key = letterKey(state.spec!.id)',
      'const key = letterKey(state.spec!.id) + Math.random()',
    ),
  ),
  bug(
    'fan-out: nobody looks again at one that waits',
    patch(
      FANOUT,
      'return fanoutDeadline(state) ?? now + LOOK_AGAIN_MS',
      'return fanoutDeadline(state)',
    ),
  ),
  bug(
    'fan-out: a cancel is not checked',
    patch(
      FANOUT,
      'if (state.ended_at !== null || state.cancel) return debts',
      'if (state.ended_at !== null) return debts',
    ),
    patch(FANOUT, 'if (cancel) {', 'if (cancel && now < 0) {'),
  ),
]

/** Bugs that the simulator found in this code when they were not planted. */
const ONCE_REAL: readonly Bug[] = [
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
      'if (head.wake_at === null) return',
      'if (head.wake_at === null || head.wake_at > now) return',
    ),
  ),
  bug(
    'real: a guest judges the calls of the holder',
    patch(
      PROJECT,
      'of.guest ? followed.filter((fact) => !kind.isHolders(fact)) : followed',
      'followed',
    ),
    patch(PROJECT, 'of.guest ? base.epoch : of.epoch', 'of.epoch'),
  ),
]

export const BUGS: readonly Bug[] = [...FROM_THE_PAGE, ...ABSENT_RULES, ...FANOUTS, ...ONCE_REAL]
