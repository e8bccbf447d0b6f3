import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { violations } from '../../tools/plain.ts'
import { draw, numbersOf } from '../../tools/sample.ts'

it('an indefinite person and a docstring without a subject are reported with their lines', () => {
  const text = '/** Of the row. */\nconst a = 1\n/**\n * Where it lies.\n */\n// nobody reads it\n'
  expect(violations(text).map(([line]) => line)).toEqual([1, 3, 6])
})

it('a docstring that states what the item is passes, and so does a name that only looks similar', () => {
  expect(
    violations('/** The version of the row. */\nbody: NoBody,\n/** One-line text. */'),
  ).toEqual([])
})

const ROOT = join(import.meta.dirname, '../../..')

/** The output of Biome, with the configuration of this repository, for a file below `src`. */
function lint(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'strata-names-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const config = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'))
  const [{ path, includes }] = config.plugins
  const plugins = [{ path: join(ROOT, path), includes }]
  const alone = { ...config, $schema: undefined, vcs: { enabled: false }, plugins }
  writeFileSync(join(folder, 'biome.json'), JSON.stringify(alone))
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/example.ts'), text)
  const { stdout, stderr } = spawnSync('biome', ['lint', 'src'], { cwd: folder, encoding: 'utf8' })
  expect(stdout).toContain('Checked 1 file')
  return stdout + stderr
}

it.each([
  ['a constant', 'export const told = 1\n'],
  ['a parameter', 'export const ids = (rows: { id: string }[]) => rows.map((one) => one.id)\n'],
  ['a type', 'export type Given = number\n'],
  ['a function', 'export function asked(): void {}\n'],
])('%s with a vague name is refused', (_, text) => {
  expect(lint(text)).toContain('A name says what the value is')
})

it('nouns and the remaining members of an object are valid names', () => {
  const text = 'export const f = ({ a, ...rest }: { a: 1; b: 2 }, rowsBefore: number) => {\n'
  expect(lint(`${text}  return [a, rest, rowsBefore]\n}\n`)).not.toContain('A name says')
})

it('a sample is the same for the same seed, and contains each text once', () => {
  const texts = ['a', 'b', 'c', 'a']
  expect(draw(texts, 2, numbersOf(7))).toEqual(draw(texts, 2, numbersOf(7)))
  expect(draw(texts, 9, numbersOf(7)).sort()).toEqual(['a', 'b', 'c'])
})
