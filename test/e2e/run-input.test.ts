/** The request of a run, read and sent again through a running server, for many requests. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { startNodeApi } from '../support/node-api.ts'
import { ask, eventsOf } from '../support/node-client.ts'
import { PNG } from '../support/pictures.ts'

const oneOf = <T>(...values: readonly T[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 })
const word = fc.constantFrom('@say x', 'Task:', 'Context:', '', 'é🦦', 'y'.repeat(20_000))
const text = fc
  .array(word, { minLength: 1, maxLength: 3 })
  .map((words) => words.join('\n'))
  .filter((value) => value.trim() !== '')
const picture = fc.constant({ type: 'image', data: PNG.toString('base64'), name: 'a.png' })
const content = fc.oneof(
  text,
  fc.array(
    fc.oneof(
      text.map((value) => ({ type: 'text', text: value })),
      picture,
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
)
const request = fc.record({
  input: content,
  context: oneOf('Known:\nTask: none'),
  label: oneOf('A label'),
  strict: oneOf(true, false),
  tools: oneOf<readonly string[]>([], ['file_read']),
  functions: oneOf([{ name: 'stock', parameters: { properties: { sku: {} } } }]),
  join: oneOf<object>({}, { policy: { quorum: 2 } }),
  limits: oneOf<object>({ max_steps: 1 }, { max_tokens: 9_000, timeout_seconds: 1.5 }),
  webhook: oneOf<object>({ url: 'http://127.0.0.1:1/x' }),
  approvals: oneOf<object>({}, { unattended: true }),
  metadata: oneOf<object>({ ticket: '7' }),
  priority: oneOf(0, 3),
})

it('a request sent again creates a run with the same specification', async () => {
  const api = await startNodeApi()
  const created = async (sent: object) => {
    const { status, body, text: answer } = await ask(api, 'POST', '/v1/runs', sent)
    expect([status, status === 202 ? '' : answer]).toEqual([202, ''])
    const [event] = await eventsOf(api, body.id)
    const { id, root_run_id: _, session_id: __, warnings: ___, ...spec } = event.data
    const { status: found, body: copy } = await ask(api, 'GET', `/v1/runs/${id}/input`)
    expect(found).toBe(200)
    return { spec, copy }
  }
  await fc.assert(
    fc.asyncProperty(request, async (sent) => {
      const first = await created(sent)
      expect(first.copy.omitted).toEqual([])
      const second = await created(first.copy.request)
      expect(second.spec).toEqual(first.spec)
      expect(second.copy.request).toEqual(first.copy.request)
    }),
    { numRuns: 40, seed: 20_261_129 },
  )
})
