/**
 * Jumps of the wall clock: a machine that slept, or a clock that was set. A forward jump is
 * recorded as a fact and excluded from the run's time. A long process outage also counts as a jump.
 * Used only by a single process. With several processes, each has a separate clock, and a lease
 * limits the harm.
 */

import type { World } from '../../ports/world.ts'
import type { Committed } from './log.ts'
import type { AnyFact, AnyState, LogType } from './log-type.ts'
import { processMemory } from './process.ts'

/** Minimum size of a clock jump in milliseconds. Smaller steps are routine clock corrections. */
const STEP_MS = 60_000
/** Duration for which a clock jump is remembered: twice the longest run, which lasts a day. */
const KNOWN_MS = 2 * 86_400_000

export interface Step {
  /** Wall clock time before the jump, in milliseconds since 1970. */
  readonly before: number
  readonly after: number
  /** Time when the jump was detected, on the monotonic clock. */
  readonly seen: number
}
interface Watch {
  /** Wall time minus monotonic time at the last clock reading; undefined before the first. */
  offset: number | undefined
  steps: Step[]
}

const watchOf = processMemory<Watch>('clocks', () => ({ offset: undefined, steps: [] }))

/** Reads the wall clock and the monotonic clock, and records a jump since the last reading. */
export function readClocks({ store, clock, settings }: World): void {
  if (!settings.singleProcess) return
  const now = clock.now()
  const seenAt = clock.monotonic()
  const offset = now - seenAt
  const watch = watchOf(store)
  const jump = offset - (watch.offset ?? offset)
  watch.offset = offset
  if (jump < STEP_MS) return
  const recent = watch.steps.filter((step) => seenAt - step.seen < KNOWN_MS)
  watch.steps = [...recent, { before: now - jump, after: now, seen: seenAt }]
}

/** Records that the process was down from `since` until now. No run time passed. */
export function wasAway(world: World, since: number): void {
  readClocks(world)
  const now = world.clock.now()
  const watch = watchOf(world.store)
  if (watch.offset === undefined || now - since < STEP_MS) return
  const seenAt = world.clock.monotonic()
  watch.steps.push({ before: since, after: now, seen: seenAt })
}

/**
 * Returns facts for clock jumps since the log's last fact, except `reportedSteps`, which the reader
 * already knows. A commit records all earlier jumps, so a jump newer than the last fact is
 * unrecorded.
 */
export function steppedFacts<S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  committed: Committed<S, F> | undefined,
  reportedSteps: Set<Step>,
): readonly F[] {
  readClocks(world)
  const { steps } = watchOf(world.store)
  if (steps.length === 0 || !committed || !kind.stepped) return []
  return steps.flatMap((step) => {
    if (reportedSteps.has(step) || committed.head.at >= step.after) return []
    reportedSteps.add(step)
    return kind.stepped!(committed.state, step) ?? []
  })
}
