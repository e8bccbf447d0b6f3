/** A deployment that is paused in place: its objects start nothing, and go on afterwards. */

import { expect, it } from 'vitest'
import { newKey } from '../../../src/engine/tenant/api-keys.ts'
import { cleanup } from '../../support/cleanup.ts'
import {
  type Client,
  clientOf,
  createRun,
  eventPages,
  type RunShown,
  temporaryFolder,
  untilEnd,
} from '../../support/launch.ts'
import { startModelServer } from '../../support/model-server.ts'
import { startTimer, until } from '../../support/patience.ts'
import { migrateLocally, SCRIPTED, startWorker } from '../../support/worker.ts'

it('a paused Worker answers reads, refuses changes, calls no model, and later continues its runs', async () => {
  const model = await startModelServer()
  cleanup.push(() => model.close())
  const data = await temporaryFolder(cleanup)
  await migrateLocally(data)
  const { key } = newKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  const deployed = async (paused: boolean, check: (client: Client) => Promise<void>) => {
    const vars = { ...SCRIPTED, OPENAI_BASE_URL: model.url, STRATA_ADMIN_KEY: key }
    const worker = await startWorker({ ...vars, STRATA_PAUSED: String(paused) }, data)
    try {
      await check(clientOf(worker.url, key))
    } finally {
      await worker.stop()
    }
  }
  let id = ''
  await deployed(false, async (client) => {
    id = (await createRun(client, { input: '@slow 20000\n@call todo {"todos": []}\n@say done' })).id
    await until('the call of the model', () => model.calls() > 0)
  })
  await deployed(true, async (client) => {
    const calls = model.calls()
    const before = await eventPages(client, id)
    const isOver = startTimer(10_000)
    await until('ten seconds', isOver)
    expect(await eventPages(client, id)).toEqual(before)
    expect(model.calls()).toBe(calls)
    const refused = await client.ask('/v1/runs', { method: 'POST', json: { input: '@say no' } })
    expect(refused.status).toBe(503)
    expect((await client.get<RunShown>(`/v1/runs/${id}`)).status).toBe('running')
  })
  await deployed(false, async (client) => {
    expect(await untilEnd(client, id)).toMatchObject({ output: { text: 'done' } })
  })
})
