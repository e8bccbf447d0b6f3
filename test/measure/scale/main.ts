/**
 * `npm run bench -- scale --home workers|aws [--rate 1,100,1000] [--tenants 1] [--json]`: a month of plain
 * runs and of fan-outs of 8, sustained, with 30 days' retention: what breaks first, where, on which
 * day, and from which rate on. A rate is runs a second, children counted: 9 a fan-out of 8. What a run
 * asks is counted by running it (`npm run bench -- cost`); what places can take stands in limits.ts. With one
 * tenant, which is the worst, everything that a tenant has once is one place.
 */

import { parseArgs } from 'node:util'
import { onAws } from '../cost/aws.ts'
import { onCloudflare } from '../cost/cloudflare.ts'
import type { Figure } from '../cost/figure.ts'
import type { Name } from '../cost/scenarios.ts'
import { awsDemands, runsOf, workersDemands } from './demands.ts'
import { expiringRows } from './expiring.ts'
import { AWS_LIMITS, type Limit, UNMET, WORKERS_LIMITS } from './limits.ts'
import { ceiling, type Demand, loadOn, month, RETENTION_DAYS } from './month.ts'
import { tickCpuMs } from './tick-cost.ts'

const NAMES: readonly Name[] = ['a plain run', 'a fan-out of 8']
/** Roots of one moment share an object and its calls; under load an isolate has as many as this. */
const TOGETHER = 8
const MODEL_MS = 2_000
/** No ceiling of ours is to stand below this. */
const AIM = 1_000

const { values } = parseArgs({
  options: {
    home: { type: 'string' },
    rate: { type: 'string', default: '1,100,1000' },
    tenants: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
})
const { home } = values
if (home !== 'workers' && home !== 'aws') throw new Error('--home must be workers or aws')
const rates = values.rate.split(',').map(Number)
const tenants = Number(values.tenants)
for (const number of [...rates, tenants])
  if (!(number > 0)) throw new Error('--rate and --tenants take numbers above 0')

interface Measured {
  readonly figure: Figure
  readonly demands: readonly Demand[]
}

async function measured(): Promise<Measured[]> {
  if (home === 'aws') {
    const tickMs = await tickCpuMs()
    const figures = await onAws(NAMES, MODEL_MS)
    return figures.map((figure) => ({ figure, demands: awsDemands(figure, { tenants, tickMs }) }))
  }
  const expiring = await expiringRows()
  const figures = await onCloudflare(NAMES, MODEL_MS, TOGETHER)
  return figures.map((figure) => ({
    figure,
    demands: workersDemands(figure, { tenants, expiring }),
  }))
}

const number = (value: number): string =>
  value === Number.POSITIVE_INFINITY
    ? 'none'
    : value.toLocaleString('en-US', { maximumSignificantDigits: 3 })

/** Whose a bound is: a setting's, the program's, the account's or the platform's. */
function whose({ ours, limit, where }: Demand): string {
  if (where.endsWith('as set')) return 'a setting'
  if (ours) return 'ours'
  return limit.kind === 'account' ? 'the account’s' : 'the platform’s'
}

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
const head = (...cells: string[]): string[] => [row(cells), `|${'---|'.repeat(cells.length)}`]

function report({ figure, demands }: Measured): string[] {
  const runs = runsOf(figure)
  const sorted = [...demands].sort((one, other) => ceiling(one) - ceiling(other))
  const lines = [
    `\n## ${figure.run}${runs > 1 ? ` (${runs} runs)` : ''}`,
    '',
    ...head(
      'place',
      'can take',
      'asked by a run',
      'by its deletion',
      'ceiling: runs a second',
      'whose',
    ),
    ...sorted.map((one) => {
      const { limit, where, run, deletion, places } = one
      const most = `${number(limit.value)} ${limit.of}${places > 1 ? ` × ${places}` : ''}`
      return row([where, most, number(run), number(deletion), number(ceiling(one)), whose(one)])
    }),
  ]
  for (const rate of rates) {
    const breaks = month(demands, rate)
    lines.push(
      '',
      `At ${number(rate)} runs a second${runs > 1 ? ` (${number(rate / runs)} fan-outs)` : ''}:`,
      '',
    )
    if (breaks.length === 0) lines.push('nothing breaks in the month.')
    else
      lines.push(
        ...head('breaks', 'on day', 'load on day 31', 'from runs a second', 'whose'),
        ...breaks.map(({ demand, day, load }) =>
          row([demand.where, day, `${number(load)} ×`, number(ceiling(demand)), whose(demand)]),
        ),
      )
    const stocks = Object.entries(figure.kept).map(([item, gb]) => {
      const bytes = ((gb ?? 0) / runs) * 1e9
      const total = (bytes * rate * RETENTION_DAYS * 86_400) / 1e12
      return `${item.replace(' GB-month', '')} ${number(bytes)} bytes a run, ${number(total)} TB after ${RETENTION_DAYS} days`
    })
    lines.push('', `Stored: ${stocks.join('; ')}.`)
  }
  return lines
}

/** Bounds of ours below the aim, the lowest first, each place once. */
function bounds(all: readonly Measured[]): string[] {
  const found = new Map<string, Demand>()
  for (const { demands } of all)
    for (const one of demands) {
      if (whose(one) !== 'ours' || ceiling(one) >= AIM) continue
      const known = found.get(one.where)
      if (!known || ceiling(one) < ceiling(known)) found.set(one.where, one)
    }
  const lines = [...found.values()]
    .sort((one, other) => ceiling(one) - ceiling(other))
    .map(
      (one) =>
        `- ${number(ceiling(one))} runs a second: ${one.where}. Mend: ${one.mend ?? 'none known'}.`,
    )
  return [
    `\n## Ceilings of ours below ${number(AIM)} runs a second`,
    '',
    ...(lines.length === 0 ? ['None.'] : [`The aim is missed by ${lines.length}:`, '', ...lines]),
  ]
}

function limits(table: Readonly<Record<string, Limit>>): string[] {
  return [
    '\n## Limits',
    '',
    ...head('limit', 'value', 'bounds', 'kind', 'source', 'read'),
    ...Object.entries(table).map(([name, { value, of, bounds: what, kind, source, read }]) =>
      row([name, `${number(value)} ${of}`, what, kind, source, read]),
    ),
    '',
    ...UNMET.filter(([where]) => where === home).map(
      ([, what, source]) => `- Not met: ${what} (${source}).`,
    ),
  ]
}

const all = await measured()
if (values.json)
  console.log(
    JSON.stringify(
      all.map(({ figure, demands }) => ({
        run: figure.run,
        demands: demands.map((one) => ({
          ...one,
          whose: whose(one),
          ceiling: ceiling(one),
          loads: Object.fromEntries(
            rates.map((rate) => [rate, loadOn(RETENTION_DAYS + 1, one, rate)]),
          ),
        })),
      })),
    ),
  )
else {
  console.log(
    `# A month on ${home === 'aws' ? 'AWS' : 'Cloudflare'}, ${number(tenants)} tenant${tenants > 1 ? 's' : ''}`,
  )
  for (const one of all) console.log(report(one).join('\n'))
  console.log(bounds(all).join('\n'))
  console.log(limits(home === 'aws' ? AWS_LIMITS : WORKERS_LIMITS).join('\n'))
}
process.exit(0)
