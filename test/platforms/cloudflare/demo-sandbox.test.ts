/** The demo of the tools that imported agents name, in the bundled Worker. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('an agent written for another product does its work in the Worker', async () => {
  const env = { PATH: process.env.PATH ?? '' }
  const args = ['examples/sandbox.ts', '--workers']
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  expect(stdout).toContain('the model sees release.png (69 bytes)')
  expect(stdout.trim().split('\n').at(-1)).toBe('demo ok: 6 calls of 5 tools')
})
