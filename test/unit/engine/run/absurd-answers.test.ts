/** What a model says that makes no sense is answered as an error, and never hurts the run or its log. */

import { expect, it } from 'vitest'
import type { AssistantPart } from '../../../../src/core/message.ts'
import { runPartition } from '../../../../src/engine/partition/keys.ts'
import { ok } from '../../../../src/lib/outcome.ts'
import type { Model } from '../../../../src/ports/world.ts'
import { factsOf, look, settle, startRun, TENANT, testWorld } from '../../../support/drive.ts'

const USAGE = { input_tokens: 1, output_tokens: 1, model_calls: 1 }

/** Asks for these once, and then answers. */
function asking(parts: readonly AssistantPart[]): Model {
  return {
    find: () => ok({ id: 'test/model', window: 1_000_000 }),
    async respond({ messages }) {
      const asked = messages.some(({ role }) => role === 'tool')
      const text: AssistantPart = { type: 'text', text: 'done' }
      const said = asked ? [text] : parts
      return ok({
        parts: said,
        usage: USAGE,
        finish: asked ? 'stop' : 'calls',
        model: 'test/model',
      })
    },
  }
}

const call = (tool: string, more: Partial<AssistantPart> = {}): AssistantPart =>
  ({ type: 'call', id: 'a', provider_id: 'a', tool, arguments: '{}', ...more }) as AssistantPart

it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', ''])(
  'a call of %j, a name inherited from Object.prototype or empty, is an unknown tool',
  async (tool) => {
    const world = testWorld({ model: asking([call(tool)]) })
    const id = await startRun(world, { input: 'x' })
    await settle(world)
    expect((await look(world, id)).state.status).toBe('completed')
    const facts = await factsOf(world, id)
    const answer = facts.find((fact) => fact.type === 'assistant.message')
    expect(answer).toMatchObject({
      calls: [{ mode: 'refused', refusal: expect.stringMatching(/^unknown_tool/) }],
    })
  },
)

it('hundreds of calls with oversized names and IDs fit the row limit of every store', async () => {
  const long = 'x'.repeat(20_000)
  const parts = Array.from({ length: 1_000 }, (_, index) =>
    call(`${long}${index}`, { provider_id: long, arguments: `{"a":"${'\u0001'.repeat(300)}"}` }),
  )
  const world = testWorld({ model: asking([...parts, { type: 'text', text: long }]) })
  const id = await startRun(world, { input: 'x' })
  await settle(world)
  expect((await look(world, id)).state.status).toBe('completed')
  const rows = await world.store.read(runPartition(TENANT, id))
  const sizes = rows.map(({ body }) => Buffer.byteLength(body))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(131_072)
  const facts = await factsOf(world, id)
  const answer = facts.find((fact) => fact.type === 'assistant.message')
  expect(answer?.type === 'assistant.message' && answer.calls.length).toBe(129)
  expect(JSON.stringify(answer)).toMatch(/At most 128 calls .* 871 more calls/)
})

it('hidden provider data beyond a row’s size fails the run with an explanation', async () => {
  const provider = { openai: { encrypted: 'x'.repeat(200_000) } }
  const part = { type: 'reasoning', text: 'hm', provider } as AssistantPart
  const world = testWorld({ model: asking([part, { type: 'text', text: 'done' }]) })
  const id = await startRun(world, { input: 'x' })
  await settle(world)
  const { state } = await look(world, id)
  expect([state.status, state.error?.code]).toEqual(['failed', 'model_rejected'])
  expect(state.error?.message).toMatch(/^the answer has \d+ bytes besides its text/)
})
