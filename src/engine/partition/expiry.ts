/** Computes when an ended root and all its descendants are deleted (PROTOCOL.md rule 40). */

import { isOutboxEmpty } from '../../core/outbox.ts'
import type { World } from '../../ports/world.ts'
import type { Committed } from './log.ts'
import type { AnyFact, AnyState, LogType } from './log-type.ts'

/**
 * Returns a root's deletion time, in milliseconds since 1970. Returns undefined if the run is kept,
 * has pending outbox entries, or is not a root.
 */
export function goneAt<S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  state: S,
): number | undefined {
  const { retentionMs } = world.settings
  if (retentionMs === null || state.ended_at === null || !kind.isRoot(state)) return undefined
  return isOutboxEmpty(state.outbox) ? state.ended_at + retentionMs : undefined
}

export const isDueToGo = <S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  state: S,
): boolean => world.clock.now() >= (goneAt(world, kind, state) ?? Number.POSITIVE_INFINITY)

/**
 * Returns whether the tick moved a root's deletion forward because of leftover mail or a stale
 * index.
 */
export const isPushed = <S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  run: Committed<S, F> | undefined,
): boolean =>
  run !== undefined && run.head.redeliveries > 0 && goneAt(world, kind, run.state) !== undefined
