/** A fan-out as a kind of log. */

import { apply, draftOf, type FanoutDraft } from '../../core/fanout/evolve.ts'
import type { FanoutFact } from '../../core/fanout/facts.ts'
import { isTerminalFanoutFact } from '../../core/fanout/facts.ts'
import {
  type FanoutEffect,
  fanoutMachine,
  hearLate,
  isEarly,
  isLate,
  owesLate,
} from '../../core/fanout/machine.ts'
import { type FanoutState, taskCounts } from '../../core/fanout/state.ts'
import { fanoutView } from '../../core/fanout/view.ts'
import { afterPaying } from '../../core/late-results.ts'
import { untold } from '../../core/webhook/subscriptions.ts'
import type { World } from '../../ports/world.ts'
import { readLog } from '../partition/log.ts'
import type { Kind } from '../partition/log-type.ts'
import { watchedTypes } from '../webhook/endpoint/subscriptions.ts'

export const readFanout = (world: World, partition: string) => readLog(world, fanoutKind, partition)

export const fanoutKind: Kind<FanoutState, FanoutFact, FanoutEffect> = {
  machine: fanoutMachine,
  draftOf,
  apply,
  isTerminalFact: isTerminalFanoutFact,
  owesNothing: ({ debts }) =>
    debts.webhook.length === 0 &&
    debts.cancel.length === 0 &&
    debts.events == null &&
    !debts.parent &&
    (debts.late ?? []).length === 0,
  without,
  isRoot: ({ spec }) => spec?.parent === undefined,
  poisoned: (state, message) => ({
    type: 'fanout.failed',
    error: { code: 'poison', message },
    children: taskCounts(state),
    usage: state.usage,
  }),
  // It never waits behind queued runs: its children do.
  laneOf: ({ spec }) => (spec === null ? undefined : { lane: 'main', started: true }),
  view: (state) => fanoutView(state),
  rows: () => [],
  subscribedTypes: watchedTypes,
  isEarly,
  isLate,
  owesLate,
  hearLate: (draft, fact, at) => hearLate(draft as FanoutDraft, fact, at),
  isHolders: () => false,
  restsOn: () => true,
}

/** A debt that was paid: `webhook 12`, `events 12`, `cancel 7`, `late 7`, `parent`. */
function without(state: FanoutState, paid: readonly string[]): FanoutState {
  if (paid.length === 0) return state
  const { webhook, cancel, events = null } = state.debts
  const { late, after } = afterPaying(state, paid)
  const debts = {
    webhook: webhook.filter((seq) => !paid.includes(`webhook ${seq}`)),
    cancel: cancel.filter((call) => !paid.includes(`cancel ${call}`)),
    events: untold(events, state.seq, paid),
    ...(late.length === 0 ? {} : { late }),
    ...(state.debts.parent && !paid.includes('parent') ? { parent: true as const } : {}),
  }
  return { ...state, after, debts }
}
