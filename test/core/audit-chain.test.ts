/** The chain of the audit: any single change of an export is found. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AuditBody,
  chainVerifier,
  type ExportLine,
  FIRST_PLACE,
  linkAfter,
  rowDigest,
} from '../../src/core/audit-chain.ts'

const exported_at = '2026-11-25T10:00:00.000Z'

function exported(entries: readonly AuditBody[]): ExportLine[] {
  let last = FIRST_PLACE
  const links = entries.map((entry) => {
    const link = linkAfter(last, entry)
    last = link
    return link
  })
  return [
    { object: 'audit_chain', anchor: FIRST_PLACE, exported_at },
    ...links.map((link) => ({ object: 'audit_link', ...link }) as const),
    ...entries.map((entry) => ({ object: 'audit_row', ...rowDigest(entry) }) as const),
    {
      object: 'audit_head',
      seq: last.seq,
      hash: last.hash,
      links: links.length,
      rows: links.length,
    },
  ]
}

function brokenBy(lines: readonly unknown[], head?: string): string | undefined {
  const verifier = chainVerifier(head)
  for (const line of lines) {
    const broken = verifier.line(JSON.parse(JSON.stringify(line)) as ExportLine)
    if (broken !== undefined) return broken
  }
  const end = verifier.end()
  return 'broken' in end ? end.broken : undefined
}

const entry = fc
  .record({
    kind: fc.constantFrom('file', 'policy', 'key'),
    name: fc.string(),
    by: fc.string(),
    number: fc.nat(),
    detail: fc.option(fc.string(), { nil: undefined }),
    files: fc.array(fc.record({ path: fc.string(), digest: fc.string() }), { maxLength: 3 }),
  })
  .map((body) => JSON.parse(JSON.stringify(body)) as AuditBody)
const entries = fc.array(entry, { minLength: 2, maxLength: 12 }).map((all) =>
  all.map((one, at) => ({
    ...one,
    version: `ver_${at}`,
    created_at: `2026-11-25T09:0${at % 10}:00.000Z`,
  })),
)

/** The paths of all values in a line, but for the first one's time, which nothing is chained to. */
function leaves(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [[...path]]
  return Object.entries(value)
    .filter(([name]) => name !== 'exported_at')
    .flatMap(([name, member]) => leaves(member, [...path, name]))
}

function changed(line: ExportLine, at: number): unknown {
  const copy = structuredClone(line) as Record<string, unknown>
  const paths = leaves(copy)
  const path = paths[at % paths.length]!
  let node = copy
  for (const name of path.slice(0, -1)) node = node[name] as Record<string, unknown>
  const last = path.at(-1)!
  const value = node[last]
  node[last] = typeof value === 'number' ? value + 1 : `${value}x`
  return copy
}

describe('a chain', () => {
  it('is whole as it was exported, and its own head is in it', () => {
    fc.assert(
      fc.property(entries, (all) => {
        const lines = exported(all)
        expect(brokenBy(lines)).toBeUndefined()
        for (const line of lines)
          if (line.object === 'audit_link') expect(brokenBy(lines, line.hash)).toBeUndefined()
        expect(brokenBy(lines, 'f'.repeat(64))).toContain('is not in this chain')
      }),
    )
  })

  it('is broken by any single change of it', () => {
    const change = fc.constantFrom('change', 'delete', 'swap', 'repeat', 'insert', 'forget', 'cut')
    fc.assert(
      fc.property(entries, change, fc.nat(), fc.nat(), (all, what, first, second) => {
        const lines: unknown[] = exported(all)
        const at = first % lines.length
        const line = lines[at] as ExportLine
        if (what === 'change') lines[at] = changed(line, second)
        if (what === 'delete') lines.splice(at, 1)
        if (what === 'repeat') lines.splice(at, 0, line)
        if (what === 'cut') lines.splice(at)
        if (what === 'swap') {
          // Rows have no order: they are looked up.
          const links = all.length
          const one = first % links
          const other = (one + 1 + (second % (links - 1))) % links
          ;[lines[one + 1], lines[other + 1]] = [lines[other + 1], lines[one + 1]]
        }
        if (what === 'insert') {
          const link = linkAfter({ seq: first % 20, hash: 'a'.repeat(64) }, all[0]!)
          lines.splice(1 + (second % (all.length + 1)), 0, { object: 'audit_link', ...link })
        }
        if (what === 'forget') {
          const link = lines[1 + (first % all.length)] as { entry: Record<string, unknown> }
          const names = Object.keys(link.entry)
          const name = names[second % names.length]!
          lines[1 + (first % all.length)] = {
            ...link,
            entry: Object.fromEntries(Object.entries(link.entry).filter(([one]) => one !== name)),
          }
        }
        expect(brokenBy(lines), what).toBeDefined()
      }),
      { numRuns: 1_000 },
    )
  })

  it('cut at its end and closed anew is whole, but for who has noted its head', () => {
    const all = [1, 2, 3].map((number) => ({
      ...{ version: `ver_${number}`, kind: 'file', action: 'put', created_at: exported_at },
    }))
    const whole = exported(all)
    const cut = exported(all.slice(0, 2))
    const head = whole.at(-1) as { readonly hash: string }
    expect(brokenBy(cut)).toBeUndefined()
    expect(brokenBy(cut, head.hash)).toContain('is not in this chain')
  })

  it('has no link for an old row: somebody has put it there', () => {
    const lines = exported([{ version: 'ver_1', created_at: exported_at }])
    const planted = (created_at: string) => ({
      ...{ object: 'audit_row', ...rowDigest({ version: 'ver_2', created_at }) },
    })
    const head = { ...(lines.at(-1) as object), rows: 2 }
    const withRow = (row: object) => [...lines.slice(0, -1), row, head]
    expect(brokenBy(withRow(planted('2026-11-25T08:00:00.000Z')))).toContain('never sealed')
    expect(brokenBy(withRow(planted('2026-11-25T09:59:59.000Z')))).toBeUndefined()
  })
})
