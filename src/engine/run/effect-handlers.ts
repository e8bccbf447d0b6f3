/**
 * Effects of a run: how each effect is performed, which effects may be repeated, and their
 * time-outs.
 */

import type { Effect } from '../../core/run/decide/pending-effects.ts'
import { needsCommit } from '../../core/run/decide/pending-effects.ts'
import type { RunFact } from '../../core/run/log/facts.ts'
import type { RunState } from '../../core/run/state/state.ts'
import { deadline } from '../../core/run/state/state.ts'
import { runLogType } from '../logs/run.ts'
import type { EffectHandlers } from '../partition/log-type.ts'
import { perform } from './effects/index.ts'
import { overdue } from './effects/model/effect-timeout.ts'
import { StartReads } from './effects/start/reads.ts'

/** Time-outs of a run's effects in milliseconds. The ports have shorter time-outs. */
const TIMEOUT_MS: Readonly<Record<Effect['kind'], number>> = {
  start: 120_000,
  model: 900_000,
  flush: 60_000,
  prepare: 60_000,
  tool: 900_000,
  spawn: 60_000,
  announce: 30_000,
  session: 30_000,
  schedule: 30_000,
  trace: 30_000,
  webhook: 30_000,
  events: 30_000,
  cancel: 30_000,
  notice: 30_000,
  late: 30_000,
}

/** Effects that start work; the other effects deliver what has happened. */
const WORK: ReadonlySet<Effect['kind']> = new Set([
  ...(['start', 'model', 'flush', 'prepare', 'tool', 'spawn'] as const),
])

export const runHandlers: EffectHandlers<RunState, RunFact, Effect> = {
  ...runLogType,
  perform,
  early: (world, tenant) =>
    world.settings.singleProcess ? undefined : new StartReads(world, tenant),
  needsCommit,
  isWork: ({ kind }) => WORK.has(kind),
  isOnce: (effect) => effect.kind === 'tool' && effect.once,
  isAsking: ({ kind }) => kind === 'model',
  isSpawn: ({ kind }) => kind === 'spawn',
  timeoutMs: ({ kind }) => TIMEOUT_MS[kind],
  overdue,
  deadline,
}
