/** A server that is closed under work: what has begun still has its store, and no rejection is unhandled. */

import { expect, it } from 'vitest'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startNodeApi } from '../support/node-api.ts'
import { ask } from '../support/node-client.ts'

const WAITS = '@call ask_user {"question":"Which?"}\n@say done'

it('the store stays open until requests, streams, passes, and deliveries in progress have ended', async () => {
  const receiver = await startCannedServer((_, response) => void response.end())
  cleanup.push(receiver.close)
  const api = await startNodeApi({ LOG_LEVEL: 'silent' })
  const parked = (await ask(api, 'POST', '/v1/runs', { input: WAITS })).body
  const accept = { accept: 'text/event-stream' }
  const waiting = [
    ask(api, 'GET', `/v1/runs/${parked.id}/events`, undefined, accept),
    ask(api, 'GET', `/v1/runs/${parked.id}?wait=60`),
    ask(api, 'POST', '/v1/runs', { input: WAITS }, { prefer: 'wait=60' }),
  ]
  const request = {
    input: '@spawn 3 {"task":"@say part {i}"}\n@await\n@say saw {results}',
    webhook: { url: `${receiver.origin}/hook` },
  }
  const created = Array.from({ length: 30 }, () => ask(api, 'POST', '/v1/runs', request))
  await Promise.any(created)
  const listed = Array.from({ length: 10 }, () => ask(api, 'GET', '/v1/runs?limit=100'))
  const answers = Promise.allSettled([...waiting, ...created, ...listed])
  await api.host.close()
  await answers
  expect(api.told).toEqual([])
  await expect(api.host.world.store.heads(['p'])).rejects.toThrow('The store is closed')
})
