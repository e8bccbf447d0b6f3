/** How a run has ended is said as it is, to callers and to the model above: done is done only then. */

import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../../src/engine/dispatch.ts'
import { runPartition } from '../../../../src/engine/partition/keys.ts'
import { cancelRun } from '../../../../src/engine/run/cancel.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import { look, runToRest, settle, startRun, TENANT, testWorld } from '../../../support/drive.ts'
import { requestsOf, spawn } from '../../../support/script.ts'
import { slowWorld, together } from '../../../support/together.ts'

const shownLast = (world: MemoryWorld): string =>
  requestsOf(world)
    .at(-1)!
    .messages.flatMap((one) => (one.role === 'user' ? [one.text] : []))
    .join('\n')

describe('stop_reason', () => {
  it('an answer cut off at the output limit is max_tokens, not end_turn', async () => {
    const world = testWorld()
    const run = await runToRest(world, { input: '@finish length\n@say half a sen' })
    expect(run.state).toMatchObject({ status: 'completed', stop_reason: 'max_tokens' })
    const whole = await runToRest(world, { input: '@say whole' })
    expect(whole.state.stop_reason).toBe('end_turn')
  })

  it('a subagent whose answer was cut off does not appear complete', async () => {
    const world = testWorld()
    const task = '@finish length\n@say half a sen'
    await runToRest(world, { input: `${spawn({ task })}\n@await\n@say {results}` })
    const shown = shownLast(world)
    expect(shown).toContain('"stop_reason":"max_tokens"')
    expect(shown).toContain('cut off')
  })

  it('a subagent that exhausted the budget does not appear complete', async () => {
    const world = testWorld()
    const step = (n: number) => `@call file_read {"path":"${n}"}`
    const task = `${[1, 2, 3, 4, 5, 6].map(step).join('\n@then\n')}\n@say end`
    const input = `${spawn({ task })}\n@await\n@say {results}`
    const run = await runToRest(world, { input, limits: { max_model_calls: 6 } })
    const [call] = [...run.state.calls.values()]
    expect(call!.child!.announce).toMatchObject({ status: 'completed', stop_reason: 'budget' })
    expect(shownLast(world)).toContain('It exhausted its budget')
  })
})

describe('the report to a parent about an interrupted child', () => {
  it('states that the child was cancelled before it started', async () => {
    const world = testWorld({ settings: { maxLiveChildren: 2 } })
    const input = `${spawn({ task: '@say part' }, 2)}\n@await\n@say {results}`
    const id = await startRun(world, { input })
    const [wake] = world.queue.take()
    await dispatch(world, wake!)
    const { state } = await look(world, id)
    const [child] = [...state.calls.values()].flatMap((call) => call.child ?? [])
    world.queue.take()
    await cancelRun(world, runPartition(TENANT, child!.run_id), 'key')
    world.clock.advance(61_000)
    await tick(world)
    await settle(world)
    const after = await look(world, id)
    const announce = [...after.state.calls.values()][0]!.child!.announce!
    expect(announce).toMatchObject({ status: 'cancelled', never_started: true, steps: 0 })
    expect(shownLast(world)).toContain('cancelled before it started')
  })

  it('marks a timed-out child as still running, unless it was cancelled', async () => {
    for (const [cancel_rest, still_running] of [
      [false, true],
      [true, false],
    ] as const) {
      const world = slowWorld()
      const join = { policy: 'all', deadline_seconds: 1, on_child_failure: 'continue', cancel_rest }
      await startRun(world, {
        input: `${spawn({ task: '@slow 50000\n@say late' })}\n@await\n@say {results}`,
        join: join as never,
      })
      await together(world)
      const shown = requestsOf(world)
        .flatMap(({ messages }) => messages)
        .flatMap((one) => (one.role === 'user' ? [String(one.text)] : []))
        .find((text) => text.includes('"timed_out"'))
      expect(shown).toContain(`"still_running":${still_running}`)
      expect(shown).toContain(still_running ? 'still running' : 'was cancelled')
    }
  })
})
