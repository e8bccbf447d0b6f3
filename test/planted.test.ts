/**
 * Each text that a planted bug changes is there once: of the simulator, of the promises and of the
 * mutants of layers. Where this is red, the text has changed, and its patch is to follow it.
 */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BUGS } from './sim/bugs/index.ts'
import { DOORS } from './sim/planting/doors.ts'
import { MUTANTS } from './sim/planting/mutants.ts'
import { type Planting, planted, type Sources, sources } from './sim/planting/plant.ts'
import { PROMISES } from './sim/planting/promises.ts'
import { fullOr } from './support/full.ts'

const ROOT = resolve(import.meta.dirname, '..')

const LISTS = { simulator: BUGS, promises: PROMISES, doors: DOORS, layers: MUTANTS } as const

/** Why it cannot be planted, or that it leaves no program. */
function fault(planting: Planting, all = sources()): string | undefined {
  try {
    for (const text of planted(planting, all).values()) parse(planting.name, text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

function parse(name: string, text: string): void {
  try {
    stripTypeScriptTypes(text)
  } catch (error) {
    throw new Error(`"${name}" leaves no program: ${(error as Error).message}`)
  }
}

describe.each(Object.entries(LISTS))('planted bugs: %s', (_, list) => {
  it('each matches its text once and leaves a valid program', () => {
    expect(list.flatMap((one) => fault(one) ?? [])).toEqual([])
  })

  it('each has a unique name and changes something', () => {
    expect(list.length).toBeGreaterThan(0)
    expect(new Set(list.map(({ name }) => name)).size).toBe(list.length)
    for (const { name, patches } of list) {
      expect(patches.length, name).toBeGreaterThan(0)
      for (const { find, put } of patches) expect(put, name).not.toBe(find)
    }
  })
})

it('each broken promise names a test of its file', () => {
  const all = [...PROMISES, ...DOORS]
  const texts = all.map(({ file }) => readFileSync(join(ROOT, file), 'utf8'))
  // Some of a title may be filled in by `it.each`.
  const titled = all.filter(
    ({ name }, index) =>
      texts[index]!.includes(name) || texts[index]!.includes(`(${/promise \d/.exec(name)?.[0]})'`),
  )
  expect(titled).toEqual(all)
})

it('each bug that a test reveals names a test of its file', () => {
  const tests = BUGS.flatMap(({ testedBy }) => testedBy ?? [])
  const texts = tests.map(({ file }) => readFileSync(join(ROOT, file), 'utf8'))
  expect(tests.filter(({ title }, index) => texts[index]!.includes(title))).toEqual(tests)
})

/** All sources as the formatter breaks their lines at this width, in folders of another name. */
function formatted(lineWidth: number): Sources {
  const folder = mkdtempSync(join(tmpdir(), 'strata-formatted-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const moved = [...sources()].map(([path, text]) => {
    const to = join(folder, 'elsewhere', relative(ROOT, path))
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, text)
    return to
  })
  const style = { quoteStyle: 'single', semicolons: 'asNeeded' }
  const config = { formatter: { indentStyle: 'tab', lineWidth }, javascript: { formatter: style } }
  writeFileSync(join(folder, 'biome.json'), JSON.stringify(config))
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome')
  execFileSync(process.execPath, [biome, 'format', '--write', '.'], { cwd: folder, stdio: 'pipe' })
  return new Map(moved.map((path) => [path, readFileSync(path, 'utf8')]))
}

it.each(fullOr([40, 60, 200], [60]))(
  'planted bugs are found when lines are broken at %d columns',
  (lineWidth) => {
    const all = formatted(lineWidth)
    expect([...all.values()].join()).not.toBe([...sources().values()].join())
    const lost = Object.values(LISTS).flatMap((list) =>
      list.flatMap((one) => fault(one, all) ?? []),
    )
    expect(lost).toEqual([])
  },
)
