/**
 * A subagent's subagent asks a person; the server is killed; another process on the same data takes
 * the decision and the tree goes on. Nothing is held meanwhile: the webhook has been told by then.
 */

import { expect, it } from 'vitest'
import type { Event } from '../../src/core/run/views/event.ts'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startModelServer } from '../support/model-server.ts'
import { until } from '../support/patience.ts'
import { createRun, type Server, startServer, untilEnd } from '../support/server.ts'

interface Asked {
  readonly id: string
  readonly tool: string
  readonly args_hash: string
  readonly root_run_id: string
  readonly path: readonly { readonly run_id: string; readonly label: string | null }[]
}

const nested = (task: string, label: string): string =>
  `@spawn 1 ${JSON.stringify({ task, label })}\n@await\n@say {results} below`
const WRITE = '@call file_write {"path":"a.txt","content":"approved"}\n@say written'

const pendingApprovals = (server: Server): Promise<readonly Asked[]> =>
  until('an approval', async () => {
    const { data } = await server.get<{ data: Asked[] }>('/v1/approvals')
    return data.length > 0 && data
  })

it('an approval two levels down can be decided by another process after a restart [AP-10 OP-06 NC-24]', async () => {
  // By webhook-id: a kill between a post and its record may bring the same message once more.
  const told = new Map<string, Event>()
  const receiver = await startCannedServer(({ headers, body }, response) => {
    told.set(String(headers['webhook-id']), (JSON.parse(body) as { data: Event }).data)
    response.writeHead(200).end()
  })
  cleanup.push(receiver.close)
  const model = await startModelServer()
  cleanup.push(model.close)
  const env = { OPENAI_BASE_URL: model.url, MAX_DEPTH: '2' }
  const first = await startServer({ env })
  await first.get('/v1/policy', {
    method: 'PUT',
    headers: { 'if-match': '"0"' },
    json: { approvals: { file_write: 'ask' } },
  })
  const input = nested(nested(WRITE, 'grandchild'), 'child')
  const webhook = { url: `${receiver.origin}/hook`, events: ['approval.requested'] }
  const { id } = await createRun(first, { input, webhook, limits: { timeout_seconds: 600 } })
  const [asked] = await pendingApprovals(first)
  expect(asked).toMatchObject({ tool: 'file_write', root_run_id: id })
  expect(asked?.path.map(({ label }) => label)).toEqual([null, 'child', 'grandchild'])
  await until('the webhook', () => told.size > 0)
  expect([...told.values()]).toMatchObject([
    { type: 'approval.requested', data: { id: asked?.id } },
  ])
  await first.process.stop('SIGKILL')

  const second = await startServer({ env, before: first })
  expect(await pendingApprovals(second)).toEqual([asked])
  const decision = { decision: 'approve', args_hash: asked?.args_hash }
  const path = `/v1/approvals/${asked?.id}/decision`
  await second.get(path, { method: 'POST', json: decision })
  const run = await untilEnd(second, id)
  expect(run).toMatchObject({ status: 'completed', output: { text: '1 below' } })
  expect((await second.get<{ data: Asked[] }>('/v1/approvals')).data).toEqual([])
  expect(told.size).toBe(1)
})
