/**
 * What one run asks of each place that others share with it: counts of `npm run bench -- cost`, set against
 * the limit of the place. Children are runs too, so what a fan-out of 8 asks is shared out to nine.
 */

import { laneOf } from '../../../src/hosts/cloudflare/lanes/lanes.ts'
import { type Figure, type Places, sumOf } from '../cost/figure.ts'
import { SCENARIOS } from '../cost/scenarios.ts'
import { ALARM_SHARDS, AWS_LIMITS, type Limit, WORKERS_LIMITS } from './limits.ts'
import type { Demand } from './month.ts'

export const runsOf = ({ run }: Figure): number => 1 + SCENARIOS[run].children

interface Given {
  readonly limit: Limit
  readonly where: string
  /** Of the whole work: the root and all below it. */
  readonly run: number
  readonly deletion?: number
  readonly is?: Demand['is']
  readonly places?: number
  readonly ours?: boolean
  readonly mend?: string
}

const demandsOf =
  (figure: Figure) =>
  ({ limit, where, run, deletion = 0, is = 'rate', places = 1, ours, mend }: Given): Demand => ({
    limit,
    where,
    run: run / runsOf(figure),
    deletion: deletion / runsOf(figure),
    is,
    places,
    ours: ours ?? limit.kind !== 'account',
    ...(mend === undefined ? {} : { mend }),
  })

const D1 = 'reservations in objects of their own; D1 keeps keys and hooks'
const WIDER = 'take more than 16,000 in LANE_…: lanes are sharded by 250 places already'
const QUEUES = 'several queues and event sources for a lane, chosen by the digest of the partition'

export interface WorkersInput {
  readonly tenants: number
  /** Rows with an end that one run with an Idempotency-Key leaves in D1. */
  readonly expiring: number
}

/** Shards of a lane that is as wide as it may be. */
function shardsOf(pool: 'main' | 'subagent', width: number): number {
  const widths = { main: width, subagent: width, background: width, resume: width, delivery: width }
  const names = Array.from({ length: 10_000 }, (_, i) => laneOf(pool, `t/run/${i}`, widths).name)
  return new Set(names).size
}

export function workersDemands(figure: Figure, { tenants, expiring }: WorkersInput): Demand[] {
  const { places, deletionPlaces, kept } = figure
  const demand = demandsOf(figure)
  const L = WORKERS_LIMITS
  const both = (place: string, what: string) => ({
    run: sumOf(places, place, what),
    deletion: sumOf(deletionPlaces, place, what),
  })
  const lanes = (['main', 'subagent'] as const).flatMap((lane) => {
    const seconds = sumOf(places, `lane ${lane}/`, 'place ms') / 1_000
    return [
      demand({
        limit: L['object requests'],
        where: `objects of lane ${lane}: calls`,
        ...both(`lane ${lane}/`, 'requests'),
        places: shardsOf(lane, L[`${lane} lane, widest`].value),
      }),
      demand({
        limit: L[`${lane} lane`],
        where: `places of lane ${lane}, as set`,
        run: seconds,
        mend: `a setting: LANE_${lane.toUpperCase()}`,
      }),
      demand({
        limit: L[`${lane} lane, widest`],
        where: `places of lane ${lane}, widest`,
        run: seconds,
        mend: WIDER,
      }),
    ]
  })
  return [
    demand({
      limit: L['d1 size'],
      where: 'D1: its size, by what a run leaves there',
      run: (kept['d1 GB-month'] ?? 0) * 1e9,
      is: 'stock',
      mend: D1,
    }),
    demand({
      limit: L['d1 queries'],
      where: 'D1: its one thread, by what requests and passes ask',
      ...both('d1$', 'queries'),
      mend: D1,
    }),
    demand({
      limit: L['object requests'],
      where: 'a tenant’s object: its policy and endpoints',
      ...both('object default/tenant$', 'requests'),
      places: tenants,
      mend: 'each isolate keeps the policy and the list of endpoints for a second, or the run’s creation carries both',
    }),
    demand({
      limit: L['object requests'],
      where: 'a tenant’s object of an hour: copies for its lists',
      ...both('object default/hour$', 'requests'),
      places: tenants,
      mend: 'several objects for an hour, by the digest of the object that sends',
    }),
    ...lanes,
    demand({
      limit: L.sweep,
      where: 'D1: rows that expire, where each request has an Idempotency-Key',
      // One a request: a root, not its children.
      run: expiring,
      mend: 'sweep until a page comes short, or keep reservations in objects with an alarm',
    }),
    demand({
      limit: L['r2 writes of a key'],
      where: 'R2: writes of one key',
      run: 0,
      ours: false,
    }),
  ]
}

export interface AwsInput {
  readonly tenants: number
  /** Processor's ms of the clock for one alarm that is due, measured. */
  readonly tickMs: number
}

/** Function seconds by queue: one message at a time, so a second of a function is one of a place. */
const secondsOf = (places: Places, beginning: string): number =>
  sumOf(places, beginning, 'ms') / 1_000

export function awsDemands(figure: Figure, { tenants, tickMs }: AwsInput): Demand[] {
  const { places, deletionPlaces, storage, deletion } = figure
  const demand = demandsOf(figure)
  const L = AWS_LIMITS
  const both = (place: string, what: string) => ({
    run: sumOf(places, place, what),
    deletion: sumOf(deletionPlaces, place, what),
  })
  const seconds = (beginning: string) => ({
    run: secondsOf(places, beginning),
    deletion: secondsOf(deletionPlaces, beginning),
  })
  const of = (item: keyof typeof storage) => ({
    run: storage[item] ?? 0,
    deletion: deletion[item] ?? 0,
  })
  const lanes = (['main', 'subagent', 'resume'] as const).flatMap((lane) => [
    demand({
      limit: L[`${lane} lane`],
      where: `functions of lane ${lane}, as set`,
      ...seconds(`lambda ${lane}`),
      mend: `a setting: -c lane-${lane}`,
    }),
    demand({
      limit: L['event source'],
      where: `functions of lane ${lane}, widest`,
      ...seconds(`lambda ${lane}`),
      mend: QUEUES,
    }),
    demand({
      limit: L['sqs in flight'],
      where: `queue ${lane}: messages in flight`,
      ...seconds(`lambda ${lane}`),
    }),
  ])
  return [
    ...lanes,
    demand({ limit: L['lambda concurrency'], where: 'all functions', ...seconds('lambda ') }),
    demand({
      limit: L['partition writes'],
      where: 'index `lists`: the list of a tenant’s runs',
      ...both('index lists test/runs$', 'write'),
      places: tenants,
      mend: 'the list’s key gets a shard, as alarms have, and `find` merges them',
    }),
    ...(['started', 'queued'] as const).map((rank) =>
      demand({
        limit: L['partition writes'],
        where: `index \`alarms\`: ${rank}, over ${ALARM_SHARDS} shards`,
        ...both(`index alarms ${rank}/`, 'write'),
        places: ALARM_SHARDS,
        mend: 'more shards, from a setting',
      }),
    ),
    demand({
      limit: L['partition reads'],
      where: 'a tenant’s policy: one partition key',
      ...both('table test/policy/', 'read'),
      places: tenants,
      mend: 'functions keep the policy for a second',
    }),
    demand({
      limit: L['partition reads'],
      where: 'an API key: one partition key, where all requests bear the same',
      ...both('table _/key', 'read'),
      mend: 'functions keep the key for a second',
    }),
    demand({
      limit: L['partition reads'],
      where: 'a tenant’s stamp of layers: one partition key',
      ...both('table test/layers/stamp', 'read'),
      places: tenants,
      mend: 'functions keep the stamp for a second',
    }),
    demand({ limit: L['table writes'], where: 'the table: writes', ...of('dynamodb write unit') }),
    demand({ limit: L['table reads'], where: 'the table: reads', ...of('dynamodb read unit') }),
    demand({
      limit: L['clock processor'],
      where: 'the clock: each root comes to its deletion by the tick',
      run: 0,
      deletion: tickMs,
      mend: 'the clock’s function sends shards of the index to a queue of several, or has more memory',
    }),
    demand({
      limit: L['clock pages'],
      where: 'the tick: 1,000 pages of 100 alarms',
      run: 0,
      deletion: 1,
      mend: 'a second tick a minute, or ticks by shard',
    }),
    demand({
      limit: L['s3 writes'],
      where: 'S3: writes and lists',
      ...of('s3 put, list'),
      ours: false,
    }),
    demand({ limit: L['s3 reads'], where: 'S3: reads', ...of('s3 get'), ours: false }),
  ]
}
