/** Schedules, memory and long conversations on every host, by its HTTP API alone. */

import { expect } from 'vitest'
import { type Client, runToEnd, untilEnd } from '../support/launch.ts'
import { eventually } from './store/kit.ts'

interface Page<T> {
  readonly data: readonly T[]
  readonly next_cursor: string | null
}
interface Fire {
  readonly run_id: string | null
  readonly outcome: string | null
}

/**
 * A slot by the host's own clock, one run for it, and one more that a person asks for; and a slot of
 * a schedule that a file brings.
 */
export async function firesSchedules(client: Client): Promise<void> {
  const at = new Date(Date.now() + 12_000).toISOString()
  const file = '/v1/files/base/.agents/schedules/brought.md'
  const written = await client.ask(file, {
    method: 'PUT',
    body: `---\nat: ${at}\n---\n@say brought by a file\n`,
    headers: { 'content-type': 'text/markdown' },
  })
  expect(written.status).toBeLessThan(300)
  await client.get('/v1/schedules/brought/source', { method: 'PUT', json: {} })
  const put = () =>
    client.get<{ id: string }>('/v1/schedules/once', {
      method: 'PUT',
      json: { at, input: '@say fired at {{slot}}' },
    })
  const [one, two] = [await put(), await put()]
  expect(two.id).toBe(one.id)
  const fires = async (): Promise<readonly Fire[]> =>
    (await client.get<Page<Fire>>('/v1/schedules/once/runs')).data
  // A fire is noted before its run is created, so that a crash in between loses none.
  await eventually(async () => expect(await fires()).toMatchObject([{ outcome: 'completed' }]))
  const [fire] = await fires()
  const run = await untilEnd(client, fire!.run_id!)
  expect(run).toMatchObject({ status: 'completed', kind: 'schedule' })
  expect(run.output?.text).toBe(`fired at ${at}`)
  const { run_id } = await client.get<{ run_id: string }>('/v1/schedules/once/run', {
    method: 'POST',
    json: {},
  })
  expect((await untilEnd(client, run_id)).status).toBe('completed')
  await client.ask('/v1/schedules/once', { method: 'DELETE' })
  const brought = async (): Promise<readonly Fire[]> =>
    (await client.get<Page<Fire>>('/v1/schedules/brought/runs')).data
  await eventually(async () => expect(await brought()).toMatchObject([{ outcome: 'completed' }]))
  const last = await untilEnd(client, (await brought())[0]!.run_id!)
  expect(last.output?.text).toBe('brought by a file')
  await client.ask('/v1/schedules/brought', { method: 'DELETE' })
}

/** Written by REST, found by a search and by a run, which begins with what stands there. */
export async function remembers(client: Client): Promise<void> {
  const fact = { heading: 'Office', content: '- The otter is called Lutra.' }
  await client.get('/v1/memory/shared/MEMORY.md', { method: 'POST', json: fact })
  const found = await client.get<{ passages: readonly { path: string }[]; stale: boolean }>(
    '/v1/memory/search?query=otter',
  )
  expect(found).toMatchObject({ stale: false, passages: [{ path: 'shared/MEMORY.md' }] })
}

/** Turns of a session in pages, a fork that goes on alone, and a title. */
export async function keepsConversations(client: Client): Promise<void> {
  const { id } = await client.get<{ id: string }>('/v1/sessions', { method: 'POST', json: {} })
  for (const word of ['one', 'two', 'three']) {
    await runToEnd(client, { input: `@say ${word}`, session_id: id })
  }
  const path = `/v1/sessions/${id}`
  interface Said {
    readonly position: string
    readonly parts?: readonly { readonly text: string }[]
  }
  const all = async (): Promise<readonly Said[]> => {
    const found: Said[] = []
    for (let cursor = ''; ; ) {
      const page = await client.get<Page<Said>>(`${path}/messages?limit=2${cursor}`)
      found.push(...page.data)
      if (page.next_cursor === null) return found
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
    }
  }
  const textsOf = (said: readonly Said[]): string[] =>
    said.flatMap(({ parts = [] }) => parts.map(({ text }) => text))
  // A session takes in what a run leaves a moment after the run has ended.
  await eventually(async () => expect(textsOf(await all())).toEqual(['one', 'two', 'three']))
  const json = { position: (await all())[1]!.position, title: 'the other way' }
  const fork = await client.get<{ id: string; title: string }>(`${path}/fork`, {
    method: 'POST',
    json,
  })
  await runToEnd(client, { input: '@say elsewhere', session_id: fork.id })
  expect(fork.title).toBe('the other way')
  await eventually(async () => {
    const said = await client.get<Page<Said>>(`/v1/sessions/${fork.id}/messages?limit=20`)
    expect(textsOf(said.data)).toEqual(['one', 'elsewhere'])
  })
  const [first] = (await client.get<Page<{ id: string }>>(`${path}/runs?limit=1`)).data
  const byRun = await client.get<{ forked_from: object }>(`${path}/fork`, {
    method: 'POST',
    json: { run_id: first!.id },
  })
  expect(byRun.forked_from).toEqual({ session_id: id, position: json.position })
  await ordersByActivity(client, id, fork.id)
}

/** Each turn brings its session to the front; the place of before is gone. */
async function ordersByActivity(client: Client, ...sessions: readonly string[]): Promise<void> {
  for (const id of sessions) {
    await runToEnd(client, { input: '@say once more', session_id: id })
    await eventually(async () => {
      const { data } = await client.get<Page<{ id: string }>>('/v1/sessions?order=active')
      const ids = data.map((one) => one.id)
      expect(ids[0]).toBe(id)
      expect(new Set(ids).size).toBe(ids.length)
    })
  }
}
