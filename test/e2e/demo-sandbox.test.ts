/** The demo of the tools that imported agents name, as a person starts it. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('an agent written for another product keeps a list, searches, reads, runs a command, and asks', async () => {
  const env = { PATH: process.env.PATH ?? '' }
  const { stdout } = await promisify(execFile)(process.execPath, ['examples/sandbox.ts'], { env })
  expect(stdout).toContain('a person lets shell_execute run')
  expect(stdout).toContain('ask_user (ok): faster starts')
  expect(stdout).toContain('the model sees release.png (69 bytes)')
  expect(stdout.trim().split('\n').at(-1)).toBe('demo ok: 6 calls of 5 tools')
})
