/** Where the platform ends an event after a time, whatever it is at: no effect outlives its worker. */

import { expect, it } from 'vitest'
import type { Model } from '../../../../src/ports/world.ts'
import { look, outputOf, settle, startRun, testWorld } from '../../../support/drive.ts'
import { scriptModel } from '../../../support/script.ts'

it('a silent model call is aborted before its worker’s lifetime ends, and retried', async () => {
  const scripted = scriptModel()
  const given: number[] = []
  let asked = 0
  const model: Model = {
    ...scripted,
    respond(request, options) {
      if (++asked > 1) return scripted.respond(request, options)
      const began = world.clock.monotonic()
      return new Promise((resolve) => {
        options.signal.addEventListener('abort', () => {
          given.push(world.clock.monotonic() - began)
          const error = { code: 'unavailable', message: 'it took too long', retryable: true }
          resolve({ ok: false, error } as Awaited<ReturnType<Model['respond']>>)
        })
      })
    },
  }
  const world = testWorld({ model, settings: { sliceMs: 3_000, lifeMs: 45_000 } })
  const id = await startRun(world, { input: '@say at last' })
  await settle(world)
  expect((await look(world, id)).state.status).toBe('waiting')
  world.clock.advance(2_000)
  await settle(world)
  expect(outputOf(await look(world, id))).toBe('at last')
  expect(asked).toBe(2)
  // Of 45 seconds, less what came before it; half a minute is left to commit.
  expect(given).toEqual([expect.closeTo(15_000, -3)])
})
