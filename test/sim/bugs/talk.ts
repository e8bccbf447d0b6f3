/** Planted bugs of sessions, approvals, messages, keys, budgets and versions. */

import { ACCEPTS, type Bug, bug, DECIDE, LOG, MACHINE, patch, rareBug } from './patch.ts'

const APPROVAL = 'src/core/run/approval.ts'
const APPROVING = 'src/engine/run/approvals.ts'
const BUDGET = 'src/core/run/budget.ts'
const SESSION = 'src/core/session/session.ts'
const TAKE = 'src/engine/session/take.ts'
const TURN = 'src/engine/session/advance.ts'
const HAND_IN = 'src/engine/run/effects/session.ts'
const IDEMPOTENCY = 'src/engine/tenant/idempotency.ts'
const STATE = 'src/core/run/state.ts'

/** As if everybody were the first to come with this key. */
const CLAIMS_LATER = `export async function reserve(
  world: World,
  tenant: string,
  lookup: Lookup,
  id: string,
): Promise<Outcome<Reservation, Refusal>> {
  const later = world.clock.sleep(200)
  later.then(() => reserveInEarnest(world, tenant, lookup, id)).catch(() => undefined)
  return ok({ id, reserved_at: world.clock.now() })
}
export async function reserveInEarnest(`

export const TALK: readonly Bug[] = [
  bug(
    'session order ignored',
    patch(TAKE, 'if (spec.turn && !spec.turn.granted)', 'if (false)'),
    patch(TAKE, 'if (!spec.turn || spec.turn.granted)', 'if (true)'),
  ),
  bug(
    'rule 25: the last to come has the next turn',
    patch(SESSION, "onBusy === 'interrupt' ? [mine", "onBusy !== 'reject' ? [mine"),
  ),
  bug(
    'rule 15: a session moves on before its run has ended',
    patch(
      SESSION,
      'return state.current\n    ?',
      'return state.current && onBusy !== "interrupt"\n    ?',
    ),
  ),
  bug(
    'rule 25: a ticket has no alarm',
    patch(TAKE, "      expect: 'absent',\n      alarm,\n", "      expect: 'absent',\n"),
  ),
  bug(
    'rule 25: the turn is not owed',
    patch(SESSION, 'turn_due: next !== undefined', 'turn_due: false'),
  ),
  bug(
    'rule 25: a run without a ticket is not told that others wait for its end',
    patch('src/core/outbox.ts', 'messages.length === 0 ? state', 'messages.length >= 0 ? state'),
  ),
  bug(
    'rule 26: a turn is given without what was said before',
    patch(TURN, 'history: historyOf(state) }', 'history: [] }'),
  ),
  bug(
    'a summary takes a step too many',
    patch('src/core/run/transcript.ts', 'from(state, kept_from)]', 'from(state, kept_from + 1)]'),
  ),
  bug(
    'what a summary covers is not what is left out',
    patch('src/engine/run/effects/compact.ts', 'before(state, kept_from)', 'before(state, 0)'),
  ),
  rareBug(
    'rule 26: what a run said is remembered twice',
    patch(SESSION, '[...state.segments, segment]', '[...state.segments, segment, segment]'),
  ),
  bug(
    'real: an end that was refused counts as handed in',
    patch(HAND_IN, "if (result !== 'ok' && ", "if (result === 'ambiguous' && "),
  ),
  bug(
    'real: a turn that was refused counts as told',
    patch(TURN, "if (result !== 'ok' && !(await hasHeard(world, run))) return\n", ''),
  ),
  rareBug(
    'real: a request repeated under its key takes a second ticket',
    patch(TAKE, 'if (before) return', 'if (before && attempt < 0) return'),
  ),
  bug(
    'real: what only a holder may do waits for the deadline',
    patch(MACHINE, 'const times = [soon, ', 'const times = ['),
  ),
  bug(
    'real: a run starts after its cancel',
    patch(ACCEPTS, 'state.started === null && state.cancel === null', 'state.started === null'),
  ),
  bug(
    'real: who waited for budget is not resumed',
    patch(
      DECIDE,
      "if (goesOn) return state.status === 'waiting' ? [{ type: 'run.resumed' }] : []",
      'if (goesOn) return []',
    ),
  ),
  bug(
    'approval without a condition',
    patch(ACCEPTS, ' && call.asked.decision === null', ''),
    patch(APPROVING, 'if (decision === null) {', 'if (decision === null || fact.call) {'),
  ),
  bug(
    'a denied call is performed',
    patch(APPROVAL, "call.asked?.decision?.decision === 'approve'", 'call.asked?.decision != null'),
  ),
  bug(
    'a call is performed before anybody was asked',
    patch(APPROVAL, 'call.ask === undefined || ', 'call.ask !== "" || '),
  ),
  bug(
    'what was approved is not what is performed',
    patch(APPROVAL, 'call.asked?.decision?.arguments ?? call.arguments', 'call.arguments'),
  ),
  bug(
    'a question expires before its time',
    patch(APPROVAL, 'now >= asked.expires_at)', 'now >= asked.expires_at - 4_000)'),
  ),
  bug(
    'rule 29: the end leaves the inbox open',
    patch(
      'src/engine/logs/approval-rows.ts',
      'if (facts.length > 0 && isTerminal(state)) {',
      'if (false) {',
    ),
  ),
  bug(
    'everybody sees the inbox of one tenant',
    patch('src/http/routes/approvals.ts', 'approvalsList(tenant, ', "approvalsList('red', "),
  ),
  bug(
    'what was said to a run becomes its system prompt',
    patch(
      'src/engine/run/effects/request.ts',
      'system: pin.system,',
      'system: pin.system + JSON.stringify([...state.calls.values()].map((call) => call.result)),',
    ),
  ),
  bug(
    'rule 22: the clock runs while a person is asked',
    patch(STATE, 'if (state.paused_since !== null) return undefined\n', ''),
    patch(STATE, 'state.started_at + state.paused_ms +', 'state.started_at +'),
  ),
  bug(
    'rule 5: a message during the last model call is never read',
    patch(DECIDE, 'unreadMessages(state) && !spent', 'false && !spent'),
  ),
  bug(
    'rule 3: a message that is sent again is another one',
    patch(
      'src/engine/run/messages.ts',
      "key ? named('msg', run, key) : random('msg', world.clock.random(17))",
      "random('msg', world.clock.random(17))",
    ),
  ),
  bug(
    'rule 27: the key is claimed after the run was created',
    patch(IDEMPOTENCY, 'export async function reserve(', CLAIMS_LATER),
  ),
  bug(
    'rule 27: a key is the same whatever the body',
    patch(IDEMPOTENCY, 'if (head.body === keyed.body) return', 'if (keyed.body) return'),
  ),
  bug(
    'rule 23: every subagent may spend it all',
    patch(BUDGET, 'Math.floor(amount / (open.length + 1))', 'amount'),
    patch(BUDGET, 'sum.tokens += held?.max_tokens ?? 0', ''),
    patch(BUDGET, 'sum.calls += held?.max_model_calls ?? 0', ''),
  ),
  bug(
    'a budget is not looked at',
    patch(BUDGET, 'return tokens <= 0 || calls <= 0', 'return false'),
  ),
  bug(
    'rule 36: a log of a newer version is advanced',
    patch(LOG, 'if (head.format > FORMAT) throw', 'if (head.format > 99) throw'),
  ),
]
