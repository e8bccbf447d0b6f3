/**
 * Each promise of a run (PROTOCOL.md), broken once. `node test/tools/promises.ts` asks whether the test
 * that is named after the promise turns red.
 */

import { inside, type Patch } from './patch.ts'
import type { Planting } from './plant.ts'

/** A broken promise, under the name of the test that must turn red, without those of its groups. */
export interface BrokenPromise extends Planting {
  readonly file: string
}

const broken = (file: string, name: string, ...patches: Patch[]): BrokenPromise => ({
  file,
  name,
  patches,
})

const TESTS = 'test/unit/engine/promises.test.ts'

export const PROMISES: readonly BrokenPromise[] = [
  broken(
    TESTS,
    'is sent only once the run is on disk (promise 1)',
    inside('commits:grouped', 'syncing = sync()\n await syncing', 'syncing = sync()'),
  ),
  broken(
    TESTS,
    'exists for every live run: with every message lost, ticks finish every run (promise 2)',
    inside(
      'firstHead',
      'wake_at: needsWorker ? now + RECHECK_MS : null',
      'wake_at: needsWorker ? null : null',
    ),
  ),
  broken(
    TESTS,
    'record one answer per step, which never changes (promise 3)',
    inside(
      'accepts:accepts',
      `if (fact.step !== state.steps.length || state.status === 'waiting') return false
      return currentCalls(state).every(hasResult)`,
      'return true',
    ),
    inside(
      'project',
      'if (kind.machine.accepts(state, fact) && kind.isCausedBy(state, fact, fingerprint)) add(fact)',
      `void fingerprint
    if (kind.machine.accepts(state, fact)) add(fact)`,
    ),
  ),
  broken(
    TESTS,
    'is not repeated and ends as unknown when once, and is repeated under its key when repeatable (promise 4)',
    inside(
      'followCall',
      "if (call.mode === 'once' && call.intent !== state.epoch) {",
      "if (call.mode === 'once' && call.intent === undefined) {",
    ),
  ),
  broken(
    TESTS,
    'uses no invocation, timer, or message while it waits for model (promise 5)',
    inside(
      'Executor.afterwards',
      'if (delay < NEAR_MS) await this.#world.queue.send([next], delay)',
      `await this.#world.clock.sleep(delay)
    if (delay < NEAR_MS) await this.#world.queue.send([next])`,
    ),
  ),
  broken(
    TESTS,
    'parks in the store: no message fails, and none is kept waiting (promise 6)',
    inside(
      'Executor.afterwards',
      'if (!lane) return',
      `if (!lane) return
    if (run.head.wake_at !== null && !run.head.lease) throw new Error('not yet: deliver it again')`,
    ),
  ),
  broken(
    TESTS,
    'starts no new effect or queued run, ends all descendants, and is idempotent (promise 7)',
    inside(
      'pending-effects:pendingEffects',
      'if (isTerminal(state) || state.cancel) return outbox',
      'if (isTerminal(state)) return outbox',
    ),
  ),
  broken(
    'test/unit/core/run/time.test.ts',
    'stops while a person is waited for, each time (promise 8)',
    inside(
      'goesOn',
      'draft.paused_ms += at - draft.waiting.since',
      'draft.paused_ms = at - draft.waiting.since',
    ),
  ),
  broken(
    TESTS,
    'is named by its cause, so a repeated spawn creates one child (promise 9)',
    inside(
      'childId',
      "derivedId('run', id, step, index)",
      "derivedId('run', id, step, index, Math.random())",
    ),
  ),
  broken(
    'test/unit/engine/worker/poison.test.ts',
    'fails as poison after five crashes over half an hour, and affects no neighbor (promise 10)',
    inside('crash-count:judge', ": { kind: 'poison' }", ": { kind: 'alone' }"),
  ),
]
