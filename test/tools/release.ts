/**
 * `npm run release`: checks whether this tree may be released, and prints the package. Refuses a tree
 * that is not committed, whose gate has not passed, or that has a proof which is red or due. This is
 * a dry run: nothing is tagged or published.
 */

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Contents, ROOT } from './prove/guarded.ts'
import { PROOFS } from './prove/proofs.ts'
import { readRecords, standing } from './prove/record.ts'

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

function gatePassed(): boolean {
  const path = resolve(ROOT, git('rev-parse', '--git-path', 'gate-passed'))
  return existsSync(path) && readFileSync(path, 'utf8').trim() === git('rev-parse', 'HEAD^{tree}')
}

/** Returns the reasons against a release, each as a sentence. */
function objections(version: string): readonly string[] {
  const [contents, records] = [new Contents(), readRecords()]
  const proofs = PROOFS.flatMap(({ name, guards }) => {
    const { state } = standing(records[name], contents.hash(guards))
    if (state === 'green') return []
    if (state === 'red') return `The proof ${name} is red.`
    return `The proof ${name} ${records[name] ? 'is older than its files' : 'was never run'}.`
  })
  const changes = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  return [
    ...(git('status', '--porcelain') === '' ? [] : ['The working tree has uncommitted changes.']),
    ...(gatePassed() ? [] : ['The gate has not passed on this tree: npm run gate.']),
    ...(changes.includes(version) ? [] : [`CHANGELOG.md has no entry for ${version}.`]),
    ...proofs,
  ]
}

const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  name: string
  version: string
}
const reasons = objections(version)
for (const sentence of reasons) console.error(`release: ${sentence}`)
if (reasons.length > 0) {
  console.error(`release: ${name} ${version} is refused; run npm run prove -- --changed`)
  process.exitCode = 1
} else {
  execFileSync('npm', ['publish', '--dry-run'], { cwd: ROOT, stdio: 'inherit' })
  console.log(`release: ${name} ${version} may be released; this was a dry run`)
}
