/** SIGKILL of the real server while an open fan-out is handed in and worked on. */

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startModelServer } from '../support/model-server.ts'
import { type Server, startServer } from '../support/server.ts'

const PAGES = 6
const TASKS = 40
const KILLS = 3

it('202 and 200: through kills every task of every page has one run, and the end is told once', async () => {
  const model = await startModelServer({ thinkMs: 20 })
  cleanup.push(model.close)
  const told: string[] = []
  const receiver = await startCannedServer((request, response) => {
    told.push(`${request.headers['webhook-id']} ${JSON.parse(request.body).type}`)
    response.writeHead(204).end()
  })
  cleanup.push(receiver.close)
  const env = { OPENAI_BASE_URL: model.url }
  let server: Server = await startServer({ env })
  const again = async (): Promise<void> => {
    await server.process.stop('SIGKILL')
    server = await startServer({ before: server, env })
  }
  const ask = (method: string, path: string, json?: unknown) => server.ask(path, { method, json })
  const webhook = { url: `${receiver.origin}/hook`, events: ['fanout.completed'] }
  const created = await ask('POST', '/v1/fanouts', { open: true, webhook })
  const { id } = (await created.json()) as { id: string }
  const page = (number: number) => ({
    page: number,
    tasks: Array.from({ length: TASKS }, (_, at) => ({ task: `@say ${number}.${at}` })),
  })
  // The last page first; each is handed in until it is known to have come.
  for (let number = PAGES - 1; number >= 0; number -= 1) {
    if (number < KILLS) {
      const lost = ask('POST', `/v1/fanouts/${id}/tasks`, page(number)).catch(() => undefined)
      await sleep(number * 15)
      await again()
      await lost
    }
    const answer = await ask('POST', `/v1/fanouts/${id}/tasks`, page(number))
    expect(answer.status).toBe(202)
  }
  expect((await ask('POST', `/v1/fanouts/${id}/seal`, { pages: PAGES })).status).toBe(200)
  await again()
  for (let looks = 0; ; looks += 1) {
    const { status } = (await (await ask('GET', `/v1/fanouts/${id}`)).json()) as { status: string }
    if (status === 'completed') break
    expect([status, looks < 600]).toEqual(['running', true])
    await sleep(200)
  }
  const found: { index: number; run_id: string; result: string; status: string }[] = []
  for (let cursor = ''; ; ) {
    const answer = await ask('GET', `/v1/fanouts/${id}/tasks?limit=100${cursor}`)
    const { data, next_cursor } = (await answer.json()) as {
      data: typeof found
      next_cursor: string | null
    }
    found.push(...data)
    if (next_cursor === null) break
    cursor = `&cursor=${encodeURIComponent(next_cursor)}`
  }
  expect(found.map(({ index, result }) => [index, result])).toEqual(
    Array.from({ length: PAGES * TASKS }, (_, at) => {
      const [number, place] = [Math.floor(at / TASKS), at % TASKS]
      return [number * 1_000 + place, `${number}.${place}`]
    }),
  )
  expect(new Set(found.map(({ run_id }) => run_id)).size).toBe(PAGES * TASKS)
  for (let looks = 0; told.length === 0 && looks < 100; looks += 1) await sleep(100)
  expect(new Set(told).size).toBe(1)
  expect(told[0]).toMatch(/fanout\.completed$/)
})
