/** Runs proofs one after another and records their results. */

import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { Contents, ROOT } from './guarded.ts'
import { busyNow, busyWith, watchOthers } from './load.ts'
import { unmetNeeds } from './needs.ts'
import type { Proof } from './proofs.ts'
import { type ProofRecord, RECORDS, replaceFile, writeRecord } from './record.ts'

/** The exit status if no proof was red and some were not run, and of a proof that could not run: EX_TEMPFAIL of sysexits.h. */
const NOT_RUN = 75
/** The largest seed that every command takes. */
const SEEDS = 2 ** 31 - 1
/** The message of a test that could not measure; see test/support/reference.ts. */
const BUSY = /not measured: busy[^\n]*/
/** Signals that end a program from outside, unlike those of a crash. */
const ENDED: readonly (string | number)[] = ['SIGHUP', 'SIGINT', 'SIGKILL', 'SIGTERM']
/** The number of characters at the end of the output that are searched for it. */
const KEPT = 100_000

interface Outcome {
  readonly result: 'green' | 'red' | 'not run'
  /** The reason; empty for green. */
  readonly reason: string
}

export interface Places {
  /** The file that keeps the remaining proofs of a stopped run. */
  readonly progress: string
  /** The file of records. */
  readonly records?: string
}

/** Runs the program of one proof at a time, and passes signals on to it. */
export class Runner {
  #child: ChildProcess | undefined
  endedBy: NodeJS.Signals | undefined

  end(signal: NodeJS.Signals): void {
    this.endedBy = signal
    if (this.#child) killGroup(this.#child, signal)
  }

  /** Runs the program in its own process group, which is killed when the program ends. */
  async run(proof: Proof, seed: number): Promise<{ ended: string | number; output: string }> {
    const withSeed = (text: string): string => text.replaceAll('{seed}', String(seed))
    const [program = '', ...args] = proof.command.map(withSeed)
    const variables = Object.entries(proof.env ?? {}).map(([name, text]) => [name, withSeed(text)])
    const path = [join(ROOT, 'node_modules/.bin'), process.env.PATH ?? ''].join(delimiter)
    const env = { ...process.env, PATH: path, ...Object.fromEntries(variables) }
    const child = spawn(program, args, {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    this.#child = child
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        process.stdout.write(chunk)
        output = (output + chunk.toString()).slice(-KEPT)
      })
    }
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
    killGroup(child, 'SIGKILL')
    this.#child = undefined
    return { ended: code ?? signal ?? 1, output }
  }
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // The process group has already ended.
  }
}

async function outcomeOf(proof: Proof, seed: number, runner: Runner): Promise<Outcome> {
  const unmet = unmetNeeds(proof.needs ?? [])
  if (unmet.length > 0) return { result: 'not run', reason: unmet.join(', and ') }
  const isMeasured = proof.kind === 'measured'
  const busy = isMeasured ? await busyNow() : undefined
  if (busy !== undefined) return { result: 'not run', reason: busy }
  const share = watchOthers()
  const { ended, output } = await runner.run(proof, seed)
  if (runner.endedBy) return { result: 'not run', reason: `ended by ${runner.endedBy}` }
  if (ended === 0) return { result: 'green', reason: '' }
  if (ended === NOT_RUN) return { result: 'not run', reason: lastLineOf(output) }
  if (ENDED.includes(ended)) return { result: 'not run', reason: `ended by ${ended}` }
  const busyMeanwhile = isMeasured ? (BUSY.exec(output)?.[0] ?? busyWith(share())) : undefined
  if (busyMeanwhile !== undefined) return { result: 'not run', reason: busyMeanwhile }
  return { result: 'red', reason: `ended with ${ended}` }
}

const lastLineOf = (output: string): string => output.trim().split('\n').at(-1) ?? ''

/** Returns whether the command or the environment takes a seed. */
const takesSeed = ({ command, env }: Proof): boolean =>
  [...command, ...Object.values(env ?? {})].some((text) => text.includes('{seed}'))

/** Returns the remaining names of a stopped run of the same proofs, or else all names. */
function remainingNames(names: readonly string[], progress: string): readonly string[] {
  try {
    const { asked, rest } = JSON.parse(readFileSync(progress, 'utf8'))
    if (JSON.stringify(asked) === JSON.stringify(names)) return rest
  } catch {
    // There is no stopped run.
  }
  return names
}

/** Runs one proof, prints its result, and records it unless it was not run. */
async function runAndRecord(proof: Proof, runner: Runner, records: string): Promise<Outcome> {
  const seed = takesSeed(proof) ? randomInt(SEEDS) : undefined
  // Hashed before the run, because files may be edited during it.
  const contents = new Contents().hash(proof.guards)
  console.log(`== ${proof.name}: ${proof.proves} About ${proof.minutes} min.`)
  const began = performance.now()
  const outcome = await outcomeOf(proof, seed ?? 0, runner)
  const { result, reason } = outcome
  const seconds = Math.round((performance.now() - began) / 1_000)
  console.log(`== ${proof.name}: ${result}${reason && `: ${reason}`}, ${seconds} s`)
  if (result === 'not run') return outcome
  const date = new Date().toISOString().slice(0, 10)
  const drawn = seed === undefined ? {} : { seed }
  const record: ProofRecord = { contents, date, ...drawn, result, seconds }
  writeRecord(proof.name, record, records)
  return outcome
}

/**
 * Runs the proofs, or the remaining ones if a run of the same proofs was stopped. Returns the exit
 * status: 0 if all were green, 1 if one was red, 75 if none was red and some were not run.
 */
export async function runProofs(
  proofs: readonly Proof[],
  { progress, records = RECORDS }: Places,
  runner = new Runner(),
): Promise<number> {
  const names = proofs.map(({ name }) => name)
  const rest = [...remainingNames(names, progress)]
  if (rest.length < names.length)
    console.log(`prove: continues with ${rest[0]}: ${rest.length} of ${names.length} remain`)
  const outcomes: [name: string, Outcome][] = []
  for (let [name] = rest; name !== undefined; [name] = rest) {
    replaceFile(progress, JSON.stringify({ asked: names, rest }))
    const proof = proofs.find((one) => one.name === name)!
    outcomes.push([name, await runAndRecord(proof, runner, records)])
    if (runner.endedBy) {
      console.error(
        `prove: ended by ${runner.endedBy} in ${name}; repeat the command to continue there`,
      )
      return 128 + constants.signals[runner.endedBy]
    }
    rest.shift()
  }
  rmSync(progress, { force: true })
  for (const [name, { result, reason }] of outcomes)
    if (result !== 'green') console.log(`${result}: ${name}: ${reason}`)
  const has = (result: Outcome['result']): boolean =>
    outcomes.some(([, outcome]) => outcome.result === result)
  return has('red') ? 1 : has('not run') ? NOT_RUN : 0
}
