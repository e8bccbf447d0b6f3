/** When an ended root is due to be deleted, with everything below it (protocol rule 40). */

import { isOutboxEmpty } from '../../core/outbox.ts'
import type { World } from '../../ports/world.ts'
import type { Committed } from './log.ts'
import type { AnyFact, AnyState, LogType } from './log-type.ts'

/** When it is deleted, ms since 1970; undefined when it is kept, or when another end decides. */
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

/** The tick has brought its deletion nearer, because of mail or an index that are over. */
export const isPushed = <S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  run: Committed<S, F> | undefined,
): boolean =>
  run !== undefined && run.head.redeliveries > 0 && goneAt(world, kind, run.state) !== undefined
