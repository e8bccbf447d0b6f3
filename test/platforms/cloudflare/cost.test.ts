/**
 * What runs cost on the Cloudflare home, in what the platform bills, counted where it happens
 * (`npm run bench -- cost`): these numbers may fall, and none may rise.
 */

import { beforeAll, expect, it } from 'vitest'
import { onCloudflare } from '../../measure/cost/cloudflare.ts'
import { type Figure, sumOf } from '../../measure/cost/figure.ts'
import type { Item } from '../../measure/cost/prices.ts'

const PLAIN = 'a plain run'
const EIGHT = 'a fan-out of 8'
let figures: readonly Figure[] = []

beforeAll(async () => {
  figures = await onCloudflare([PLAIN, EIGHT], 0)
})

const of = (run: Figure['run']): Figure => figures.find((one) => one.run === run)!

/** When eight children end is chance: what a fan-out asks has room. */
const MOST: Readonly<Record<string, readonly [Figure['run'], Partial<Record<Item, number>>]>> = {
  plain: [PLAIN, { 'object request': 9, 'object row written': 13 }],
  eight: [EIGHT, { 'object request': 20, 'object row written': 100 }],
}
const MOST_TO_DELETE: typeof MOST = {
  plain: [PLAIN, { 'object request': 4, 'object row written': 9 }],
  eight: [EIGHT, { 'object request': 8, 'object row written': 24 }],
}

it.each(Object.entries(MOST))('a run (%s) stays within its request limit', (_, [run, most]) => {
  for (const [item, count] of Object.entries(most)) {
    const asked = of(run).storage[item as Item]
    expect(asked, item).toBeGreaterThan(0)
    expect(asked, item).toBeLessThanOrEqual(count)
  }
  // A warm run lists nothing, writes no body, and reads nothing from the database. Reads of the API
  // key are excluded: they follow from the time between requests (`key_cache_seconds`).
  expect(of(run).storage['r2 class A']).toBe(0)
  expect(of(run).places.d1).toBe(undefined)
})

it.each(Object.entries(MOST_TO_DELETE))(
  'the deletion of a run (%s) at the end of its retention stays within its request limit',
  (_, [run, most]) => {
    for (const [item, count] of Object.entries(most)) {
      const asked = of(run).deletion[item as Item]
      expect(asked, item).toBeGreaterThan(0)
      expect(asked, item).toBeLessThanOrEqual(count)
    }
  },
)

it('runs accepted together share an object with all their subagents, which the last deletion empties', () => {
  for (const run of [PLAIN, EIGHT] as const) {
    const { places, deletionPlaces, compute } = of(run)
    // Of two that are counted, and of the one before them that is deleted too.
    expect(places['object default/own']?.places).toBe(1 / 2)
    expect(sumOf(deletionPlaces, 'object default/own', 'emptied')).toBeCloseTo(1 / 3)
    expect(compute['workers request']).toBe(1)
  }
})
