/** SIGKILL of the real server while an open fan-out is handed in and worked on. */

import { expect, it } from 'vitest'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { fullOr } from '../support/full.ts'
import { startModelServer } from '../support/model-server.ts'
import { until } from '../support/patience.ts'
import { type Server, startServer } from '../support/server.ts'

const PAGES = 5
const TASKS = fullOr(1_000, 400)

interface Shown {
  readonly status: string
  readonly children: { readonly completed: number }
}

it('each task of an open fan-out (202, 200) has one run across kills, and its end is reported once', async () => {
  const model = await startModelServer({ thinkMs: 20 })
  cleanup.push(model.close)
  const webhookIds: string[] = []
  const receiver = await startCannedServer((request, response) => {
    webhookIds.push(`${request.headers['webhook-id']} ${JSON.parse(request.body).type}`)
    response.writeHead(204).end()
  })
  cleanup.push(receiver.close)
  const env = { OPENAI_BASE_URL: model.url }
  let server: Server = await startServer({ env })
  const restart = async (): Promise<void> => {
    await server.process.stop('SIGKILL')
    server = await startServer({ before: server, env })
  }
  const ask = (method: string, path: string, json?: unknown) => server.ask(path, { method, json })
  const webhook = { url: `${receiver.origin}/hook`, events: ['fanout.completed'] }
  const created = await ask('POST', '/v1/fanouts', { open: true, webhook })
  const { id } = (await created.json()) as { id: string }
  const send = (number: number): Promise<Response> =>
    ask('POST', `/v1/fanouts/${id}/tasks`, {
      page: number,
      tasks: Array.from({ length: TASKS }, (_, at) => ({ task: `@say ${number}.${at}` })),
    })
  const taken = async (number: number): Promise<void> => {
    expect((await send(number)).status).toBe(202)
  }
  /** A task that is under way in two kills would be set aside for minutes (PROTOCOL.md rule 34). */
  const finished = (pages: number): Promise<true> =>
    until(`the tasks of ${pages} pages`, async () => {
      const { children } = await server.get<Shown>(`/v1/fanouts/${id}`)
      return children.completed === pages * TASKS
    })
  // The last page first. A page is sent again after a kill, since its answer may be lost.
  await taken(4)
  await until('a task that is worked on', () => model.calls() > 0)
  await restart()
  await finished(1)
  await taken(3)
  await restart()
  await taken(3)
  await finished(2)
  const lost = send(2).catch(() => undefined)
  await restart()
  await lost
  await taken(2)
  await finished(3)
  for (const number of [1, 0]) await taken(number)
  expect((await ask('POST', `/v1/fanouts/${id}/seal`, { pages: PAGES })).status).toBe(200)
  await restart()
  await until('the end of the fan-out', async () => {
    const { status } = await server.get<Shown>(`/v1/fanouts/${id}`)
    if (status !== 'completed') expect(status).toBe('running')
    return status === 'completed'
  })
  interface Task {
    readonly index: number
    readonly run_id: string
    readonly result: string
  }
  interface Page {
    readonly data: readonly Task[]
    readonly next_cursor: string | null
  }
  const tasks: Task[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await server.get(`/v1/fanouts/${id}/tasks?limit=100${cursor}`)
    tasks.push(...page.data)
    cursor = page.next_cursor && `&cursor=${encodeURIComponent(page.next_cursor)}`
  }
  expect(tasks.map(({ index, result }) => [index, result])).toEqual(
    Array.from({ length: PAGES * TASKS }, (_, at) => {
      const [number, place] = [Math.floor(at / TASKS), at % TASKS]
      return [number * 1_000 + place, `${number}.${place}`]
    }),
  )
  expect(new Set(tasks.map(({ run_id }) => run_id)).size).toBe(PAGES * TASKS)
  await until('the webhook', () => webhookIds.length > 0)
  expect(new Set(webhookIds).size).toBe(1)
})
