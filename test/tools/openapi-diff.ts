/**
 * `npm run openapi:diff [-- commit]`: the changes of openapi.yaml since a commit, by default the one
 * that `.ci/contract.json` names, and which of them break existing clients. Exits with 1 when a
 * breaking change is not listed there under `accepted` (its place and sentence as printed). A commit
 * that the clone does not have, such as a shallow one, decides nothing.
 */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { contractChanges } from './contract-changes.ts'
import { OPENAPI_FILE } from './openapi.ts'

interface Base {
  readonly commit: string
  readonly accepted: readonly string[]
}

const FILE = join(import.meta.dirname, '../../.ci/contract.json')
const base = JSON.parse(readFileSync(FILE, 'utf8')) as Base
const commit = process.argv[2] ?? base.commit

const { status, stdout, stderr } = spawnSync('git', ['show', `${commit}:openapi.yaml`], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
if (status !== 0) {
  console.log(
    `openapi.yaml of ${commit} is not in this clone, so nothing is compared: ${stderr.trim()}`,
  )
} else {
  const changes = contractChanges(parse(stdout), parse(readFileSync(OPENAPI_FILE, 'utf8')))
  const lines = changes.map(({ weight, place, says }) => ({ weight, line: `${place}: ${says}` }))
  for (const { weight, line } of lines) console.log(`${weight.padEnd(10)} ${line}`)
  const breaking = lines.filter(({ weight }) => weight === 'breaking').map(({ line }) => line)
  const refused = breaking.filter((line) => !base.accepted.includes(line))
  console.log(
    `since ${commit}: ${changes.length} changes of the API, ${breaking.length} breaking, ` +
      `${refused.length} of them not accepted in .ci/contract.json`,
  )
  if (refused.length > 0) process.exitCode = 1
}
