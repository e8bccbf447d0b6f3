/** What takes longer than it may: a step whose model says nothing. */

import { describe, expect, it } from 'vitest'
import { memoryClock } from '../../../../src/hosts/memory/clock.ts'
import { fail } from '../../../../src/lib/outcome.ts'
import type { Model } from '../../../../src/ports/world.ts'
import { factsOf, look, outputOf, startRun, testWorld } from '../../../support/drive.ts'
import { scriptModel } from '../../../support/script.ts'
import { together } from '../../../support/together.ts'

describe('a step', () => {
  it('with a silent model is aborted, and retried like any other failure', async () => {
    const clock = memoryClock()
    const script = scriptModel(clock)
    let silent = 1
    const model: Model = {
      ...script,
      async respond(request, options) {
        if (silent-- <= 0) return script.respond(request, options)
        await clock.sleep(Number.MAX_SAFE_INTEGER, options.signal)
        return fail({ code: 'aborted', message: 'aborted', retryable: false })
      },
    }
    const world = testWorld({ clock, model })
    const id = await startRun(world, { input: '@say at last' })
    await together(world)
    expect((await look(world, id)).state).toMatchObject({ waiting: { on: 'model' } })
    clock.advance(2_000)
    await together(world)
    const run = await look(world, id)
    expect(run.state.status).toBe('completed')
    expect(outputOf(run)).toBe('at last')
    const waits = (await factsOf(world, id)).filter(({ type }) => type === 'run.waiting')
    expect(waits).toMatchObject([
      {
        on: 'model',
        attempt: 1,
        error: { message: 'the model exceeded the step time limit' },
      },
    ])
  })
})
