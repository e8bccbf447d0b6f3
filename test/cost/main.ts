/**
 * `npm run cost [-- --json | --readme]`: what runs cost. Each scenario is performed by the production engine on
 * DynamoDB's emulator and on a local D1, each wake an invocation of its own, the requests are counted by the clouds' own rules, and list
 * prices (prices.ts) make dollars for a million runs of them. `--readme` prints README's table.
 */

import { parseArgs } from 'node:util'
import { getPlatformProxy } from 'wrangler'
import { dynamoStore } from '../../src/hosts/aws/dynamodb.ts'
import { SPILL_BYTES } from '../../src/hosts/aws/ports.ts'
import type { Bindings } from '../../src/hosts/cloudflare/bindings.ts'
import { d1Store } from '../../src/hosts/cloudflare/d1.ts'
import { memoryObjects } from '../../src/hosts/memory/objects.ts'
import { SCHEMA } from '../../src/hosts/sql/schema.ts'
import { createTable, dynamoClient, startDynamo } from '../support/aws/dynamodb.ts'
import { meterD1 } from './d1-meter.ts'
import { meterDynamo } from './dynamo-meter.ts'
import { type Bill, dollars, type Item } from './prices.ts'
import { type Name, perform, SCENARIOS, type Work } from './scenarios.ts'

/** Beside the storage: what a model call is waited for, and what a wake takes of a processor. */
const MODEL_SECONDS = 2
const LAMBDA_GB = 0.5
const WAKE_CPU_MS = 10

interface Figure {
  readonly run: Name
  readonly cloud: 'AWS' | 'Cloudflare' | 'state machine'
  /** Calls that reached the model. */
  readonly calls: number
  readonly commits: number
  readonly storage: Bill
  /** When the retention ends. */
  readonly deletion: Bill
  readonly compute: Bill
}

const names = Object.keys(SCENARIOS) as Name[]

async function onAws(): Promise<Figure[]> {
  const dynamo = await startDynamo()
  try {
    await createTable(dynamo.url, 'cost')
    const figures: Figure[] = []
    for (const run of names) {
      const client = dynamoClient(dynamo.url)
      const bill = meterDynamo(client)
      const objects = memoryObjects()
      const store = dynamoStore({ client, table: 'cost', objects, spillBytes: SPILL_BYTES })
      const { input } = SCENARIOS[run]
      const reset = () =>
        Object.assign(bill, { commits: 0, refusals: 0, writeUnits: 0, readUnits: 0 })
      let kept: Bill = {}
      let commits = 0
      const storageOf = ({ objects: { puts, lists, gets }, queue }: Work): Bill => ({
        'dynamodb write unit': bill.writeUnits,
        'dynamodb read unit': bill.readUnits,
        's3 put, list': puts + lists,
        's3 get': gets,
        // Sent in batches, then received and deleted one by one.
        'sqs request': queue.sends + 2 * queue.messages,
      })
      const deleting = (ended: Work): void => {
        kept = storageOf(ended)
        commits = bill.commits
      }
      const how = { spillBytes: 4_096, begin: reset, deleting }
      const work = await perform(store, input, how)
      client.destroy()
      const requests = 1 + work.queue.messages
      figures.push({
        run,
        cloud: 'AWS',
        calls: work.model.calls,
        commits,
        storage: kept,
        deletion: less(storageOf(work), kept),
        compute: {
          'lambda request': requests,
          'lambda GB-second': work.model.calls * MODEL_SECONDS * LAMBDA_GB,
        },
      })
    }
    return figures
  } finally {
    await dynamo.stop()
  }
}

async function onCloudflare(): Promise<Figure[]> {
  const proxy = await getPlatformProxy({ configPath: 'wrangler.toml', persist: false })
  try {
    const env = proxy.env as unknown as Bindings
    await env.DB.batch(SCHEMA.map((sql) => env.DB.prepare(sql)))
    const figures: Figure[] = []
    for (const run of names) {
      const { db, bill } = meterD1(env.DB)
      const reset = () => Object.assign(bill, { commits: 0, rowsWritten: 0, rowsRead: 0 })
      let kept: Bill = {}
      let commits = 0
      const storageOf = ({ objects: { puts, lists, gets }, queue }: Work): Bill => ({
        'd1 row written': bill.rowsWritten,
        'd1 row read': bill.rowsRead,
        'r2 class A': puts + lists,
        'r2 class B': gets,
        // Written, read and deleted.
        'queues operation': 3 * queue.messages,
      })
      const deleting = (ended: Work): void => {
        kept = storageOf(ended)
        commits = bill.commits
      }
      const how = { spillBytes: 32_768, begin: reset, forgetful: true, deleting }
      const work = await perform(d1Store(db), SCENARIOS[run].input, how)
      figures.push({
        run,
        cloud: 'Cloudflare',
        calls: work.model.calls,
        commits,
        storage: kept,
        deletion: less(storageOf(work), kept),
        compute: computeOfWorkers(work),
      })
    }
    return figures
  } finally {
    await proxy.dispose()
  }
}

const computeOfWorkers = ({ queue }: Work): Bill => ({
  'workers request': 1 + queue.messages,
  'workers CPU ms': (1 + queue.messages) * WAKE_CPU_MS,
})

/**
 * The same work as states: begin and end, a call and a choice for each answer of a model, a state
 * for each tool; a child is a branch of a map, entered and left. Its functions are paid as well.
 */
const asStates = (run: Name): Figure => {
  const { children, models, tools } = SCENARIOS[run]
  const transitions = 2 + 2 * models + tools + 2 * children
  return {
    run,
    cloud: 'state machine',
    calls: models,
    commits: transitions,
    storage: { 'state transition': transitions },
    deletion: {},
    compute: {
      'lambda request': models + tools,
      'lambda GB-second': models * MODEL_SECONDS * LAMBDA_GB,
    },
  }
}

const less = (all: Bill, before: Bill): Bill =>
  Object.fromEntries(
    Object.entries(all).map(([item, count]) => [item, count - (before[item as Item] ?? 0)]),
  )

const money = (usd: number): string => `$${usd.toFixed(usd < 100 ? 1 : 0)}`

function line({ run, cloud, calls, commits, storage, deletion, compute }: Figure): string {
  const parts = Object.entries(storage)
    .filter(([, count]) => count > 0)
    .map(([item, count]) => `${Math.round(count * 10) / 10} ${item}`)
  const all = [storage, deletion, compute].map((bill) => money(dollars(bill)))
  return `| ${run} | ${cloud} | ${calls} | ${commits} | ${parts.join(', ')} | ${all.join(' | ')} |`
}

/** Two digits: what letters a commit takes is chance, and moves the third. */
const rounded = (usd: number): string =>
  Number(usd.toPrecision(2)).toLocaleString('en-US', { maximumFractionDigits: 0 })

const README: Partial<Record<Name, string>> = {
  'a plain run': 'one answer',
  'a run with a tool': 'with a tool',
  'a fan-out of 8': '8 subagents',
  'a fan-out of 100': '100 subagents',
}

function readme(figures: readonly Figure[]): string[] {
  const rows = names.flatMap((run) => {
    const of = (cloud: Figure['cloud']): number =>
      figures
        .filter((one) => one.run === run && one.cloud === cloud)
        .reduce((sum, { storage, deletion }) => sum + dollars(storage) + dollars(deletion), 0)
    const named = README[run]
    const states = of('state machine').toLocaleString('en-US')
    const ours = [rounded(of('AWS')), rounded(of('Cloudflare'))]
    return named === undefined ? [] : [`| ${[named, ...ours, states].join(' | ')} |`]
  })
  return ['| run | AWS | Cloudflare | by transition |', '|---|---|---|---|', ...rows]
}

const flag = { type: 'boolean', default: false } as const
const { values } = parseArgs({ options: { json: flag, readme: flag } })
const figures = [...(await onAws()), ...(await onCloudflare()), ...names.map(asStates)]
if (values.json) console.log(JSON.stringify(figures))
else if (values.readme) console.log(readme(figures).join('\n'))
else {
  console.log(
    '| run | where | model calls | commits | operations of one run | $ per million: state | deletion | compute |',
  )
  console.log('|---|---|---|---|---|---|---|---|')
  for (const run of names)
    for (const figure of figures.filter((one) => one.run === run)) console.log(line(figure))
}
process.exit(0)
