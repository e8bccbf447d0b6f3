/** Prints the state of all proofs as a table and as one line. */

import { Contents } from './guarded.ts'
import { PROOFS, type Proof } from './proofs.ts'
import { type ProofRecord, readRecords, standing } from './record.ts'

interface Row {
  readonly proof: Proof
  readonly record: ProofRecord | undefined
  readonly state: 'green' | 'red' | 'due'
}

function rows(): readonly Row[] {
  const [contents, records] = [new Contents(), readRecords()]
  return PROOFS.map((proof) => {
    const record = records[proof.name]
    return { proof, record, state: standing(record, contents.hash(proof.guards)).state }
  })
}

/** Returns one line, such as `proofs: 20 of 42 green, 1 red (siege), 21 due`. */
export function brief(all = rows()): string {
  const namesIn = (state: Row['state']): string[] =>
    all.filter((row) => row.state === state).map(({ proof }) => proof.name)
  const [red, due] = [namesIn('red'), namesIn('due')]
  const reds = red.length === 0 ? '0 red' : `${red.length} red (${red.join(', ')})`
  return `proofs: ${namesIn('green').length} of ${all.length} green, ${reds}, ${due.length} due`
}

/** Returns a line for each proof, or all its properties, and a last line that counts all proofs. */
export function table(proofs: readonly Proof[], isDetailed: boolean): string {
  const all = rows()
  const shown = all.filter(({ proof }) => proofs.includes(proof))
  return [...shown.map(isDetailed ? details : line), brief(all)].join('\n')
}

function line({ proof: { name, kind, minutes }, record, state }: Row): string {
  const columns = [name.padEnd(18), kind.padEnd(9), `${minutes} min`.padStart(7), state.padEnd(6)]
  return [...columns, lastRun(record, state)].join('  ').trimEnd()
}

function lastRun(record: ProofRecord | undefined, state: Row['state']): string {
  if (!record) return 'never run'
  const { date, seconds, result, seed } = record
  const how = state === 'due' ? `${result} on ${date}, changed since` : `on ${date}`
  return `${how}, ${seconds} s${seed === undefined ? '' : `, seed ${seed}`}`
}

function details(row: Row): string {
  const { proves, guards, command, env, needs = [] } = row.proof
  const variables = Object.entries(env ?? {}).map(([name, text]) => `${name}=${text}`)
  return [
    line(row),
    `  ${proves}`,
    `  guards  ${guards.join(' ')}`,
    `  runs    ${[...variables, ...command].join(' ')}`,
    ...(needs.length === 0 ? [] : [`  needs   ${needs.join(', ')}`]),
  ].join('\n')
}
