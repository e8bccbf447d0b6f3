/** A model that makes the same call for ever ends in words, and long before its steps are used up. */

import { expect, it } from 'vitest'
import { ok } from '../../../../src/lib/outcome.ts'
import type { Model, ModelRequest } from '../../../../src/ports/world.ts'
import { factsOf, outputOf, runToRest, testWorld } from '../../../support/drive.ts'
import { scriptModel } from '../../../support/script.ts'

const CALL = {
  type: 'call',
  id: 'c',
  provider_id: 'c',
  tool: 'todo_read',
  arguments: '{}',
} as const
const USAGE = { input_tokens: 1, output_tokens: 1, model_calls: 1 }

/** Calls the same tool whenever it is offered one; `words`: what it says without. */
function stubborn(words: string, other?: (request: ModelRequest, turn: number) => boolean) {
  const requests: ModelRequest[] = []
  const model: Model = {
    ...scriptModel(),
    async respond(request) {
      const turn = requests.push(request)
      const calls = request.tools.length > 0
      const different = other?.(request, turn) ? { ...CALL, arguments: `{"n":${turn}}` } : CALL
      const parts = calls ? [different] : [{ type: 'text', text: words } as const]
      const finish = calls ? 'calls' : 'stop'
      return ok({ parts, usage: USAGE, finish, model: request.model })
    },
  }
  return { model, requests }
}

it('a looping model is refused, instructed to stop, and then called without tools for its answer', async () => {
  const { model, requests } = stubborn('I cannot find it.')
  const world = testWorld({ model })
  const run = await runToRest(world, { input: 'find it' })
  expect(run.state).toMatchObject({ status: 'completed', stop_reason: 'end_turn' })
  expect(outputOf(run)).toBe('I cannot find it.')
  // Eight calls, two refusals, and the words.
  expect(requests).toHaveLength(11)
  expect(requests.at(-1)?.tools).toEqual([])
  expect(run.state.answerWarnings).toEqual([
    {
      code: 'tool_loop',
      message: expect.stringMatching(/^The model repeated a call to todo_read/),
    },
  ])
  const results = (await factsOf(world, run.state.spec!.id)).filter(
    ({ type }) => type === 'tool.result',
  )
  expect(results.at(-1)).toMatchObject({ text: expect.stringContaining('Stop calling it') })
})

it('a looping model keeps its tools when it makes another call after the first refusal', async () => {
  const { model, requests } = stubborn('done', (_, turn) => turn === 10)
  const world = testWorld({ model })
  const run = await runToRest(world, { input: 'find it', limits: { max_steps: 14 } })
  expect(run.state).toMatchObject({ status: 'completed', stop_reason: 'max_steps' })
  expect(requests).toHaveLength(15)
  expect(run.state.answerWarnings).toEqual([])
})
