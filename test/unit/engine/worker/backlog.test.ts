/**
 * A backlog of queued runs on the lanes of the Node host, in a world whose time is counted: the
 * tick, which looks at everything due each second, must not make it larger, and what has started
 * goes before what has not (PROTOCOL.md rules 31 and 32).
 */

import { expect, it } from 'vitest'
import { dispatch } from '../../../../src/engine/dispatch.ts'
import { runPartition } from '../../../../src/engine/partition/keys.ts'
import { factsAfter } from '../../../../src/engine/partition/log.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { memoryClock } from '../../../../src/hosts/memory/clock.ts'
import { memoryQueue } from '../../../../src/hosts/memory/queue.ts'
import type { Wake, World } from '../../../../src/ports/world.ts'
import { look, outputOf, startRun, TENANT, testWorld } from '../../../support/drive.ts'
import { scriptModel } from '../../../support/script.ts'
import { testLanes } from '../../../support/test-lanes.ts'

const STEP_MS = 250
const TICK_MS = 1_000

/** The host's lanes, with delays and ticks in the world's time and every wake counted. */
function hostWorld() {
  const clock = memoryClock()
  const delayed = memoryQueue(clock)
  const counts = { ticks: 0, byTick: 0, all: 0 }
  let ticking = false
  const inProcess = testLanes({
    widths: { main: 4, subagent: 8, background: 4 },
    handle: (wake: Wake) => dispatch(world, wake),
  })
  const base = testWorld({ clock, model: scriptModel(clock) })
  const world: World = {
    ...base,
    queue: {
      async send(wakes, delayMs = 0) {
        counts.all += wakes.length
        if (ticking) counts.byTick += wakes.length
        return delayMs > 0 ? delayed.send(wakes, delayMs) : inProcess.send(wakes)
      },
    },
  }
  const step = async (): Promise<void> => {
    await inProcess.send(delayed.take())
    for (let turn = 0; turn < 12; turn += 1) await new Promise(setImmediate)
    clock.advance(STEP_MS)
    if (Math.floor(clock.monotonic() / TICK_MS) <= counts.ticks) return
    counts.ticks += 1
    ticking = true
    await tick(world)
    ticking = false
  }
  const waiting = (): number => inProcess.load().main.waiting
  return { world, base, counts, step, waiting, clock }
}

it('a backlog of 3,000 is processed with few tick resends, and a barrier opens within 2 s meanwhile', async () => {
  const { world, base, counts, step, waiting, clock } = hostWorld()
  const driven = { ...base, ...world } as typeof base
  const parent = await startRun(driven, {
    input: '@spawn 1 {"task":"@slow 300000\\n@say part"}\n@await\n@say saw {results}',
  })
  const parked = async () => (await look(driven, parent)).state.waiting?.on === 'subagents'
  for (let rounds = 0; !(await parked()) && rounds < 100; rounds += 1) await step()
  const ids: string[] = []
  for (let index = 0; index < 3_000; index += 1) {
    ids.push(await startRun(driven, { input: `@slow 1000\n@say ${index}` }))
  }
  let inTheMiddle = 0
  for (let rounds = 0; rounds < 20_000; rounds += 1) {
    await step()
    const { state } = await look(driven, parent)
    if (state.ended_at !== null && inTheMiddle === 0) inTheMiddle = waiting()
    if (waiting() === 0 && (await look(driven, ids.at(-1)!)).state.ended_at !== null) break
  }
  const seconds = clock.monotonic() / 1_000
  console.log({ seconds, inTheMiddle, ...counts })
  const runs = await Promise.all(ids.map((id) => look(driven, id)))
  expect(runs.every(({ state }) => state.status === 'completed')).toBe(true)
  // Four at a time, a second each: it took the time that it had to take, and not much more.
  expect(seconds).toBeLessThan(1_100)
  // Each wait doubles, so a run is sent again a few times and not each second.
  expect(counts.byTick).toBeLessThan(3_000 * 4)
  expect(counts.all).toBeLessThan(3_000 * 5)

  const run = await look(driven, parent)
  expect(outputOf(run)).toBe('saw 1')
  expect(inTheMiddle).toBeGreaterThan(500)
  const [child] = [...run.state.calls.values()]
  const ended = await look(driven, child!.child!.run_id)
  const facts = factsAfter(await world.store.read(runPartition(TENANT, parent)), 0)
  const released = facts.find(({ fact }) => fact.type === 'barrier.released')
  expect(released!.at - ended.state.ended_at!).toBeLessThanOrEqual(2_000)
})
