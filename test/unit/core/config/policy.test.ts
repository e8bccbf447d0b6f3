import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { check } from '../../../../src/cli/check.ts'
import { refusedWhenStrict } from '../../../../src/core/config/diagnostic.ts'
import type { FileRecord } from '../../../../src/core/config/types.ts'

/**
 * One directory per row of POLICY.md: a layer, and beside it what must become of each of
 * its files. `strict` says what strict mode does with the file's findings.
 */
const ROOT = join(import.meta.dirname, '../../../fixtures/policy')

async function recordsOf(name: string): Promise<unknown[]> {
  const records: FileRecord[] = []
  await check(join(ROOT, name), { json: true, loose: false }, (line) => {
    records.push(JSON.parse(line))
  })
  return records
    .filter((record) => record.path !== 'expected.json')
    .map(({ path, kind, id, status, diagnostics }) => ({
      path,
      kind,
      id,
      status,
      strict: diagnostics.some(refusedWhenStrict) ? 'refused' : 'accepted',
      diagnostics: diagnostics.map(({ code, severity, line, hint }) => ({
        code,
        severity,
        line,
        hint,
      })),
    }))
}

describe('POLICY.md, row by row', () => {
  for (const name of readdirSync(ROOT).sort()) {
    const expected = join(ROOT, name, 'expected.json')
    it(`${name} becomes its expected record`, async () => {
      expect(existsSync(expected)).toBe(true)
      expect(await recordsOf(name)).toEqual(JSON.parse(readFileSync(expected, 'utf8')))
    })
  }

  it('front matter in another language is never executed [M01]', () => {
    expect((globalThis as { planted?: unknown }).planted).toBeUndefined()
  })
})
