/**
 * What is kept of earlier findings: small plans, of what was once wrong here and of what few seeds
 * show, each with the planted bugs that it shows; and for every planted bug the world that found it
 * last, of a seed or of such a plan under a seed.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { BUGS } from '../bugs/index.ts'
import type { Plan } from '../world/world.ts'
import { type SmallPlan, variations } from './shrink.ts'

export interface KeptPlan extends SmallPlan {
  readonly name: string
  /** The planted bugs under which the plan breaks an invariant. */
  readonly bugs: readonly string[]
}
/** A world: of the seed alone, or of a kept plan under it. */
export interface KeptWorld {
  readonly plan?: string
  readonly seed: number
}
export type KeptWorlds = Readonly<Record<string, KeptWorld>>

/** A plan is replayed under its seed and the ones after it, so many. */
export const VARIATIONS = 25

const PLANS = new URL('../regressions/', import.meta.url)
const WORLDS = new URL('../planted.json', import.meta.url)

const parsed = (file: URL): unknown => JSON.parse(readFileSync(file, 'utf8'))

export const keptPlans = (): KeptPlan[] =>
  readdirSync(PLANS).map((file) => {
    const plan = parsed(new URL(file, PLANS)) as Omit<KeptPlan, 'name'>
    return { name: file.replace('.json', ''), ...plan }
  })

/** Returns the text of a plan's file: a line for each member, and one for each operation. */
export function planText({ operations, ...rest }: Omit<KeptPlan, 'name'>): string {
  const members = Object.entries(rest).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  )
  const lines = operations.map((operation) => `  ${JSON.stringify(operation)}`)
  return `{\n${members.join('\n')}\n"operations": [\n${lines.join(',\n')}\n]\n}\n`
}

/** What is simulated in such a world; undefined when its plan is no more. */
export function planOf({ seed, plan }: KeptWorld): Plan | undefined {
  if (plan === undefined) return { seed }
  const kept = keptPlans().find(({ name }) => name === plan)
  return kept && variations({ ...kept, seed }, 1)[0]
}

export const keptWorlds = (): KeptWorlds => parsed(WORLDS) as KeptWorlds

/** In the order of the bugs, a line each; those that are no more are forgotten. */
export function keepWorlds(worlds: KeptWorlds): void {
  const lines = BUGS.flatMap(({ name }) => {
    const { seed, plan } = worlds[name] ?? {}
    const world = plan === undefined ? { seed } : { plan, seed }
    const entries = Object.entries(world).map(([key, of]) => `"${key}": ${JSON.stringify(of)}`)
    return seed === undefined ? [] : [`  ${JSON.stringify(name)}: { ${entries.join(', ')} }`]
  })
  writeFileSync(WORLDS, `{\n${lines.join(',\n')}\n}\n`)
}
