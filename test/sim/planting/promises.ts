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
    'promise 1: 202 is sent when the run is on the disk, not before',
    inside('commits:grouped', 'syncing = sync()\n await syncing', 'syncing = sync()'),
  ),
  broken(
    TESTS,
    'promise 2: every live run has one; with every message lost the tick finishes every run',
    inside(
      'firstHead',
      'wake_at: needsWorker ? now + RECHECK_MS : null',
      'wake_at: needsWorker ? null : null',
    ),
  ),
  broken(
    TESTS,
    'promise 3: one answer per step is recorded, and it never changes',
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
    'promise 4: once is never repeated and ends as unknown; repeatable goes again under its key',
    inside(
      'followCall',
      "if (call.mode === 'once' && call.intent !== state.epoch) {",
      "if (call.mode === 'once' && call.intent === undefined) {",
    ),
  ),
  broken(
    TESTS,
    'promise 5: for model it holds no invocation, no timer and no message',
    inside(
      'Executor.afterwards',
      'if (delay < NEAR_MS) await this.#world.queue.send([next], delay)',
      `await this.#world.clock.sleep(delay)
    if (delay < NEAR_MS) await this.#world.queue.send([next])`,
    ),
  ),
  broken(
    TESTS,
    'promise 6: it parks in the store; no message is failed, and none is kept waiting',
    inside(
      'Executor.afterwards',
      'if (!lane) return',
      `if (!lane) return
    if (run.head.wake_at !== null && !run.head.lease) throw new Error('not yet: deliver it again')`,
    ),
  ),
  broken(
    TESTS,
    'promise 7: no new effect starts, what is queued never starts, descendants end, twice is once',
    inside(
      'pending-effects:pendingEffects',
      'if (isTerminal(state) || state.cancel) return outbox',
      'if (isTerminal(state)) return outbox',
    ),
  ),
  broken(
    'test/unit/core/run/time.test.ts',
    'promise 8: it stands still while a person is waited for, each time',
    inside(
      'goesOn',
      'draft.paused_ms += at - draft.waiting.since',
      'draft.paused_ms = at - draft.waiting.since',
    ),
  ),
  broken(
    TESTS,
    'promise 9: is named by its cause, so a spawn that is done twice is done once',
    inside(
      'childId',
      "derivedId('run', id, step, index)",
      "derivedId('run', id, step, index, Math.random())",
    ),
  ),
  broken(
    'test/unit/engine/worker/poison.test.ts',
    'promise 10: fails as poison after five of them over half an hour, and takes no neighbour down',
    inside('crash-count:judge', ": { kind: 'poison' }", ": { kind: 'alone' }"),
  ),
]
