/** Patches of test/planted are kept with the code that they break: `npm run test:promises` runs them. */

import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const FOLDER = join(import.meta.dirname, 'planted')

it.each(readdirSync(FOLDER))('%s still applies', (name) => {
  const root = join(import.meta.dirname, '..')
  expect(() =>
    execFileSync('git', ['apply', '--check', join(FOLDER, name)], { cwd: root, stdio: 'pipe' }),
  ).not.toThrow()
})
