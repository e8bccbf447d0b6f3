/**
 * `node test/hostile/siege/main.ts`: the real server under named attacks, each alone and all at once, while a good
 * client goes on. `--workerd`: those that make sense there, against the Worker in workerd.
 */

import { chance } from '../../support/chance.ts'
import { command, given, WrongUse, whole } from '../../support/options.ts'
import type { Attack } from './attack.ts'
import { ATTACKS } from './attacks/index.ts'
import { siege } from './siege.ts'

const USAGE = `
node test/hostile/siege/main.ts [--minutes N] [--part P] [--only NAME] [--seed S] [--workerd] [--list]

  --minutes N   how long all attacks go on at once (default 5; with --part its share)
  --part P      a part of the attacks, from 0.01 to 1, chosen by the seed
  --only NAME   those whose names hold this alone
  --seed S      which part, and the order (default: drawn; it is printed)
  --workerd     against the Worker in workerd instead of the Node host
  --list        names the attacks and what each would do

Exits with 0 when all was held, with 1 when anything broke, and with 2 when it was asked for wrongly.`

const MINUTE = 60_000

async function run(): Promise<boolean> {
  const text = { type: 'string' } as const
  const yes = { type: 'boolean' } as const
  const { values } = given(process.argv.slice(2), {
    minutes: text,
    part: text,
    only: text,
    seed: text,
    workerd: yes,
    list: yes,
  })
  const word = (name: string): string | undefined => values[name] as string | undefined
  const part = Number(word('part') ?? 1)
  if (!(part >= 0.01 && part <= 1)) throw new WrongUse('--part is a number from 0.01 to 1')
  const minutes = Number(word('minutes') ?? 5 * part)
  if (!(minutes > 0 && minutes <= 600)) throw new WrongUse('--minutes is a number up to 600')
  const seed = whole(
    '--seed',
    word('seed') ?? String(Math.floor(Math.random() * 2 ** 31)),
    0,
    2 ** 32 - 3,
  )
  const fit = ATTACKS.filter(({ name }) => name.includes(word('only') ?? '')).filter(
    ({ workerd }) => values.workerd !== true || workerd === true,
  )
  const attacks = chosen(fit, part, seed)
  if (attacks.length === 0) throw new WrongUse('no attack is called so; --list names them')
  if (values.list === true) {
    for (const { name, row, what } of attacks)
      console.log(`${name.padEnd(46)} ${(row ?? '').padEnd(4)} ${what}`)
    console.log(`${attacks.length} attacks`)
    return true
  }
  console.log(`siege: ${attacks.length} of ${ATTACKS.length} attacks, seed ${seed}`)
  if (values.workerd === true) {
    const { siegeWorker } = await import('./workerd.ts')
    return siegeWorker(attacks, seed)
  }
  return siege({
    attacks,
    seed,
    quietMs: part < 1 ? 10_000 : 20_000,
    aloneMs: 1_000,
    togetherMs: minutes * MINUTE,
  })
}

/** A part of each kind, by chance. */
function chosen(attacks: readonly Attack[], part: number, seed: number): readonly Attack[] {
  if (part === 1) return attacks
  const next = chance(seed)
  const drawn = attacks.map((attack) => ({ attack, at: next() })).sort((a, b) => a.at - b.at)
  const taken = new Set(
    drawn.slice(0, Math.ceil(attacks.length * part)).map(({ attack }) => attack),
  )
  return attacks.filter((attack) => taken.has(attack))
}

await command(USAGE, run)
// What a peer still holds open keeps nobody.
process.exit()
