/** What a timeline begins with: what kind of world it is, and what clients do in it. */

import type { Mix } from '../faults/faults.ts'
import type { Operation, PlannedRun } from '../world/operations.ts'
import type { Sim } from '../world/sim.ts'

export function headerOf(
  sim: Sim,
  of: { readonly seed: number; readonly mix: Mix; readonly operations: readonly Operation[] },
): string[] {
  const { profile, processes, skews, endpoint, settings, inject } = sim
  const clocks = skews ? processes.map((one) => `${one.name} ${one.skew} ms`).join(', ') : 'right'
  const listens = endpoint ? `, an endpoint of ${endpoint.tenant}` : ''
  const levels = Object.entries(of.mix).filter(([, level]) => level !== 0)
  const faults = levels.map(([kind, level]) => `${kind} ×${level}`)
  const injected = (inject ?? []).map(({ at, kind }) => `${kind} at operation ${at}`)
  return [
    `seed ${of.seed}: ${profile}, ${processes.length} processes${listens}; clocks: ${clocks}`,
    `settings: ${inWords(settings)}`,
    `faults: ${[...faults, ...injected].join(' · ') || 'none'}`,
    ...of.operations.map(operationLine),
    '',
  ]
}

function operationLine(operation: Operation): string {
  const { op, at, name, ...rest } = operation
  return `${seconds(at)}  ${op} ${name} ${inWords(rest)}`.trimEnd()
}

/** As the lines of a timeline begin. */
export const seconds = (ms: number): string => (ms / 1000).toFixed(3).padStart(10)

const inWords = (of: object): string =>
  Object.entries(of)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key} ${inWord(value)}`)
    .join(' · ')

function inWord(value: unknown): string {
  if (isRun(value)) return runWords(value)
  if (Array.isArray(value) && value.every(isRun)) return `[${value.map(runWords).join(', ')}]`
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const isRun = (value: unknown): value is PlannedRun =>
  typeof value === 'object' && value !== null && 'steps' in value

/** `(pay wire!slow, spawn(lookup))`: its steps with their calls, and what is special about them. */
function runWords({ steps, broken }: PlannedRun): string {
  const words = steps.map(({ calls }) =>
    calls
      .map(({ kind, behaviour, child, wait }) => {
        const what = wait ? `${kind}&wait` : kind
        const how = behaviour === 'plain' ? what : `${what}!${behaviour}`
        return child ? how + runWords(child) : how
      })
      .join(' '),
  )
  return `(${[...words, ...(broken ? ['broken'] : [])].join(', ')})`
}
