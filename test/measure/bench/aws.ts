/**
 * `npm run bench -- aws [--trace | --emulators | --json]`: how many calls of AWS a run waits for, one after
 * another, and how long that takes where each takes its published median. A *trip* is one call of
 * DynamoDB, S3 or SQS; the trips of a run are the time from its request to its end, with every call
 * taking one unit and everything else none: processors, the model and the delivery of messages. So
 * calls that are made at once count once, and the longest chain counts whole. `--emulators` performs
 * the same on DynamoDB Local and a real S3 and compares what was called. One that waits for a run
 * that other functions move reads its end, which is one trip more, and polls, which takes up to a
 * second: both are left out.
 */

import { parseArgs } from 'node:util'
import { createKey } from '../../../src/engine/tenant/api-keys.ts'
import { dynamoStore } from '../../../src/hosts/aws/dynamodb.ts'
import { SPILL_BYTES } from '../../../src/hosts/aws/ports.ts'
import { s3Objects } from '../../../src/hosts/aws/s3.ts'
import { memoryObjects } from '../../../src/hosts/memory/objects.ts'
import { memoryStore } from '../../../src/hosts/memory/store.ts'
import { systemClock } from '../../../src/hosts/shared/clock.ts'
import { MEDIANS } from './aws-medians.ts'
import {
  type Aws,
  aws,
  type Backing,
  type Call,
  KINDS,
  type Kind,
  type Latencies,
  tenant,
  virtualClock,
} from './aws-world.ts'

const UNIT = 10
export const UNITS = Object.fromEntries(
  [...KINDS, 'queue delivery'].map((kind) => [kind, kind === 'queue delivery' ? 0 : UNIT]),
) as unknown as Latencies

const FAN_OUT = '@spawn 8 {"task":"@say part {i}"}\n@await\n@say {results} of us'
export const CASES = {
  'plain, waited for': { input: '@say hello', waits: true },
  'plain, by the queue': { input: '@say hello', waits: false },
  'fan-out of 8, waited for': { input: FAN_OUT, waits: true },
  'fan-out of 8, by the queue': { input: FAN_OUT, waits: false },
} as const
export type Case = keyof typeof CASES

export interface Measured {
  /** From the request to the answer, or to the end of the run where nobody waits for it. */
  readonly ms: number
  readonly calls: readonly Call[]
}

/** The case once where everything is warm: each function has done the same before. */
export async function measure(
  latencies: Latencies,
  name: Case,
  backing: Backing = { store: memoryStore(), objects: memoryObjects() },
  isReal = false,
): Promise<Measured> {
  const clock = isReal ? undefined : virtualClock()
  const place = aws({ latencies, backing, clock, realClock: systemClock })
  const { key } = await place.elapse(createKey(place.world, tenant, ['*']))
  const { input, waits } = CASES[name]
  // Chance says which function gets the last wake: so often, and each has had it.
  for (let before = 0; before < (isReal ? 3 : 25); before += 1) await once(place, key, input, waits)
  place.calls.length = 0
  const ms = await once(place, key, input, waits)
  return { ms, calls: [...place.calls] }
}

async function once(place: Aws, key: string, input: string, waits: boolean): Promise<number> {
  const from = place.now()
  const request = place.app.request('/v1/runs', {
    method: 'POST',
    body: JSON.stringify({ input }),
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(waits ? { prefer: 'wait=60' } : {}),
    },
  })
  const answer = await place.elapse(Promise.resolve(request))
  const answered = place.now()
  const run = (await answer.json()) as { id: string; status: string }
  await place.idle()
  const end = place.ended.get(`${tenant}/run/${run.id}`)
  if (end === undefined) throw new Error(`${run.id} has not ended: ${JSON.stringify(run)}`)
  // The pass that was made in the request itself: its caller has the answer in the same function.
  const isOwn = waits && !input.includes('@spawn')
  return (isOwn ? answered : end) - from
}

const TRIES = 3

/** The fewest of several runs: which function gets the last wake, and what it knows, is chance. */
export async function leastTrips(name: Case, enough: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < TRIES && least > enough; attempt += 1)
    least = Math.min(least, Math.floor((await measure(UNITS, name)).ms / UNIT))
  return least
}

export function countsOf(calls: readonly Call[]): Partial<Record<Kind, number>> {
  const counts: Partial<Record<Kind, number>> = {}
  for (const { kind } of calls) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

const shown = (calls: readonly Call[]): string => {
  const counts = countsOf(calls)
  return KINDS.flatMap((kind) => (counts[kind] ? [`${counts[kind]} ${kind}`] : [])).join(', ')
}

function trace({ calls }: Measured): void {
  const [first] = calls
  const began = Math.min(...calls.map(({ from }) => from), first?.from ?? 0)
  for (const { from, to, kind, what, process } of [...calls].sort((a, b) => a.from - b.from))
    console.log(`  ${(from - began) / UNIT}-${(to - began) / UNIT} ${process} ${kind}: ${what}`)
}

async function onEmulators(name: Case): Promise<Measured> {
  const { startLocalAws, newPlace } = await import('../../support/aws/all.ts')
  const { dynamoClient } = await import('../../support/aws/dynamodb.ts')
  const { s3Client } = await import('../../support/aws/radosgw.ts')
  local ??= startLocalAws()
  const { urls } = await local
  const { table, bucket } = await newPlace(urls)
  const client = dynamoClient(urls.dynamodb)
  const s3 = s3Client(urls.s3)
  const objects = s3Objects(s3, bucket)
  const store = dynamoStore({ client, table, objects, spillBytes: SPILL_BYTES })
  try {
    return await measure(MEDIANS, name, { store, objects }, true)
  } finally {
    client.destroy()
    s3.destroy()
  }
}
let local:
  | Promise<{ urls: import('../../support/aws/all.ts').Urls; stop(): Promise<void> }>
  | undefined

async function main(): Promise<void> {
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({ options: { trace: flag, emulators: flag, json: flag } })
  const rows = []
  for (const name of Object.keys(CASES) as Case[]) {
    const units = await measure(UNITS, name)
    const timed = await measure(MEDIANS, name)
    const row = {
      name,
      trips: Math.floor(units.ms / UNIT),
      ms: Math.round(timed.ms),
      calls: shown(timed.calls),
    }
    rows.push(row)
    if (values.json) continue
    if (rows.length === 1)
      console.log('| run | trips | ms beside the model | all calls |\n|---|---|---|---|')
    console.log(`| ${[row.name, row.trips, row.ms, row.calls].join(' | ')} |`)
    if (values.trace) trace(units)
    if (values.emulators)
      console.log(`| … on emulators | | | ${shown((await onEmulators(name)).calls)} |`)
  }
  if (values.json) console.log(JSON.stringify(rows))
  await (await local)?.stop()
  process.exit(0)
}

if (import.meta.main) await main()
