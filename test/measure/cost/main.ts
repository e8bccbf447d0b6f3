/**
 * `npm run bench -- cost [--json | --readme | --only "a plain run" | --from FILE]`: what runs cost, from their request to their deletion when
 * the retention ends. Each scenario is performed by the production engine on DynamoDB's emulator
 * (aws.ts) and by the Worker in workerd (cloudflare.ts); what it asks of the cloud is counted by the
 * cloud's own rules, and list prices (prices.ts) make dollars for a million runs of them. Wakes that
 * come twice, and writes that are refused, are counted as they come. `--readme` prints the table of docs/performance.md,
 * `--from` what an earlier `--json` has found.
 */

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { onAws } from './aws.ts'
import { onCloudflare } from './cloudflare.ts'
import type { Figure } from './figure.ts'
import { type Bill, dollars, isTime } from './prices.ts'
import { type Name, SCENARIOS } from './scenarios.ts'

/** How long a model is waited for: functions and objects are billed meanwhile. */
const MODEL_MS = 2_000

/** What we want a million to cost at most, time and tokens not counted. */
const AIMS: Partial<Record<Name, number>> = { 'a plain run': 10, 'a fan-out of 8': 130 }

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
      'lambda GB-second': (models * MODEL_MS * 0.5) / 1_000,
    },
    held: {},
    kept: {},
    places: {},
    deletionPlaces: {},
  }
}

const only = (bill: Bill, time: boolean): Bill =>
  Object.fromEntries(Object.entries(bill).filter(([item]) => isTime(item) === time))

/** Dollars for a million: operations of the run, of its deletion, and everything else. */
const priced = ({ storage, deletion, compute, held, kept }: Figure) => ({
  run: dollars(storage),
  deletion: dollars(only(deletion, false)),
  time: dollars(compute) + dollars(only(deletion, true)),
  held: dollars(held),
  kept: dollars(kept),
})

const money = (usd: number): string => `$${usd.toFixed(usd < 100 ? 1 : 0)}`

const counts = (bill: Bill): string =>
  Object.entries(bill)
    .filter(([, count]) => count > 0)
    .map(([item, count]) => `${Math.round(count * 10) / 10} ${item}`)
    .join(', ')

function line(figure: Figure): string {
  const { run, cloud, calls, commits } = figure
  const usd = priced(figure)
  const aim = cloud === 'state machine' ? undefined : AIMS[run]
  const judged =
    aim === undefined ? '' : ` (aim ${aim}: ${usd.run + usd.deletion <= aim ? 'met' : 'missed'})`
  const all = [usd.run, usd.deletion, usd.time, usd.held, usd.kept].map(money)
  const operations = counts(only(figure.storage, false))
  const gone = counts(only(figure.deletion, false))
  return `| ${run} | ${cloud} | ${calls} | ${commits} | ${operations} | ${gone} | ${all.join(' | ')} | ${money(usd.run + usd.deletion)}${judged} |`
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
    const of = (cloud: Figure['cloud']) =>
      priced(figures.find((one) => one.run === run && one.cloud === cloud)!)
    const named = README[run]
    if (named === undefined) return []
    const ours = (['AWS', 'Cloudflare'] as const).map(of)
    const cells = [
      ...ours.map(({ run: usd, deletion }) => rounded(usd + deletion)),
      ...ours.map(({ time, kept }) => rounded(time + kept)),
      of('state machine').run.toLocaleString('en-US'),
    ]
    return [`| ${[named, ...cells].join(' | ')} |`]
  })
  return [
    '| run | AWS | Cloudflare | time and storage: AWS | Cloudflare | by transition |',
    '|---|---|---|---|---|---|',
    ...rows,
  ]
}

const flag = { type: 'boolean', default: false } as const
const { values } = parseArgs({
  options: { json: flag, readme: flag, only: { type: 'string' }, from: { type: 'string' } },
})
const names = (Object.keys(SCENARIOS) as Name[]).filter(
  (name) => values.only === undefined || name === values.only,
)
const figures =
  values.from === undefined
    ? [
        ...(await onAws(names, MODEL_MS)),
        ...(await onCloudflare(names, MODEL_MS)),
        ...names.map(asStates),
      ]
    : (JSON.parse(readFileSync(values.from, 'utf8')) as Figure[])
if (values.json) console.log(JSON.stringify(figures))
else if (values.readme) console.log(readme(figures).join('\n'))
else {
  console.log(
    `| run | where | model calls | commits | operations of one run | of its deletion | $ per million: run | deletion | time (a model takes ${MODEL_MS / 1_000} s) | objects held by timers | 30 days of storage | run and deletion |`,
  )
  console.log(`|${'---|'.repeat(12)}`)
  for (const run of names)
    for (const figure of figures.filter((one) => one.run === run)) console.log(line(figure))
}
process.exit(0)
