/**
 * Runs on the Cloudflare home, counted: the deployed Worker in workerd between bindings that count
 * (workers/worker.ts), asked by HTTP; its retention ends when its clock is put forward.
 */

import { type Figure, type Places, placesOf, sumOf } from './figure.ts'
import type { Bill } from './prices.ts'
import { type Name, SCENARIOS } from './scenarios.ts'
import type { Counted } from './workers/bill.ts'
import { countingHome } from './workers/home.ts'

/** Of an object, whatever it uses. */
const OBJECT_GB = 0.128
const MONTH_MS = 31 * 86_400_000
const GB = 1e9

/** Each scenario so often after a first one; chance says when children end. */
const TIMES = 2

const stored = (of: Places): Bill => ({
  'object request': sumOf(of, 'object', 'requests') + sumOf(of, 'lane', 'requests'),
  'object row written':
    sumOf(of, 'object', 'rows written') +
    sumOf(of, 'lane', 'rows written') +
    sumOf(of, 'object', 'alarms set') +
    sumOf(of, 'lane', 'alarms set'),
  'object row read': sumOf(of, 'object', 'rows read') + sumOf(of, 'lane', 'rows read'),
  'd1 row written': sumOf(of, 'd1', 'rows written'),
  'd1 row read': sumOf(of, 'd1', 'rows read'),
  'r2 class A': sumOf(of, 'r2', 'class A'),
  'r2 class B': sumOf(of, 'r2', 'class B'),
})

const seconds = (of: Places, what: 'ms' | 'held ms'): number =>
  (OBJECT_GB * (sumOf(of, 'object', what) + sumOf(of, 'lane', what))) / 1_000

const grown = (after: Counted, before: Counted, runs: number): Bill => ({
  'object GB-month': (after.bytes.objects - before.bytes.objects) / runs / GB,
  'd1 GB-month': (after.bytes.d1 - before.bytes.d1) / runs / GB,
  'r2 GB-month': (after.bytes.r2 - before.bytes.r2) / runs / GB,
})

/** `together`: so many roots at once, which share objects and calls; of each the same share. */
export async function onCloudflare(
  names: readonly Name[],
  thinkMs: number,
  together = 1,
): Promise<Figure[]> {
  const home = await countingHome(thinkMs)
  const figures: Figure[] = []
  try {
    for (const run of names) {
      const { input } = SCENARIOS[run]
      const ids = [(await home.start(input)).id]
      const before = await home.rest()
      await home.reset()
      const calls = home.modelCalls()
      let cpuMs = 0
      for (let time = 0; time < TIMES; time += 1) {
        const all = Array.from({ length: together }, () => home.start(input))
        for (const started of await Promise.all(all)) {
          ids.push(started.id)
          cpuMs += started.cpuMs
        }
        await home.rest()
      }
      const counted = await home.rest()
      const runs = TIMES * together
      const places = placesOf(counted.places, runs)
      const models = (home.modelCalls() - calls) / runs
      for (const id of ids) {
        const status = await home.status(id)
        if (status !== 'completed') throw new Error(`${run}: ${id} is ${status}`)
      }
      await home.rest()
      await home.reset()
      await home.advance(MONTH_MS)
      const deletionPlaces = placesOf((await home.rest()).places, ids.length)
      for (const id of ids)
        if ((await home.status(id)) !== undefined) throw new Error(`${run}: ${id} is still there`)
      const gone = stored(deletionPlaces)
      figures.push({
        run,
        cloud: 'Cloudflare',
        calls: models,
        commits: sumOf(places, 'object', 'call commit'),
        storage: stored(places),
        deletion: { ...gone, 'object GB-second': seconds(deletionPlaces, 'ms') },
        compute: {
          'workers request': sumOf(places, 'worker', 'requests'),
          'workers CPU ms': cpuMs / runs,
          'object GB-second': seconds(places, 'ms'),
        },
        held: {
          'object GB-second': seconds(places, 'held ms') + seconds(deletionPlaces, 'held ms'),
        },
        kept: grown(counted, before, runs),
        places,
        deletionPlaces,
      })
    }
    return figures
  } finally {
    await home.stop()
  }
}
