/** Runs by a text that stands in their row, on every host. */

import { expect } from 'vitest'
import type { Client } from '../support/launch.ts'
import { eventually } from './store/kit.ts'

interface Runs {
  readonly data: readonly { readonly id: string }[]
  readonly next_cursor: string | null
}

export async function findsByText(client: Client): Promise<void> {
  const mark = crypto.randomUUID()
  const create = async (json: object): Promise<string> => {
    const given = { method: 'POST', json: { input: '@say ok', ...json } }
    return (await client.get<{ id: string }>('/v1/runs', given)).id
  }
  const one = await create({ label: `Ä ${mark.toUpperCase()}` })
  const two = await create({ metadata: { mark }, agent: 'explore' })
  const three = await create({ input: `@say ${mark}` })
  const asked = (query: string) => client.get<Runs>(`/v1/runs?${query}`)
  const ids = async (query: string) => (await asked(query)).data.map(({ id }) => id)
  // Lists may lag a little.
  await eventually(async () =>
    expect((await ids(`q=${mark}`)).sort()).toEqual([one, two, three].sort()),
  )
  expect(await ids(`q=${mark}&agent=explore`)).toEqual([two])
  expect(await ids(`q=${encodeURIComponent(`ä ${mark.slice(0, 8)}`)}`)).toEqual([one])
  expect(await ids(`q=${mark}x`)).toEqual([])
  // The request that starts it again is whole.
  const again = await client.get(`/v1/runs/${three}/request`)
  expect(again).toMatchObject({ request: { input: `@say ${mark}` }, left_out: [] })
  const seen: string[] = []
  for (let query = `q=${mark}&limit=1`; ; ) {
    const { data, next_cursor } = await asked(query)
    seen.push(...data.map(({ id }) => id))
    if (next_cursor === null) break
    query = `q=${mark}&limit=1&cursor=${next_cursor}`
  }
  expect(seen.sort()).toEqual([one, two, three].sort())
  const { next_cursor } = await asked(`q=${mark}&limit=1`)
  expect((await client.ask(`/v1/runs?q=other&cursor=${next_cursor}`)).status).toBe(400)
}
