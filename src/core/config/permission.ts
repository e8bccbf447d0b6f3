/**
 * OpenCode's `permission` map in an agent file. A plain `deny` or `ask` is honoured; patterns such
 * as `{"git *": allow, "*": ask}` cannot be enforced here, so the tool is denied whole: leaving
 * them out would give the agent more than its author wrote.
 */

import { warning } from './diagnostic.ts'
import { translate } from './tools.ts'
import type { Diagnostic, Grant } from './types.ts'
import type { HeadEntry, Plain } from './yaml.ts'

export function permissionDenials(entry: HeadEntry | undefined): {
  readonly denied: readonly Grant[]
  readonly asked: readonly Grant[]
  readonly found: readonly Diagnostic[]
} {
  const map = entry?.value
  if (map === undefined || map === null || typeof map !== 'object' || Array.isArray(map)) {
    return { denied: [], asked: [], found: [] }
  }
  const denied: Grant[] = []
  const asked: Grant[] = []
  const found: Diagnostic[] = []
  for (const [name, rule] of Object.entries(map)) {
    if (allows(rule)) continue
    const grants = name === '*' ? ['*'] : (translate(name) ?? [])
    if (rule === 'ask') {
      asked.push(...grants)
      continue
    }
    denied.push(...grants)
    if (denies(rule)) continue
    const message = `the rule for \`${name}\` cannot be enforced here: denied whole`
    found.push(warning('specifier_denied', message, { line: entry?.line ?? null }))
  }
  return { denied, asked, found }
}

const allows = (rule: Plain): boolean =>
  rule === 'allow' || (isMap(rule) && Object.values(rule).every((one) => one === 'allow'))

const denies = (rule: Plain): boolean =>
  rule === 'deny' || (isMap(rule) && Object.values(rule).every((one) => one === 'deny'))

const isMap = (rule: Plain): rule is { [key: string]: Plain } =>
  typeof rule === 'object' && rule !== null && !Array.isArray(rule)
