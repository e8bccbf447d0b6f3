import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AuditBody,
  CHAIN_START,
  type ExportLine,
  linkAfter,
  rowDigest,
} from '../../../src/core/audit-chain.ts'
import { AuditVerifier } from '../../../src/core/audit-verifier.ts'
import { cases } from '../../support/full.ts'

const exported_at = '2026-11-25T10:00:00.000Z'

function exportOf(entries: readonly AuditBody[]): ExportLine[] {
  let last = CHAIN_START
  const links = entries.map((entry) => {
    const link = linkAfter(last, entry)
    last = link
    return link
  })
  const counts = { links: links.length, rows: links.length }
  return [
    { object: 'audit_chain', anchor: CHAIN_START, exported_at },
    ...links.map((link) => ({ object: 'audit_link', ...link }) as const),
    ...entries.map((entry) => ({ object: 'audit_row', ...rowDigest(entry) }) as const),
    { object: 'audit_head', seq: last.seq, hash: last.hash, ...counts },
  ]
}

function faultOf(lines: readonly unknown[], noted?: string): string | undefined {
  const verifier = new AuditVerifier(noted)
  for (const line of lines) {
    const fault = verifier.check(JSON.parse(JSON.stringify(line)) as ExportLine)
    if (fault !== undefined) return fault
  }
  const result = verifier.finish()
  return 'fault' in result ? result.fault : undefined
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
const entryLists = fc.array(entry, { minLength: 2, maxLength: 12 }).map((bodies) =>
  bodies.map((body, index) => ({
    ...body,
    version: `ver_${index}`,
    created_at: `2026-11-25T09:0${index % 10}:00.000Z`,
  })),
)

/** Returns the paths of all values in a line, except the time of the export, which has no hash. */
function paths(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [[...path]]
  return Object.entries(value)
    .filter(([name]) => name !== 'exported_at')
    .flatMap(([name, member]) => paths(member, [...path, name]))
}

function changedLine(line: ExportLine, index: number): unknown {
  const copy = structuredClone(line) as Record<string, unknown>
  const all = paths(copy)
  const path = all[index % all.length]!
  let node = copy
  for (const name of path.slice(0, -1)) node = node[name] as Record<string, unknown>
  const last = path.at(-1)!
  const value = node[last]
  node[last] = typeof value === 'number' ? value + 1 : `${value}x`
  return copy
}

const EDITS = ['change', 'delete', 'swap', 'repeat', 'insert', 'forget', 'cut'] as const

/** Applies one edit to an export of `count` entries; the two numbers select the lines. */
function edited(
  lines: unknown[],
  edit: (typeof EDITS)[number],
  count: number,
  [first, second]: readonly [number, number],
): unknown[] {
  const at = first % lines.length
  const line = lines[at] as ExportLine
  if (edit === 'change') lines[at] = changedLine(line, second)
  if (edit === 'delete') lines.splice(at, 1)
  if (edit === 'repeat') lines.splice(at, 0, line)
  if (edit === 'cut') lines.splice(at)
  if (edit === 'swap') {
    // Only links have an order; rows are found by their ID.
    const one = first % count
    const other = (one + 1 + (second % (count - 1))) % count
    ;[lines[one + 1], lines[other + 1]] = [lines[other + 1], lines[one + 1]]
  }
  if (edit === 'insert') {
    const { entry: body } = lines[1] as { entry: AuditBody }
    const link = linkAfter({ seq: first % 20, hash: 'a'.repeat(64) }, body)
    lines.splice(1 + (second % (count + 1)), 0, { object: 'audit_link', ...link })
  }
  if (edit === 'forget') {
    const index = 1 + (first % count)
    const link = lines[index] as { entry: Record<string, unknown> }
    const names = Object.keys(link.entry)
    const { [names[second % names.length]!]: _, ...remaining } = link.entry
    lines[index] = { ...link, entry: remaining }
  }
  return lines
}

describe('an exported audit chain', () => {
  it('is intact as exported, and contains every hash of its own', () => {
    fc.assert(
      fc.property(entryLists, (entries) => {
        const lines = exportOf(entries)
        expect(faultOf(lines)).toBeUndefined()
        for (const line of lines)
          if (line.object === 'audit_link') expect(faultOf(lines, line.hash)).toBeUndefined()
        expect(faultOf(lines, 'f'.repeat(64))).toContain('does not contain the hash')
      }),
    )
  })

  it('fails verification after any single change', () => {
    fc.assert(
      fc.property(
        ...([entryLists, fc.constantFrom(...EDITS), fc.nat(), fc.nat()] as const),
        (entries, edit, first, second) => {
          const lines = edited(exportOf(entries), edit, entries.length, [first, second])
          expect(faultOf(lines), edit).toBeDefined()
        },
      ),
      { numRuns: cases(1_000) },
    )
  })

  it.each([[[null]], [[{ object: 'audit_chain' }]], [[{ object: 'audit_chain', anchor: null }]]])(
    'that begins with %j fails verification',
    (lines) => {
      expect(faultOf(lines)).toMatch(/^The export /)
    },
  )

  it('whose end was cut off and closed again fails only with a noted hash', () => {
    const entries = [1, 2, 3].map((number) => ({
      ...{ version: `ver_${number}`, kind: 'file', action: 'put', created_at: exported_at },
    }))
    const complete = exportOf(entries)
    const cut = exportOf(entries.slice(0, 2))
    const { hash } = complete.at(-1) as { readonly hash: string }
    expect(faultOf(cut)).toBeUndefined()
    expect(faultOf(cut, hash)).toContain('does not contain the hash')
  })

  it('fails verification if an old row is not in the chain', () => {
    const lines = exportOf([{ version: 'ver_1', created_at: exported_at }])
    const inserted = (created_at: string) => ({
      ...{ object: 'audit_row', ...rowDigest({ version: 'ver_2', created_at }) },
    })
    const head = { ...(lines.at(-1) as object), rows: 2 }
    const withRow = (row: object) => [...lines.slice(0, -1), row, head]
    expect(faultOf(withRow(inserted('2026-11-25T08:00:00.000Z')))).toContain('was inserted')
    expect(faultOf(withRow(inserted('2026-11-25T09:59:59.000Z')))).toBeUndefined()
  })
})
