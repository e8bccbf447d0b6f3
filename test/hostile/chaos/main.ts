/**
 * `node test/hostile/chaos/main.ts`: the real Node host, or the Worker in workerd, under load and killed with SIGKILL;
 * at the end everything that was acknowledged is reconciled.
 */

import { command, given, whole } from '../../support/options.ts'
import { chaos } from './chaos.ts'

const USAGE = `
node test/hostile/chaos/main.ts [--workerd] [--kills N] [--seed S]

  --workerd   the Worker in workerd instead of the Node host
  --kills N   kills of the host, one every two seconds or so (default 5; with --workerd 25)
  --seed S    when they come, what the receiver does and how clients choose (default: drawn)

Exits with 0 when what was acknowledged is there, with 1 on any violation, and with 2 when it was
asked for wrongly.`

const MOST_KILLS = 100_000
/** What must have happened at all. */
const LEAST = [
  'runs accepted',
  'fan-outs accepted',
  'once effects performed',
  'events delivered',
  'readers',
]

/** Returns what the words ask for; refuses wrong use before anything runs. */
export function readCommand(words: readonly string[]): () => Promise<boolean> {
  const text = { type: 'string' } as const
  const { values } = given(words, { kills: text, seed: text, workerd: { type: 'boolean' } })
  const workerd = values.workerd === true
  const word = (name: string): string | undefined => values[name] as string | undefined
  const kills = whole('--kills', word('kills') ?? (workerd ? '25' : '5'), 1, MOST_KILLS)
  const drawn = String(Math.floor(Math.random() * 2 ** 31))
  // Its chance has 32 bits, and some parts begin at the next seeds.
  const seed = whole('--seed', word('seed') ?? drawn, 0, 2 ** 32 - 3)
  return () => run({ kills, seed, workerd })
}

interface Given {
  readonly kills: number
  readonly seed: number
  readonly workerd: boolean
}

async function run({ kills, seed, workerd }: Given): Promise<boolean> {
  console.log(`chaos: ${kills} kills${workerd ? ' of workerd' : ''}, seed ${seed}`)
  const began = performance.now()
  const { done, violations, waits } = await chaos({ kills, seed, workerd })
  for (const [name, count] of Object.entries(done)) {
    console.log(`${String(count).padStart(8)} ${name}`)
  }
  for (const violation of violations) console.log(`VIOLATION ${violation}`)
  for (const line of waits) console.log(line)
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  console.log(`${violations.length} violations, seed ${seed}, ${seconds} s`)
  const idle = LEAST.filter((what) => !done[what])
  for (const what of idle) console.log(`VIOLATION nothing was shown: no ${what}`)
  return violations.length + idle.length === 0
}

if (import.meta.main) await command(USAGE, async () => readCommand(process.argv.slice(2))())
