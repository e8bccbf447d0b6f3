/** The arithmetic of `npm run bench -- scale`, by hand, and the sources of its limits. */

import { describe, expect, it } from 'vitest'
import { commonOptions } from '../../../src/hosts/shared/options.ts'
import type { Figure } from '../cost/figure.ts'
import { awsDemands, workersDemands } from './demands.ts'
import { AWS_LIMITS, type Limit, UNMET, WORKERS_LIMITS } from './limits.ts'
import { ceiling, type Demand, loadOn, month } from './month.ts'

const limit = (value: number): Limit => ({
  value,
  of: 'things a second',
  bounds: 'a place',
  kind: 'hard',
  source: 'https://example.com/limits',
  read: '2026-11-23',
})
const demand = (given: Partial<Demand>): Demand => ({
  limit: limit(1_000),
  where: 'a place',
  run: 1,
  deletion: 0,
  is: 'rate',
  places: 1,
  ours: true,
  ...given,
})

describe('monthly load', () => {
  it('has a rate ceiling that includes the run and its deletion, over all places', () => {
    expect(ceiling(demand({ run: 2 }))).toBe(500)
    expect(ceiling(demand({ run: 2, deletion: 2 }))).toBe(250)
    expect(ceiling(demand({ run: 2, deletion: 2, places: 8 }))).toBe(2_000)
    expect(ceiling(demand({ run: 0 }))).toBe(Number.POSITIVE_INFINITY)
  })

  it('has a stock ceiling of what thirty days of runs leave behind', () => {
    // 10 GB, 1,000 bytes a run, 2,592,000 s.
    const full = demand({ is: 'stock', limit: limit(10e9), run: 1_000 })
    expect(ceiling(full)).toBeCloseTo(3.858, 3)
    // 86.4 MB a day and run a second: 100 runs a second fill it on the second day.
    expect(month([full], 100)).toMatchObject([{ day: 2 }])
    expect(month([full], 3.8)).toEqual([])
    // What is deleted makes room: it does not grow after the retention.
    expect(loadOn(31, full, 1)).toBe(loadOn(30, full, 1))
  })

  it('includes deletions when the retention ends, which break what runs alone do not', () => {
    const both = demand({ run: 1, deletion: 1 })
    expect(month([both], 900)).toMatchObject([{ day: 31, load: 1.8 }])
    expect(month([both], 1_001)).toMatchObject([{ day: 1 }])
    expect(month([both], 500)).toEqual([])
  })

  it('lists first what breaks at the lowest rate', () => {
    const few = demand({ run: 4, where: 'first' })
    const many = demand({ run: 2, where: 'second' })
    expect(month([many, few], 900).map(({ demand: { where } }) => where)).toEqual([
      'first',
      'second',
    ])
  })
})

const figure = (given: Partial<Figure>): Figure => ({
  run: 'a fan-out of 8',
  cloud: 'Cloudflare',
  calls: 10,
  commits: 1,
  storage: {},
  deletion: {},
  compute: {},
  held: {},
  kept: {},
  places: {},
  deletionPlaces: {},
  ...given,
})
const byWhere = (demands: readonly Demand[], where: string): Demand => {
  const found = demands.find((one) => one.where.startsWith(where))
  if (!found) throw new Error(`${where} is none of ${demands.map((one) => one.where).join('; ')}`)
  return found
}

describe('demands', () => {
  it('of a fan-out are divided among its nine runs', () => {
    const counted = figure({
      kept: { 'd1 GB-month': 9_000 / 1e9 },
      places: {
        d1: { queries: 45 },
        'object default/tenant': { requests: 18 },
        'lane subagent/0': { requests: 18, 'place ms': 18_000 },
      },
      deletionPlaces: { d1: { queries: 9 }, 'object default/tenant': { requests: 9 } },
    })
    const demands = workersDemands(counted, { tenants: 2, expiring: 1 })
    expect(byWhere(demands, 'D1: its size')).toMatchObject({ run: 1_000, is: 'stock', ours: true })
    expect(byWhere(demands, 'D1: its one thread')).toMatchObject({ run: 5, deletion: 1 })
    expect(byWhere(demands, 'a tenant’s object')).toMatchObject({ run: 2, deletion: 1, places: 2 })
    // 64 shards of 250 places.
    expect(byWhere(demands, 'objects of lane subagent')).toMatchObject({ run: 2, places: 64 })
    expect(ceiling(byWhere(demands, 'places of lane subagent, as set'))).toBe(64)
    expect(ceiling(byWhere(demands, 'places of lane subagent, widest'))).toBe(8_000)
  })

  it('of index-key writes belong to a tenant, and those of alarms are spread over eight keys', () => {
    const counted = figure({
      run: 'a plain run',
      cloud: 'AWS',
      storage: { 'dynamodb write unit': 13 },
      deletion: { 'dynamodb write unit': 7 },
      places: {
        'index lists test/runs': { write: 2, read: 0 },
        // The children of one run: nobody shares it.
        'index lists test/runs/own': { write: 100, read: 0 },
        'index alarms started/3': { write: 1, read: 0 },
        'table test/policy/tenant': { write: 0, read: 2 },
        'lambda main': { ms: 2_000, requests: 1 },
      },
      deletionPlaces: {
        'index lists test/runs': { write: 2, read: 0 },
        'index alarms started/3': { write: 3, read: 0 },
      },
    })
    const demands = awsDemands(counted, { tenants: 1, tickMs: 2 })
    expect(ceiling(byWhere(demands, 'index `lists`'))).toBe(250)
    expect(ceiling(byWhere(demands, 'index `alarms`: started'))).toBe(2_000)
    expect(ceiling(byWhere(demands, 'a tenant’s policy'))).toBe(1_500)
    expect(ceiling(byWhere(demands, 'the table'))).toBe(2_000)
    expect(ceiling(byWhere(demands, 'functions of lane main, as set'))).toBe(32)
    expect(ceiling(byWhere(demands, 'functions of lane main, widest'))).toBe(500)
    expect(byWhere(demands, 'all functions')).toMatchObject({ ours: false, run: 2 })
    expect(ceiling(byWhere(demands, 'the clock'))).toBeCloseTo(72.36, 2)
  })
})

it.each(Object.entries({ ...WORKERS_LIMITS, ...AWS_LIMITS }))(
  '%s: a limit has a value, a source, and the date when it was read',
  (_, { value, source, read, kind, bounds }) => {
    expect(value).toBeGreaterThan(0)
    expect(bounds).not.toBe('')
    expect(source).toMatch(kind === 'ours' ? /^(?:src|infra)\/[\w./-]+\.ts$/ : /^https:\/\//)
    expect(read).toMatch(/^2026-\d\d-\d\d$/)
  },
)

it('limits that sustained load does not meet also have a source', () => {
  for (const [, what, source] of UNMET) {
    expect(what).not.toBe('')
    expect(source).toMatch(/^https:\/\//)
  }
})

it('lane widths match the settings', () => {
  const { widths } = commonOptions({})
  expect(WORKERS_LIMITS['main lane'].value).toBe(widths.main)
  expect(WORKERS_LIMITS['subagent lane'].value).toBe(widths.subagent)
  const widest = WORKERS_LIMITS['main lane, widest'].value
  expect(commonOptions({ LANE_MAIN: `${widest}` }).widths.main).toBe(widest)
  expect(() => commonOptions({ LANE_MAIN: `${widest + 1}` })).toThrow('whole number')
})
