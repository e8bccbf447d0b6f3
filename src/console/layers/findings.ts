/** Findings about files, as the resolution of their layers reports them. */

import type { components } from '../../client/index.ts'

type Schemas = components['schemas']
export type Finding = Schemas['Diagnostic']
type Resolved = Pick<Schemas['Resolved'], 'records' | 'diagnostics'>

/** Returns the findings of each file that has some. Files that another file hides are no finding. */
export function fileFindings({ records }: Resolved): ReadonlyMap<string, readonly Finding[]> {
  const findings = new Map<string, readonly Finding[]>()
  for (const { layer, path, diagnostics } of records) {
    const relevant = diagnostics.filter(({ code }) => code !== 'shadowed')
    if (relevant.length > 0) findings.set(layer + path, relevant)
  }
  return findings
}

/** Returns all findings about one edited file, ordered by line. */
export function findingsOf({ records, diagnostics }: Resolved, path: string): readonly Finding[] {
  const ofFile = records
    .filter((record) => record.layer + record.path === path)
    .flatMap((record) => record.diagnostics)
  // The overlay contains this file only.
  const unused = diagnostics.filter(({ code }) => code === 'overlay_unused')
  return [...ofFile, ...unused].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
}

const ORDER = ['note', 'warning', 'error'] as const

/** Returns the highest severity that counts as a finding in the list of files; notes do not. */
export function worstOf(findings: readonly Finding[]): 'warning' | 'error' | undefined {
  const worst = Math.max(0, ...findings.map(({ severity }) => ORDER.indexOf(severity)))
  const severity = ORDER[worst]
  return severity === 'note' ? undefined : severity
}
