/**
 * Rule 45a on a store: the ends of many children wake as many workers at once, each in an invocation
 * that remembers nothing; the closing call of the model is made once, and all calls are counted.
 */

import { expect, it } from 'vitest'
import { dispatch } from '../../src/engine/dispatch.ts'
import { runPartition } from '../../src/engine/partition/keys.ts'
import { systemClock } from '../../src/hosts/shared/clock.ts'
import { CLOUD_SETTINGS } from '../../src/hosts/shared/options.ts'
import type { Queue, Store, Wake, World } from '../../src/ports/world.ts'
import { look, startRun, TENANT, testWorld } from '../support/drive.ts'
import { scriptModel } from '../support/script.ts'

const CHILDREN = [8, 50, 300] as const
/** Subagents of one step; more are spawned by more steps. */
const PER_STEP = 100

const sleep = (ms: number): Promise<void> => systemClock.sleep(ms)

export function announcesContract(name: string, make: () => Store): void {
  it.each(CHILDREN)(
    `${name}: the wakes of %i children, handled by as many workers at once, cause one model call`,
    async (children) => {
      const found = await announcedAtOnce(make(), children)
      expect([found.status, found.text]).toEqual(['completed', `saw ${children}`])
      expect(found.asked).toBe(found.steps)
      expect(found.counted).toBe(found.calls)
    },
  )
}

interface Announced {
  readonly status: string
  readonly text: unknown
  /** Calls that reached the model for the parent, and the steps that its log has. */
  readonly asked: number
  readonly steps: number
  /** All calls that reached the model, and those that the run's usage counts. */
  readonly calls: number
  readonly counted: number
}

/** Each wake is handled at once by a worker of its own; those of the parent when all children have ended. */
async function announcedAtOnce(store: Store, children: number): Promise<Announced> {
  const model = scriptModel()
  const { queue, take } = heldQueue()
  const memory = testWorld({
    store,
    model,
    settings: { ...CLOUD_SETTINGS, maxLiveChildren: children },
  })
  const world: World = { ...memory, clock: systemClock, queue }
  const started = { ...memory, ...world } as typeof memory
  const id = await startRun(started, { input: script(children) })
  const parent = runPartition(TENANT, id)
  let workers = 0
  /** A Worker's isolate: what the engine remembers hangs on the ports, so new ones remember nothing. */
  const invocation = (): World => ({
    ...world,
    store: { ...store },
    objects: { ...world.objects },
    settings: { ...world.settings, worker: `worker-${(workers += 1)}` },
  })
  const all = (wakes: readonly Wake[]) =>
    Promise.allSettled(wakes.map((wake) => dispatch(invocation(), wake)))
  let held: Wake[] = []
  for (;;) {
    const wakes = take()
    held = [...held, ...wakes.filter(({ partition }) => partition === parent)]
    const others = wakes.filter(({ partition }) => partition !== parent)
    if (others.length > 0) await all(others)
    else if (held.length > 0) await all(held.splice(0))
    else if ((await look(started, id)).state.ended_at !== null) break
    else await sleep(100)
  }
  const { state } = await look(started, id)
  const asked = model.requests.filter(({ messages }) =>
    JSON.stringify(messages[0]).includes('@await'),
  )
  return {
    status: state.status,
    text: state.output?.text,
    asked: asked.length,
    steps: state.steps.length,
    calls: model.requests.length,
    counted: state.usage.model_calls,
  }
}

function script(children: number): string {
  const steps = Array.from({ length: Math.ceil(children / PER_STEP) }, (_, step) => {
    const here = Math.min(PER_STEP, children - step * PER_STEP)
    return `@spawn ${here} {"task":"@say part {i} of ${step}"}`
  })
  return [steps.join('\n@then\n'), `@await ${children}`, '@say saw {results}'].join('\n')
}

/** Wakes wait until they are due and somebody takes them. */
function heldQueue() {
  let waiting: { readonly wake: Wake; readonly at: number }[] = []
  const queue: Queue = {
    async send(wakes, delayMs = 0) {
      const at = systemClock.now() + delayMs
      waiting.push(...wakes.map((wake) => ({ wake, at })))
      return 'ok'
    },
  }
  const take = (): Wake[] => {
    const now = systemClock.now()
    const due = waiting.filter(({ at }) => at <= now)
    waiting = waiting.filter(({ at }) => at > now)
    return due.map(({ wake }) => wake)
  }
  return { queue, take }
}
