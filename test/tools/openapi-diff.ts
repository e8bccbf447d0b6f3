/**
 * `npm run openapi:diff -- [commit]`: what of openapi.yaml has changed since a commit (the one before
 * unless it is named), and whether programs of then break. Exits with 0: a breaking change is said,
 * and whether it may be is for people; with `--strict` it exits with 1.
 */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { contractChanges } from './contract-changes.ts'
import { OPENAPI_FILE } from './openapi.ts'

const args = process.argv.slice(2)
const commit = args.find((arg) => !arg.startsWith('-')) ?? 'HEAD~1'
const { status, stdout, stderr } = spawnSync('git', ['show', `${commit}:openapi.yaml`], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
if (status !== 0) {
  console.log(`openapi.yaml of ${commit} is not there, so nothing is compared: ${stderr.trim()}`)
} else {
  const changes = contractChanges(parse(stdout), parse(readFileSync(OPENAPI_FILE, 'utf8')))
  for (const { weight, place, says } of changes)
    console.log(`${weight.padEnd(10)} ${place}: ${says}`)
  const breaking = changes.filter(({ weight }) => weight === 'breaking').length
  console.log(`since ${commit}: ${changes.length} changes of the API, ${breaking} breaking`)
  if (breaking > 0 && args.includes('--strict')) process.exitCode = 1
}
