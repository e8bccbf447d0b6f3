/** The request of a run, read and sent again through a running server. */

import { expect, it } from 'vitest'
import { startNodeApi } from '../support/node-api.ts'
import { ask, eventsOf } from '../support/node-client.ts'
import { PNG } from '../support/pictures.ts'

const picture = { type: 'image', data: PNG.toString('base64'), name: 'a.png' }
const REQUESTS: Readonly<Record<string, object>> = {
  'a text': { input: '@say x' },
  'a long text with marks of the engine': {
    input: `Task:\n${'y'.repeat(20_000)}\n\nContext:\né🦦`,
  },
  'text and picture': { input: [{ type: 'text', text: '@say x' }, picture, picture] },
  'a context': { input: '@say x', context: 'Known:\nTask: none', label: 'A label' },
  'a picture with a context': { input: [picture], context: 'Look.', priority: 3 },
  'each optional member': {
    input: '@say x',
    ...{ strict: true, tools: ['file_read'], join: { policy: { quorum: 2 } } },
    functions: [{ name: 'stock', parameters: { properties: { sku: {} } } }],
    limits: { max_tokens: 9_000, timeout_seconds: 1.5 },
    webhook: { url: 'http://127.0.0.1:1/x' },
    approvals: { unattended: true },
    metadata: { ticket: '7' },
  },
  'members that equal their defaults': {
    ...{ input: '@say x', strict: false, tools: [], join: {}, approvals: {}, priority: 0 },
  },
}

it.each(Object.entries(REQUESTS))(
  'a request with %s, sent again, creates an equal run',
  async (_, sent) => {
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
    const first = await created(sent)
    expect(first.copy.omitted).toEqual([])
    const second = await created(first.copy.request)
    expect(second.spec).toEqual(first.spec)
    expect(second.copy.request).toEqual(first.copy.request)
  },
)
