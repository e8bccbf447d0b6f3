/**
 * Jumps of the wall clock: a machine that slept, a clock that was set. A run's clock counts only
 * time that passed, so a jump forward is recorded as a fact and its time is given back; a process
 * that was down for long counts as one. Only where one process has the store: among several, each
 * has a clock of its own, and a lease already limits the harm of a wrong one.
 */

import type { World } from '../../ports/world.ts'
import type { Committed } from './log.ts'
import type { AnyFact, AnyState, LogType } from './log-type.ts'
import { processMemory } from './process.ts'

/** Less is what clocks are corrected by every day (milliseconds). */
const STEP_MS = 60_000
/** A run lives for a day at most; a jump is known for two. */
const KNOWN_MS = 2 * 86_400_000

export interface Step {
  /** Milliseconds since 1970, by the clock before and after the jump. */
  readonly before: number
  readonly after: number
  /** On the monotonic clock. */
  readonly seen: number
}
interface Watch {
  /** Wall time less monotonic time, as it was read last. */
  /** Undefined until they were read. */
  offset: number | undefined
  steps: Step[]
}

const watchOf = processMemory<Watch>('clocks', () => ({ offset: undefined, steps: [] }))

/** Reads both clocks and remembers a jump between this reading and the last. */
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

/** The process was not running from `before` until now: time did not pass for any run. */
export function wasAway(world: World, since: number): void {
  readClocks(world)
  const now = world.clock.now()
  const watch = watchOf(world.store)
  if (watch.offset === undefined || now - since < STEP_MS) return
  const seenAt = world.clock.monotonic()
  watch.steps.push({ before: since, after: now, seen: seenAt })
}

/**
 * The jumps that a log does not yet record since its last fact; `reportedSteps` are those that its
 * reader knows. A commit after a jump records it, hence a jump newer than the last fact is not
 * recorded yet.
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
