/** What a person reads: figures of many seeds, the timeline of one. */

import { whole } from '../../support/options.ts'
import { short } from '../world/names.ts'
import type { Result } from '../world/world.ts'
import { seconds } from './header.ts'
import { type KeptWorld, planOf } from './kept.ts'
import { type Figures, runShare } from './pool.ts'

/** States without which a green run proves little: a large run that misses one is red. */
export const RARE_STATES = [
  // Fan-outs.
  'fanout.completed',
  'fanout.cancelled',
  'fanout.failed',
  'fan-out released without some',
  'cancel of a fan-out wins',
  'cancel of a fan-out too late',
  'a task ended before its cancel',
  'a page came twice',
  'a page came too late',
  'a seal was refused',
  'sealed',
  'an open fan-out completed',
  'an open fan-out failed',
  'a page ended after the end',
  // Workers, parents and children.
  'zombie commit refused',
  'taken over from a zombie',
  'taken over from the dead',
  'child done before the parent parks',
  'letter before the child is recorded',
  'letter repeated after it was read',
  'letter to a parent that has ended',
  'duplicate announce refused',
  'released by the tick only',
  'a child answers its call',
  'a step goes on without some',
  'tombstone',
  'cancel wins',
  'cancel too late',
  'finish wins',
  'timed out',
  'an outage of the model',
  'an outage was waited out',
  'unknown outcome',
  'effect repeated under its key',
  'file edited',
  'second look at a suspect',
  'third look at a suspect',
  'poison',
  'a wake is worn',
  // Age.
  'snapshot read',
  'deleted',
  'deleted with its root',
  'released without some',
  'torn read',
  // What is said outside.
  'told to an endpoint',
  // Schedules, and runs that begin later.
  'a slot fired',
  'a slot was missed',
  'a slot was skipped',
  'a schedule paused itself',
  'a run began at its time',
  'a run expired',
  'event delivered twice',
  'delivery dead-lettered',
  'reader reconnected',
  'stream read to its end',
  // Sessions, people, keys, budgets, releases.
  'turn of a session taken over',
  'session busy',
  'a run interrupts another',
  'session sent again',
  'a person is asked',
  'decision: approve',
  'decision: deny',
  'decision: expired',
  'approved with other arguments',
  'decided before by another',
  'approval after expiry',
  'approval after the end',
  'a question is answered',
  'a message that answers nothing',
  'a question expires',
  'a call is paused',
  'a fallback answers',
  'a budget of a fan-out',
  'a budget of dollars',
  'a paused call goes on',
  'an answer after the end',
  'message to a live run',
  'message to a run that has ended',
  'idempotent replay',
  'idempotent replay in flight',
  'key met another body',
  'budget used up',
  'log of a newer version',
  'policy denies a tool',
  'memory grows',
  'an entry is acknowledged',
  'an entry is looked for',
  'what must last is written',
] as const

/** Lines of a red seed that are shown; the end is what counts. */
export const shownLines = (): number => whole('SIM_LINES', process.env.SIM_LINES ?? '120', 1, 1e9)

const median = (values: readonly number[]): number =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0

const missed = ({ rare }: Figures): string[] => RARE_STATES.filter((name) => !rare[name])

/** Green, all of them: what did not run proves nothing, nor do many that reach no rare state. */
export function wentWell(figures: Figures, asked: number): boolean {
  const { seeds, red, unequal } = figures
  const thin = seeds >= 2_000 && missed(figures).length > 0
  return seeds === asked && red.length === 0 && unequal.length === 0 && !thin
}

export function printFigures(figures: Figures, asked: number, ms: number): void {
  const { seeds, red, unequal, hours, deaths, commits, faultsPerSeed } = figures
  const perMinute = Math.round((seeds / ms) * 60_000)
  const breaches = new Map<string, number[]>()
  for (const { seed, violation } of red) {
    breaches.set(violation.id, [...(breaches.get(violation.id) ?? []), seed])
  }
  print(`${seeds} seeds, ${red.length} red, ${perMinute} a minute`)
  print(`${Math.round(hours)} simulated hours, ${deaths} deaths of processes`)
  print(`median of a seed: ${median(commits)} commits, ${median(faultsPerSeed)} faults`)
  table('faults', figures.faults)
  table('rare states', figures.rare)
  const never = missed(figures)
  if (never.length > 0) print(`never reached: ${never.join(', ')}`)
  for (const [id, list] of breaches)
    print(`RED ${id}: ${list.length} (${list.slice(0, 8).join(' ')})`)
  if (unequal.length > 0) print(`NOT THE SAME TWICE: ${unequal.slice(0, 8).join(' ')}`)
  if (seeds < asked) print(`ONLY ${seeds} OF ${asked} SEEDS RAN TO THEIR END`)
  const [first] = red
  if (!first) return
  print(`\nreplay with: npm run sim -- --replay ${first.seed}`)
  print(`keep with: node test/sim/cli/regress.ts ${first.seed} > test/sim/regressions/NAME.json`)
}

/** Runs one world, watched, and prints what happened; true when it is green. */
export async function replay(world: KeptWorld, bug?: string): Promise<boolean> {
  const plan = planOf(world)
  if (!plan) throw new Error(`there is no plan ${world.plan}`)
  const name = world.plan === undefined ? '' : ` of the plan ${world.plan}`
  const show = `seed ${world.seed}${name}`
  const figures = await runShare({ plans: [plan], twice: false, stopAtFirst: false, bug, show })
  // Who does not come to an end has printed nothing.
  const [stuck] = figures.seeds === 0 ? figures.red : []
  if (stuck) print(`${show} is red  ${stuck.violation.id}: ${stuck.violation.message}`)
  return wentWell(figures, 1)
}

/** Prints what happened in a world that was recorded; true when it is green. */
export function show(result: Result, name: string): boolean {
  const red = result.violations.length > 0
  const shown = red ? result.timeline.slice(-shownLines()) : result.timeline
  const left = result.timeline.length - shown.length
  print(result.header.join('\n'))
  if (left > 0) print(`… ${left} lines before these, SIM_LINES=${result.timeline.length} shows all`)
  print(shown.join('\n'))
  for (const { id, message, at } of result.violations)
    print(`${seconds(at)}  ${id}: ${short(message)}`)
  print(`${name} is ${red ? 'red' : 'green'}, trace ${result.fingerprint}`)
  return !red
}

function table(name: string, counts: Readonly<Partial<Record<string, number>>>): void {
  const rows = Object.entries(counts).sort(([, left = 0], [, right = 0]) => right - left)
  print(`${name}: ${rows.map(([key, count]) => `${key} ${count}`).join(' · ')}`)
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
