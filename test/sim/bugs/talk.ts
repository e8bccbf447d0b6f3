/** Planted bugs of sessions, approvals, messages, keys and versions. */

import { inside } from '../planting/patch.ts'
import { type Bug, bug, rareBug, testedBug } from './bug.ts'

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
    inside('createPrepared', 'if (spec.turn && !spec.turn.granted)', 'if (false)'),
    inside('createPrepared', 'const wakes = !spec.turn || spec.turn.granted', 'const wakes = true'),
  ),
  bug(
    'rule 25: the last to come has the next turn',
    inside('queued', "onBusy === 'interrupt' ? [mine", "onBusy !== 'reject' ? [mine"),
  ),
  bug(
    'rule 15: a session moves on before its run has ended',
    inside(
      'takeTicket',
      'return state.current\n    ?',
      'return state.current && onBusy !== "interrupt"\n    ?',
    ),
  ),
  bug(
    'rule 25: a ticket has no alarm',
    inside('runInSession', "      expect: 'absent',\n      alarm,\n", "      expect: 'absent',\n"),
  ),
  bug(
    'rule 25: the turn is not owed',
    inside('endTurn', 'turn_due: next !== undefined', 'turn_due: false'),
  ),
  bug(
    'rule 25: a run without a ticket is not told that others wait for its end',
    inside('outbox:enqueue', 'messages.length === 0 ? state', 'messages.length >= 0 ? state'),
  ),
  bug(
    'rule 26: a turn is given without what was said before',
    inside('giveTurn', 'history: historyOf(state) }', 'history: [] }'),
  ),
  bug(
    'a summary takes a step too many',
    inside('shownMessages', 'from(state, kept_from)]', 'from(state, kept_from + 1)]'),
  ),
  bug(
    'what a summary covers is not what is left out',
    inside('performCompaction', 'stateBefore(state, kept_from)', 'stateBefore(state, 0)'),
  ),
  bug(
    'rule 26: what a run said is remembered twice',
    inside('withLeft', '[...state.segments, segment]', '[...state.segments, segment, segment]'),
  ),
  bug(
    'rule 21: a late result is remembered twice',
    inside('withLate', '[...state.segments, segment]', '[...state.segments, segment, segment]'),
  ),
  bug(
    'real: an end that was refused counts as handed in',
    inside(
      'performSession',
      'arrived: () => arrived(world, partition, spec.id)',
      'arrived: async () => true',
    ),
  ),
  bug(
    'real: a turn that was refused counts as told',
    inside('giveTurn', "if (posted !== 'posted') return\n", ''),
  ),
  bug(
    'real: a request repeated under its key takes a second ticket',
    inside('runInSession', 'if (existingRun) return', 'if (existingRun && attempt < 0) return'),
  ),
  bug(
    'real: what only a holder may do waits for the deadline',
    inside('run/machine:wakeAt', 'const times = [soon, ', 'const times = ['),
  ),
  bug(
    'real: a run starts after its cancel',
    inside(
      'accepts:accepts',
      'state.started === null && state.cancel === null',
      'state.started === null',
    ),
  ),
  rareBug(
    'real: who waited for budget is not resumed',
    inside(
      'decide:decide',
      "if (goesOn) return state.status === 'waiting' ? [{ type: 'run.resumed' }] : []",
      'if (goesOn) return []',
    ),
  ),
  bug(
    'approval without a condition',
    inside('accepts:decides', '&& approval.decision === null', ''),
    inside('overNow', 'if (decision === null) {', 'if (decision === null || fact.call) {'),
  ),
  bug(
    'a denied call is performed',
    inside(
      'mayProceed',
      "askedOf(call)?.decision?.decision === 'approve'",
      'askedOf(call)?.decision != null',
    ),
  ),
  bug(
    'a call is performed before anybody was asked',
    inside('mayProceed', 'askOf(call) === undefined || ', 'askOf(call) !== "" || '),
  ),
  bug(
    'what was approved is not what is performed',
    inside(
      'effectiveArguments',
      'call.asked?.decision?.arguments ?? call.arguments',
      'call.arguments',
    ),
  ),
  bug(
    'a question expires before its time',
    inside(
      'followApprovals',
      'now >= (askedOf(call)?.expires_at ?? Number.MAX_VALUE)',
      'now >= (askedOf(call)?.expires_at ?? Number.MAX_VALUE) - 4_000',
    ),
  ),
  bug(
    'rule 29: the end leaves the inbox open',
    inside('approvalRows', 'if (facts.length > 0 && isTerminal(state)) {', 'if (false) {'),
  ),
  bug(
    'everybody sees the inbox of one tenant',
    inside('token-lists:approvalPage', 'approvalsList(tenant, ', "approvalsList('red', "),
  ),
  bug(
    'what was said to a run becomes its system prompt',
    inside(
      'request:requestOf',
      'system: pin.system,',
      'system: pin.system + JSON.stringify([...state.calls.values()].map((call) => call.result)),',
    ),
  ),
  bug(
    'rule 22: the clock runs while a person is asked',
    inside('state/state:deadline', 'isStopped(state.waiting) || ', ''),
    inside('state/state:deadline', 'state.started_at + state.paused_ms +', 'state.started_at +'),
  ),
  bug(
    'rule 5: a message during the last model call is never read',
    inside('mustAnswer', 'unreadMessages(state) && !spent', 'false && !spent'),
  ),
  bug(
    'rule 3: a message that is sent again is another one',
    inside(
      'sendMessage',
      "key ? derivedId('msg', run, key) : random('msg', world.clock.random(17))",
      "random('msg', world.clock.random(17))",
    ),
  ),
  bug(
    'rule 27: the key is claimed after the run was created',
    inside('idempotency:reserve', 'export async function reserve(', CLAIMS_LATER),
  ),
  bug(
    'rule 27: a key is the same whatever the body',
    inside('sameBody', 'if (head.body === requestKey.body) return', 'if (requestKey.body) return'),
  ),
  bug(
    'rule 36: a log of a newer version is advanced',
    inside('assemble', 'if (head.format > FORMAT) throw', 'if (head.format > 99) throw'),
  ),
  testedBug(
    'talk: two end users have one session',
    {
      file: 'test/unit/engine/session/subject.test.ts',
      title: 'the first of several end users at once has an empty session',
    },
    inside(
      'runInSession',
      'if (!isSubjectAllowed(session.state, subject)) return fail(otherSubject())',
      '',
    ),
  ),
  testedBug(
    'talk: a user of an issuer acts for the end user of a session',
    {
      file: 'test/unit/engine/session/subject.test.ts',
      title: 'a user of an issuer cannot continue the session of another, in any protocol',
    },
    inside(
      'withSession',
      'subject: requested = world.origin?.credential?.subject',
      'subject: requested',
    ),
  ),
]
