/** Lists of a tenant, in workerd: they lie in objects, one for each hour, and read as one list. */

import { expect, it, vi } from 'vitest'
import { storeOf, type WorkerEnv } from '../../../../src/hosts/cloudflare/compose.ts'
import { env, migrate } from './env.ts'

await migrate()

const store = storeOf(env as unknown as WorkerEnv)
const eventually = (check: () => Promise<void>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 100 })

const HOURS = ['2026-01-01T00', '2026-01-01T23', '2026-02-03T04', '2026-02-03T05']

/** Two rows of each hour, oldest first. */
async function filled(tenant: string): Promise<readonly string[]> {
  const places = HOURS.flatMap((hour) => [`${hour}:00:00.000Z a`, `${hour}:59:59.999Z b`])
  await Promise.all(
    places.map((at, i) =>
      store.commit(
        `${tenant}/run/run_${tenant}${String(i).padStart(26 - tenant.length, '0')}`,
        [],
        {
          expect: null,
          body: at,
          listed: { under: `${tenant}/runs`, at, tags: i % 2 === 0 ? 'c =even' : 'f =odd' },
        },
      ),
    ),
  )
  await eventually(async () => expect(await store.list(`${tenant}/runs`)).toHaveLength(8))
  return places
}

it('a list of many hours is one list: newest first, page by page, and without the database', async () => {
  const places = await filled('hourone')
  const all = await store.list('hourone/runs')
  expect(all.map(({ at }) => at)).toEqual(places.toReversed())
  const page = await store.list('hourone/runs', all[1]!.at, 3)
  expect(page.map(({ at }) => at)).toEqual(places.toReversed().slice(2, 5))
  const { results } = await env.DB.prepare(
    "SELECT count(*) AS n FROM entry WHERE p LIKE 'hourone/%'",
  ).all()
  expect(results[0]?.n).toBe(0)
  const directory = await store.read('hourone/lists/hours')
  expect(directory.map(({ key }) => key)).toEqual(HOURS)
})

it('a tag search finds rows in either order, within bounds that lie in other hours', async () => {
  const places = await filled('hourtwo')
  const find = (more: object) =>
    store.find('hourtwo/runs', { marks: '', words: [], order: 'newest', limit: 100, ...more })
  const ats = async (more: object) => (await find(more)).rows.map(({ at }) => at)
  expect(await ats({ order: 'oldest' })).toEqual(places)
  expect(await ats({ marks: 'c' })).toEqual(places.filter((_, i) => i % 2 === 0).toReversed())
  expect(await ats({ above: places[1]!, below: places[6]! })).toEqual(
    places.slice(2, 6).toReversed(),
  )
  const first = await find({ order: 'oldest', limit: 3 })
  expect(first.rows.map(({ at }) => at)).toEqual(places.slice(0, 3))
  expect(await ats({ order: 'oldest', above: first.reached })).toEqual(places.slice(3))
})

it('an hour whose last row is deleted is emptied and removed from the directory', async () => {
  const places = await filled('hourthree')
  const all = await store.list('hourthree/runs')
  for (const { partition, at } of all) if (at.startsWith(HOURS[1]!)) await store.drop(partition)
  await eventually(async () =>
    expect((await store.read('hourthree/lists/hours')).map(({ key }) => key)).toEqual(
      HOURS.filter((hour) => hour !== HOURS[1]),
    ),
  )
  expect((await store.list('hourthree/runs')).map(({ at }) => at)).toEqual(
    places.filter((at) => !at.startsWith(HOURS[1]!)).toReversed(),
  )
})

it('children stored elsewhere are listed by their parent’s object until either is gone', async () => {
  const id = (kin: string, n: number) => `run_${kin}${String(n).padStart(16, '0')}`
  const parent = id('parentkin0', 0)
  const [near, far, late] = [id('parentkin0', 1), id('otherkin00', 2), id('otherkin00', 3)]
  const under = `kids/runs/${parent}`
  const run = (of: string) => `kids/run/${of}`
  const child = (of: string) =>
    store.commit(run(of), [], {
      ...{ expect: null, body: of, listed: { under, at: `2026-01-01T00:00:00.000Z ${of}` } },
    })
  await store.commit(run(parent), [], { expect: null, body: 'parent' })
  await child(near)
  expect((await store.list(under)).map(({ body }) => body)).toEqual([near])
  await child(far)
  const shown = async () => (await store.list(under)).map(({ body }) => body)
  await eventually(async () => expect(await shown()).toEqual([near, far].toSorted().toReversed()))
  // Its copy is no row of its own: who asks for the child asks its object.
  await store.drop(run(far))
  await eventually(async () => expect(await shown()).toEqual([near]))
  await store.drop(run(near))
  await store.drop(run(parent))
  await child(late)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(await shown()).toEqual([])
})
