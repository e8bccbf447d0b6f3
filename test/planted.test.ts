/**
 * Each text that a planted bug changes is there once: of the simulator, of the promises and of the
 * mutants of layers. Where this is red, the text has changed, and its patch is to follow it.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MUTANTS } from './planting/mutants.ts'
import { type Planting, planted } from './planting/plant.ts'
import { PROMISES } from './planting/promises.ts'
import { BUGS } from './sim/bugs/index.ts'

const LISTS = { simulator: BUGS, promises: PROMISES, layers: MUTANTS } as const

/** Why it cannot be planted. */
function fault(planting: Planting): string | undefined {
  try {
    planted(planting)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

describe.each(Object.entries(LISTS))('planted bugs: %s', (_, list) => {
  it('each finds its texts once', () => {
    expect(list.flatMap((one) => fault(one) ?? [])).toEqual([])
  })

  it('each has a name of its own, and changes something', () => {
    expect(list.length).toBeGreaterThan(0)
    expect(new Set(list.map(({ name }) => name)).size).toBe(list.length)
    for (const { name, patches } of list) {
      expect(patches.length, name).toBeGreaterThan(0)
      for (const { find, put } of patches) expect(put, name).not.toBe(find)
    }
  })
})

it('each broken promise names a test of its file', () => {
  const texts = PROMISES.map(({ file }) =>
    readFileSync(join(import.meta.dirname, '..', file), 'utf8'),
  )
  // Some of a title may be filled in by `it.each`.
  const titled = PROMISES.filter(({ name }, index) =>
    texts[index]!.includes(`'${name.split(':')[0]}:`),
  )
  expect(titled).toEqual(PROMISES)
})
