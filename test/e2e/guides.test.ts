/** README's tour and the guides, followed to the letter: every block of code runs. */

import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { cleanup } from '../support/cleanup.ts'
import { temporaryFolder } from '../support/server.ts'
import { agrees, blocksOf, walk } from '../support/walkthrough.ts'

/** Documents without a block of code to run. */
const REFERENCE = ['index.md', 'performance.md', 'settings.md']
const guides = readdirSync('docs')
  .filter((name) => name.endsWith('.md') && !REFERENCE.includes(name))
  .map((name) => `docs/${name}`)

it.each(['README.md', ...guides])('%s: the shown output is the printed output', async (path) => {
  const blocks = blocksOf(readFileSync(path, 'utf8'))
  expect(blocks.length).toBeGreaterThan(1)
  const steps = await walk(blocks, await temporaryFolder(), (close) => cleanup.push(close))
  const wrong = steps.filter(
    ({ expected, printed, code }) =>
      code !== 0 || (expected !== undefined && !agrees(printed, expected)),
  )
  expect(wrong.map(({ line, ...step }) => ({ at: `${path}:${line}`, ...step }))).toEqual([])
})

it('a different line and a missing line are found', () => {
  expect(agrees('run_1\na\nb\nc\n', 'run_…\n…\nc\n')).toBe(true)
  expect(agrees('run_1\na\nc\nd\n', 'run_…\n…\nc\n')).toBe(false)
  expect(agrees('run_1\n', 'run_…\nmore\n')).toBe(false)
  expect(agrees('a+b\n', 'a.b\n')).toBe(false)
})
