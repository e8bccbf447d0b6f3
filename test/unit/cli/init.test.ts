/** What `strata init` writes, and that it changes nothing. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { check } from '../../../src/cli/check.ts'
import { init } from '../../../src/cli/init.ts'
import type { FileRecord } from '../../../src/core/config/types.ts'
import { cleanup } from '../../support/cleanup.ts'
import { terminal } from '../../support/terminal.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'strata-init-'))
  cleanup.push(async () => rmSync(made, { recursive: true }))
  return made
}

it('strata init writes a layer with one file of each kind that loads without a finding', async () => {
  const dir = join(folder(), 'new')
  expect(init(terminal({}), dir)).toBe(0)
  const lines: string[] = []
  expect(
    await check(join(dir, 'base'), { json: true, loose: false }, (line) => lines.push(line)),
  ).toBe(0)
  const records = lines.map((line) => JSON.parse(line) as FileRecord)
  expect(records.map(({ kind, status, diagnostics }) => [kind, status, diagnostics])).toEqual([
    ['agent', 'loaded', []],
    ['config', 'loaded', []],
    ['schedule', 'loaded', []],
    ['skill', 'loaded', []],
  ])
  expect(readFileSync(join(dir, '.env.example'), 'utf8')).toMatch(/^# Copy this file to \.env/)
})

it('strata init keeps every existing file and reports it', () => {
  const dir = folder()
  mkdirSync(join(dir, 'base/.agents'), { recursive: true })
  const mine = join(dir, 'base/.agents/config.toml')
  writeFileSync(mine, '# mine\n')
  const told = terminal({})
  expect(init(told, dir)).toBe(0)
  expect(readFileSync(mine, 'utf8')).toBe('# mine\n')
  expect(told.lines()).toContain(`kept  ${mine}: already exists`)
  const again = terminal({})
  init(again, dir)
  expect(again.lines().filter((line) => line.startsWith('wrote'))).toEqual([])
})
