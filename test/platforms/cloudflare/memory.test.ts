/** The example of memory in workerd: files, search and index on R2. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('an agent remembers in the Worker as on Node', async () => {
  const env = { PATH: process.env.PATH ?? '' }
  const args = ['examples/memory.ts', '--workers']
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  expect(stdout.trim().split('\n').at(-1)).toContain('memory ok')
})
