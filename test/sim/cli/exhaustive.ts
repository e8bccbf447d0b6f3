/**
 * One fault of each kind at each operation of a few canonical scenarios, everything else calm: what
 * a random mix may never hit, this hits in order.
 */

import { WrongUse, whole } from '../../support/options.ts'
import { NO_FAULTS } from '../faults/faults.ts'
import type { Violation } from '../laws/invariants.ts'
import type { Create, Operation, PlannedCall, PlannedRun } from '../world/operations.ts'
import { chance } from '../world/random.ts'
import type { Injected } from '../world/sim.ts'
import { simulate } from '../world/world.ts'
import { print, show } from './report.ts'

const KINDS: readonly Injected[] = [
  'crash before',
  'crash after',
  'lost write',
  'hidden write',
  'refused',
  'slow',
  'twice',
]

const call = (kind: PlannedCall['kind'], token: string, child?: PlannedRun): PlannedCall =>
  child ? { kind, token, behaviour: 'plain', child } : { kind, token, behaviour: 'plain' }

const run = (id: string, ...calls: PlannedCall[]): PlannedRun => ({
  id,
  steps: calls.length > 0 ? [{ calls, ms: 400 }] : [],
  length: 10,
})

const create = (plan: PlannedRun, url?: string): Create => ({
  op: 'create',
  at: 0,
  name: plan.id,
  tenant: 'red',
  plan,
  join: undefined,
  timeout: undefined,
  maxSteps: undefined,
  webhook: url === undefined ? undefined : { url },
  wait: undefined,
})

const children = (): PlannedCall[] =>
  [1, 2, 3].map((index) => call('spawn', `c${index}`, run(`c${index}`, call('pay', `c${index}.p`))))

const ASKED: readonly Operation[] = [
  create(run('asks', call('wire', 'w'), call('upsert', 'u'))),
  { op: 'people', at: 500, name: 'people', tenant: 'red', every: 2_000 },
]

const SCENARIOS: Readonly<Record<string, readonly Operation[]>> = {
  'one run with tools': [
    create(run('one', call('pay', 'a'), call('upsert', 'b'), call('write', 'c'))),
  ],
  'spawn of three': [create(run('three', ...children())), { op: 'follow', at: 100, name: 'three' }],
  'cancel during spawn': [
    create(run('spawning', ...children())),
    { op: 'cancel', at: 600, name: 'spawning' },
  ],
  'a person says no': ASKED,
  'a person says yes': ASKED,
  'a turn handed on': [
    { op: 'session', at: 0, name: 'talk', tenant: 'red' },
    { ...create(run('first', call('pay', 'p'))), keyed: 'once', session: 'talk' },
    { ...create(run('second')), at: 1_500, keyed: 'once', session: 'talk' },
  ],
  'webhook outage': [create(run('told'), 'https://flapping.example/hook')],
}

/** Rare states that show that a scenario is what its name says, without a fault. */
const REACHES: Readonly<Record<string, readonly string[]>> = {
  'one run with tools': ['a once call is performed'],
  'spawn of three': ['child done before the parent parks', 'stream read to its end'],
  'cancel during spawn': ['cancel wins', 'tombstone', 'letter before the child is recorded'],
  'a person says no': ['decision: deny'],
  'a person says yes': ['decision: approve', 'a once call is performed'],
  'a turn handed on': ['turn of a session taken over', 'idempotent replay'],
  'webhook outage': ['event posted again'],
}

const worldOf = (scenario: string, seed: number) => {
  const operations = SCENARIOS[scenario]!
  return { seed, mix: NO_FAULTS, profile: 'sqs', processes: 3, operations } as const
}
const SEEDS = 50
interface Calm {
  readonly base: ReturnType<typeof worldOf>
  readonly operations: number
}
const calms = new Map<string, Calm>()

/** Chance decides what people say, and who is first: the first seed under which it goes as named. */
async function calmOf(scenario: string): Promise<Calm> {
  const known = calms.get(scenario)
  if (known) return known
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const base = worldOf(scenario, seed)
    const { violations, rare, operations } = await simulate(base)
    if (violations.length > 0) throw new Error(`${scenario} is red without a fault, seed ${seed}`)
    if (!REACHES[scenario]?.every((state) => rare[state])) continue
    calms.set(scenario, { base, operations })
    return { base, operations }
  }
  throw new Error(`${scenario} does not reach ${REACHES[scenario]?.join(', ')} in ${SEEDS} seeds`)
}

interface Fault {
  readonly at: number
  readonly kind: Injected
}
interface Single extends Fault {
  readonly scenario: string
}

/** `SCENARIO:AT:KIND` of one fault, `SCENARIO:AT:KIND,AT:KIND` of two. */
const nameOf = (scenario: string, faults: readonly Fault[]): string =>
  `${scenario}:${faults.map(({ at, kind }) => `${at}:${kind}`).join(',')}`

/** What a red line names. */
export interface Named {
  readonly scenario: string
  readonly faults: readonly Fault[]
}

export function faultsOf(name: string): Named {
  const colon = name.indexOf(':')
  const scenario = name.slice(0, Math.max(0, colon))
  if (!Object.hasOwn(SCENARIOS, scenario))
    throw new WrongUse(`--fault names one of ${Object.keys(SCENARIOS).join(', ')} before a colon`)
  const faults = name
    .slice(colon + 1)
    .split(',')
    .map((fault) => {
      const [number = '', text, more] = fault.split(':')
      const at = whole('the operation of --fault', number, 0, MOST_OPERATIONS)
      const kind = KINDS.find((one) => one === text)
      if (!kind || more !== undefined)
        throw new WrongUse(`a fault is N:K, K one of ${KINDS.join(', ')}, not ${fault}`)
      return { at, kind }
    })
  return { scenario, faults }
}
const MOST_OPERATIONS = 1_000_000

/** With its timeline; true when it is green. */
export async function replayFaults({ scenario, faults }: Named): Promise<boolean> {
  const { base } = await calmOf(scenario)
  const result = await simulate({ ...base, inject: faults, record: true })
  // A fault that strikes nothing would look green.
  const never = faults.find(({ at }) => at >= result.operations)
  if (never) {
    const are = `there are ${result.operations} in "${scenario}"`
    throw new WrongUse(`operation ${never.at} never comes: ${are}`)
  }
  return show(result, nameOf(scenario, faults))
}

function sayRed(scenario: string, faults: readonly Fault[], { id, message }: Violation): void {
  const name = nameOf(scenario, faults)
  print(`RED ${name}: ${id} ${message}\n  replay with: npm run sim -- --fault '${name}'`)
}

/** All single faults; those of one share when the work is divided. */
async function singles(share: number, of: number): Promise<{ count: number; red: Single[] }> {
  let count = 0
  const red: Single[] = []
  for (const scenario of Object.keys(SCENARIOS)) {
    const { base, operations } = await calmOf(scenario)
    for (let at = share; at < operations; at += of) {
      for (const kind of KINDS) {
        count += 1
        const { violations } = await simulate({ ...base, inject: [{ at, kind }] })
        const [violation] = violations
        if (!violation) continue
        red.push({ scenario, at, kind })
        sayRed(scenario, [{ at, kind }], violation)
      }
    }
  }
  return { count, red }
}

export async function exhaustive(): Promise<boolean> {
  const began = performance.now()
  const { count, red } = await singles(0, 1)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  print(
    `${count} single faults in ${Object.keys(SCENARIOS).length} scenarios, ${red.length} red, ${seconds} s`,
  )
  return red.length === 0
}

/** Pairs of single faults, drawn until the time is over: two things go wrong in one scenario. */
export async function pairs(minutes: number, seed: number): Promise<boolean> {
  const end = performance.now() + minutes * 60_000
  const draw = chance(`pairs ${seed}`)
  const names = Object.keys(SCENARIOS)
  let count = 0
  let red = 0
  while (performance.now() < end) {
    const scenario = draw.pick(names)
    const { base, operations } = await calmOf(scenario)
    const first = { at: draw.int(operations), kind: draw.pick(KINDS) }
    const second = { at: first.at + 1 + draw.int(40), kind: draw.pick(KINDS) }
    count += 1
    const [violation] = (await simulate({ ...base, inject: [first, second] })).violations
    if (!violation) continue
    red += 1
    sayRed(scenario, [first, second], violation)
  }
  print(`${count} pairs of faults, ${red} red`)
  return red === 0
}
