/** What `npm run bench -- cost` makes of counts: prices have sources, and places are summed up by hand. */

import { expect, it } from 'vitest'
import { placesOf, sumOf } from './figure.ts'
import { dollars, isTime, PRICES } from './prices.ts'

it.each(Object.entries(PRICES))('%s: a price has a source and a date', (_, price) => {
  expect(price.usd).toBeGreaterThan(0)
  expect(price.source).toMatch(/^https:\/\//)
  expect(price.date).toMatch(/^2026-\d\d-\d\d$/)
})

it('dollars per million are converted to unit prices', () => {
  // 10 rows at 1 dollar, 8 requests at 0.15, 2 GB-seconds at 12.50.
  const bill = { 'object row written': 10, 'object request': 8, 'object GB-second': 2 }
  expect(dollars(bill)).toBeCloseTo(36.2)
  expect(Object.keys(bill).filter(isTime)).toEqual(['object GB-second'])
})

it('the places of one run share one name, and a shared place keeps its name', () => {
  const places = placesOf(
    {
      'object default/0123456789': { requests: 3 },
      'object default/abcdefghjk': { requests: 5 },
      'object default/tenant': { requests: 4 },
      'lists test/runs/run_a1': { write: 8 },
      'lists test/runs': { write: 2 },
    },
    2,
  )
  expect(places['object default/own']).toEqual({ places: 1, requests: 4 })
  expect(places['object default/tenant']).toEqual({ requests: 2 })
  expect(sumOf(places, 'object', 'requests')).toBe(6)
  expect(sumOf(places, 'lists test/runs', 'write')).toBe(5)
  expect(sumOf(places, 'lists test/runs$', 'write')).toBe(1)
})
