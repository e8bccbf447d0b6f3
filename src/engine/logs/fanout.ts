/** Log type of fan-outs. */

import { apply, draftOf, type FanoutDraft } from '../../core/fanout/evolve.ts'
import type { FanoutFact } from '../../core/fanout/facts.ts'
import { isTerminalFanoutFact } from '../../core/fanout/facts.ts'
import {
  type FanoutEffect,
  fanoutMachine,
  isEarly,
  isLate,
  mustTellLate,
  recordLate,
} from '../../core/fanout/machine.ts'
import { type FanoutState, taskCounts } from '../../core/fanout/state.ts'
import { fanoutView } from '../../core/fanout/view.ts'
import type { World } from '../../ports/world.ts'
import { readLog } from '../partition/log.ts'
import type { LogType } from '../partition/log-type.ts'
import { subscribedTypes } from '../webhook/endpoint/subscriptions.ts'

export const readFanout = (world: World, partition: string) =>
  readLog(world, fanoutLogType, partition)

export const fanoutLogType: LogType<FanoutState, FanoutFact, FanoutEffect> = {
  machine: fanoutMachine,
  draftOf,
  apply,
  isTerminalFact: isTerminalFanoutFact,
  isRoot: ({ spec }) => spec?.parent === undefined,
  poisoned: (state, message) => ({
    type: 'fanout.failed',
    error: { code: 'poison', message },
    children: taskCounts(state),
    usage: state.usage,
  }),
  // A fan-out never waits behind queued runs; only its children do.
  turnOf: ({ spec }) => (spec === null ? undefined : { lane: 'main', started: true }),
  view: (state) => fanoutView(state),
  rows: () => [],
  subscribedTypes,
  isEarly,
  isLate,
  mustTellLate,
  recordLate: (draft, fact, at) => recordLate(draft as FanoutDraft, fact, at),
  isLeaseOwners: () => false,
  isCausedBy: () => true,
}
