/** Start times and durations in events of a running server that exports no traces. */

import { expect, it } from 'vitest'
import { startNodeApi } from '../support/node-api.ts'
import { eventsOf, runToEnd } from '../support/node-client.ts'

const INPUT = [
  '@slow 300',
  '@call file_write {"path":"a.md","content":"x"}',
  '@call no_such_tool {}',
  '@then',
  '@say done',
].join('\n')

it('events contain the times of model and tool calls without exported traces', async () => {
  const api = await startNodeApi()
  const run = await runToEnd(api, { input: INPUT })
  const events = await eventsOf(api, run.id)
  const of = (type: string) => events.filter((event) => event.type === type)
  const answers = of('assistant.message')
  const [written, refused] = of('tool.result').toSorted((a) => (a.data.status === 'ok' ? -1 : 1))
  expect(answers[0]!.data.duration_ms).toBeGreaterThanOrEqual(300)
  for (const { data, created_at } of [...answers, written!]) {
    expect(data.duration_ms).toBeGreaterThanOrEqual(0)
    const [began, created] = [data.began_at, created_at].map((time) => Date.parse(time))
    expect(began).toBeGreaterThanOrEqual(Date.parse(run.created_at))
    expect(began).toBeLessThanOrEqual(created!)
  }
  expect(refused!.data).toMatchObject({ status: 'error', duration_ms: 0 })
  expect(refused!.data).not.toHaveProperty('began_at')
})
