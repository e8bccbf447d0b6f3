/** `npm run prove`: runs proofs, or prints the state of each. */

import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { command, given, WrongUse } from '../../support/options.ts'
import { Contents, ROOT } from './guarded.ts'
import { PROOFS, type Proof } from './proofs.ts'
import { RecordError, readRecords, standing } from './record.ts'
import { Runner, runProofs } from './run.ts'
import { brief, table } from './status.ts'

const USAGE = `
npm run prove -- [NAME …] [--changed] [--afresh] [--status]

  NAME …       these proofs (default: all of them)
  --changed    those that are not green for the files as they are
  --afresh     from the first one, even if a run of the same proofs was stopped
  --status     runs nothing: prints the table of all proofs, or everything about the named ones

A proof ends green or red, or is not run: a program or the registry is missing, or the machine is
too busy to measure. Results are recorded in test/proofs.json. After a stop, the same command
continues with the proof that was running. Exits with 0 when all were green, with 1 when one was red, with 75 when none
was red and some were not run, with 74 when a record cannot be read or written, and with 2 when it was
asked for wrongly.`

/** EX_IOERR of sysexits.h. */
const CANNOT_WRITE = 74

const progressPath = (): string => {
  const args = ['rev-parse', '--git-path', 'proving']
  return resolve(ROOT, execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim())
}

function selectProofs(names: readonly string[], changed: boolean): readonly Proof[] {
  const known = PROOFS.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new WrongUse(`there is no proof ${JSON.stringify(unknown)}: --status lists them`)
  const [contents, records] = [new Contents(), readRecords()]
  const isDue = ({ name, guards }: Proof): boolean =>
    standing(records[name], contents.hash(guards)).state !== 'green'
  return PROOFS.filter(({ name }) => names.length === 0 || names.includes(name)).filter(
    (proof) => !changed || isDue(proof),
  )
}

async function run(proofs: readonly Proof[], afresh: boolean): Promise<boolean> {
  const progress = progressPath()
  if (afresh) rmSync(progress, { force: true })
  const runner = new Runner()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => runner.end(signal))
  const status = await runProofs(proofs, { progress }, runner)
  console.log(brief())
  if (status > 1) process.exit(status)
  return status === 0
}

async function main(): Promise<boolean> {
  const flag = { type: 'boolean' } as const
  const options = { changed: flag, afresh: flag, status: flag }
  const { values, rest } = given(process.argv.slice(2), options, PROOFS.length)
  const proofs = selectProofs(rest, values.changed === true)
  if (values.status !== true) return run(proofs, values.afresh === true)
  console.log(table(proofs, rest.length > 0))
  return true
}

await command(USAGE, () =>
  main().catch((error: unknown) => {
    if (!(error instanceof RecordError)) throw error
    console.error(`prove: ${error.message}`)
    process.exit(CANNOT_WRITE)
  }),
)
