/**
 * Runs on the AWS home, counted: the production engine on DynamoDB's emulator, each wake an
 * invocation of its own, the requests counted by the vendor's rules (dynamo-meter.ts). Functions are
 * timed on the clock of `npm run bench -- aws`, where each call takes its published median. When the
 * retention ends, the clock's function finds what is due and a lane deletes it, as deployed.
 */

import { createKey } from '../../../src/engine/tenant/api-keys.ts'
import { dynamoStore } from '../../../src/hosts/aws/dynamodb.ts'
import { SPILL_BYTES } from '../../../src/hosts/aws/ports.ts'
import { memoryObjects } from '../../../src/hosts/memory/objects.ts'
import { memoryStore } from '../../../src/hosts/memory/store.ts'
import { systemClock } from '../../../src/hosts/shared/clock.ts'
import { createTable, dynamoClient, startDynamo } from '../../support/aws/dynamodb.ts'
import { MEDIANS } from '../bench/aws-medians.ts'
import { aws, tenant, virtualClock } from '../bench/aws-world.ts'
import { type DynamoBill, meterDynamo, resetDynamo } from './dynamo-meter.ts'
import { type Figure, type Places, placesOf, sumOf } from './figure.ts'
import type { Bill, Item } from './prices.ts'
import { type Name, perform, SCENARIOS, type Work } from './scenarios.ts'

/** Memory of a lane's function and of the one that answers requests (infra/stack.ts). */
const LAMBDA_GB = 0.5
const GB = 1e9

export async function onAws(names: readonly Name[], thinkMs: number): Promise<Figure[]> {
  const dynamo = await startDynamo()
  try {
    await createTable(dynamo.url, 'cost')
    const figures: Figure[] = []
    for (const run of names) figures.push(await figureOf(run, dynamo.url, thinkMs))
    return figures
  } finally {
    await dynamo.stop()
  }
}

async function figureOf(run: Name, url: string, thinkMs: number): Promise<Figure> {
  const client = dynamoClient(url)
  const bill = meterDynamo(client)
  const objects = memoryObjects()
  const store = dynamoStore({ client, table: 'cost', objects, spillBytes: SPILL_BYTES })
  let first = 0
  let lived: Lived | undefined
  const work = await perform(store, SCENARIOS[run].input, {
    spillBytes: 4_096,
    begin() {
      resetDynamo(bill)
      first = bill.stored()
    },
    deleting(ended) {
      lived = livedBy(bill, ended)
    },
  })
  client.destroy()
  const { storage, commits, bytes, places, messages, calls } = lived!
  const { busy, keyReads } = await functionsOf(SCENARIOS[run].input, thinkMs)
  // What the tick asks the index each minute is nobody's: it asks for a hundred alarms as for one.
  const gone = since(bill.places, places)
  const ticks = sumOf(gone, 'index alarms', 'read')
  const deleted = less(storageOf(bill, work), storage)
  const deletedCalls = less(callsOf(bill), calls)
  return {
    run,
    cloud: 'AWS',
    calls: work.model.calls,
    commits,
    storage: {
      ...storage,
      'dynamodb read unit': (storage['dynamodb read unit'] ?? 0) + keyReads,
    },
    deletion: {
      ...deleted,
      'dynamodb read unit': (deleted['dynamodb read unit'] ?? 0) - ticks,
      'lambda request': work.queue.messages - messages,
      'lambda GB-second': (LAMBDA_GB * waitedMs(deletedCalls)) / 1_000,
    },
    compute: {
      'lambda request': 1 + messages,
      'lambda GB-second':
        (LAMBDA_GB * Object.values(busy).reduce((sum, { ms }) => sum + ms, 0)) / 1_000,
    },
    held: {},
    kept: { 'dynamodb GB-month': (bytes - first) / GB },
    places: placesOf(
      { ...places, ...lambda(busy), 'table _/key': { write: 0, read: keyReads } },
      1,
    ),
    deletionPlaces: placesOf(
      {
        ...gone,
        'lambda resume': { ms: waitedMs(deletedCalls), requests: 1 },
      },
      1,
    ),
  }
}

interface Lived {
  readonly storage: Bill
  readonly commits: number
  readonly bytes: number
  readonly places: Places
  readonly messages: number
  readonly calls: Record<string, number>
}

const livedBy = (bill: DynamoBill, work: Work): Lived => ({
  storage: storageOf(bill, work),
  commits: bill.commits,
  bytes: bill.stored(),
  places: structuredClone(bill.places),
  messages: work.queue.messages,
  calls: callsOf(bill),
})

const storageOf = (bill: DynamoBill, { objects: { puts, lists, gets }, queue }: Work): Bill => ({
  'dynamodb write unit': bill.writeUnits,
  'dynamodb read unit': bill.readUnits,
  's3 put, list': puts + lists,
  's3 get': gets,
  // Sent in batches, then received and deleted one by one.
  'sqs request': queue.sends + 2 * queue.messages,
})

const callsOf = ({ calls }: DynamoBill): Record<string, number> => ({
  'store read': calls.read,
  'store write': calls.write,
  'store transaction': calls.transaction,
})

/** One after the other, as a deletion makes them. */
const waitedMs = (calls: Readonly<Record<string, number>>): number =>
  Object.entries(calls).reduce(
    (sum, [kind, count]) => sum + count * MEDIANS[kind as keyof typeof MEDIANS],
    0,
  )

/** Milliseconds and messages by queue, and of the function that answers the request. */
type Busy = Readonly<Record<string, { ms: number; requests: number }>>

async function functionsOf(
  input: string,
  thinkMs: number,
): Promise<{ readonly busy: Busy; readonly keyReads: number }> {
  const clock = virtualClock()
  const backing = { store: memoryStore(), objects: memoryObjects() }
  const place = aws({ latencies: MEDIANS, backing, clock, realClock: systemClock, thinkMs })
  const { key } = await place.elapse(createKey(place.world, tenant, ['*']))
  const once = async (): Promise<number> => {
    const from = place.now()
    const request = place.app.request('/v1/runs', {
      method: 'POST',
      body: JSON.stringify({ input }),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
    await place.elapse(Promise.resolve(request))
    const ms = place.now() - from
    await place.idle()
    return ms
  }
  // Where everything is warm: each function has done the same before.
  for (let before = 0; before < 5; before += 1) await once()
  place.invocations.length = 0
  place.calls.length = 0
  const ms = await once()
  const keyReads = place.calls.filter(({ what }) => what.includes(' _/key/')).length
  const busy: Record<string, { ms: number; requests: number }> = {}
  for (const { queue, from, to } of place.invocations) {
    const before = busy[queue] ?? { ms: 0, requests: 0 }
    busy[queue] = { ms: before.ms + to - from, requests: before.requests + 1 }
  }
  return { busy: { ...busy, http: { ms, requests: 1 } }, keyReads }
}

const lambda = (busy: Busy): Places =>
  Object.fromEntries(Object.entries(busy).map(([name, one]) => [`lambda ${name}`, one]))

function less<T extends Readonly<Record<string, number>>>(all: T, before: T): T {
  return Object.fromEntries(
    Object.entries(all).map(([item, count]) => [item, count - (before[item as Item] ?? 0)]),
  ) as T
}

const since = (all: Places, before: Places): Places =>
  Object.fromEntries(
    Object.entries(all).map(([place, units]) => [place, less(units, before[place] ?? {})]),
  )
