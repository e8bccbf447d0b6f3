/** The example of memory, as a person starts it. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it("an agent's memory is written once, loaded at start, and found by other sessions and people", async () => {
  const env = { PATH: process.env.PATH ?? '' }
  const { stdout } = await promisify(execFile)(process.execPath, ['examples/memory.ts'], { env })
  expect(stdout).toContain('it began with: shared/MEMORY.md, agents/desk/')
  expect(stdout.trim().split('\n').at(-1)).toContain('memory ok')
})
