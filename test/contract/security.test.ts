import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SECURITY_ELSEWHERE, SECURITY_ROWS } from './security/table.ts'

const CASES = join(resolve(import.meta.dirname, '../../..'), 'shared/security-cases.md')

describe('the rows of inputs to refuse', () => {
  it.skipIf(!existsSync(CASES))('are tried on every host, or say why no request shows them', () => {
    const all = [...readFileSync(CASES, 'utf8').matchAll(/^\| ([A-Z]+\d+[a-z]?) \|/gm)]
    const tried = new Set(
      SECURITY_ROWS.flatMap(({ title }) => title.match(/\b[A-Z]\d{2}\b/g) ?? []),
    )
    const wrong = all
      .map(([, id]) => id!)
      .filter((id) => tried.has(id) === id in SECURITY_ELSEWHERE)
    expect(wrong).toEqual([])
  })
})
