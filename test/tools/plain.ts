/**
 * `node test/tools/plain.ts`: how this repository speaks, as far as a program can check it. In the
 * finished folders a docstring begins with what the thing is or does, and sentences name the actor.
 * Prints each violation with its line, and exits with 1 when there is one.
 */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** Paths that are checked; a change that finishes a folder adds it. */
const FINISHED = [
  'src',
  'infra',
  'examples',
  'docs',
  '.github',
  'README.md',
  'CONTRIBUTING.md',
] as const
/** Paths within them that are not checked, each with the reason. */
const EXCEPT: Readonly<Record<string, string>> = {
  'src/client/contract.ts': 'is generated from openapi.yaml',
  'docs/decisions/': 'records what was decided at the time',
}
const TEXT = /\.(?:tsx?|md|toml|sh|ya?ml)$/

/** Words that hide the actor: the caller, the client, the operator, a worker, the receiver. */
const INDEFINITE = /\b(?:[Nn]obody|[Ss]omebody|[Ww]hoever|[Ee]verybody|[Aa]nybody)\b/
/** Beginnings of a docstring that leave out its subject. */
const WITHOUT_SUBJECT =
  /^[ \t]*(?:\/\*\*|\/\*\*\s*\n[ \t]*\*)[ \t]+(?:Of|One|Those|Such|It|By|For who|Where|What|Who|Whoever)(?![\w-])/

/** Violations in a text, each as its line number and the sentence that explains it. */
export function violations(text: string): readonly (readonly [line: number, why: string])[] {
  return text.split('\n').flatMap((line, at, lines): [number, string][] => {
    const found: [number, string][] = []
    const [word] = INDEFINITE.exec(line) ?? []
    if (word) found.push([at + 1, `"${word}" names no actor`])
    const start = line.trim() === '/**' ? `${line}\n${lines[at + 1] ?? ''}` : line
    if (WITHOUT_SUBJECT.test(start)) found.push([at + 1, 'the docstring begins without a subject'])
    return found
  })
}

function main(): void {
  const listed = execFileSync('git', ['ls-files', '--', ...FINISHED], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const paths = listed
    .split('\n')
    .filter((path) => TEXT.test(path) && !Object.keys(EXCEPT).some((one) => path.startsWith(one)))
  const found = paths.flatMap((path) =>
    violations(readFileSync(join(ROOT, path), 'utf8')).map(
      ([line, why]) => `${path}:${line}: ${why}`,
    ),
  )
  for (const one of found) console.error(one)
  if (found.length > 0) process.exitCode = 1
}

if (import.meta.main) main()
