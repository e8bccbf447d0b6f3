import { expect, it } from 'vitest'
import { violations } from '../../tools/plain.ts'

it('an indefinite person and a docstring without a subject are found with their lines', () => {
  const text = '/** Of the row. */\nconst a = 1\n/**\n * Where it lies.\n */\n// nobody reads it\n'
  expect(violations(text).map(([line]) => line)).toEqual([1, 3, 6])
})

it('a docstring that says what the thing is passes, and so does a name that only looks alike', () => {
  expect(
    violations('/** The version of the row. */\nbody: NoBody,\n/** One-line text. */'),
  ).toEqual([])
})
