/** A fan-out as Markdown. Texts of models stand in quotations and code, and cannot leave them. */

import type { components } from '../../src/client/index.ts'

type Schemas = components['schemas']
export interface Reported extends Pick<Schemas['FanoutWithResults'], 'id' | 'status' | 'output'> {
  readonly results: readonly Schemas['TaskResult'][]
}

/** Marks the comment, so that a later run finds it. */
export const MARK = '<!-- strata -->'

const CELL = 200
const ANSWER = 20_000
const ROWS = 100

/** A line of a cell: no bars, no tags, no mentions that would notify people. */
function cell(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const short = line.length > CELL ? `${line.slice(0, CELL)}…` : line
  return short.replace(/[\\`*_{}[\]<>|#@!~]/g, (sign) => `&#${sign.codePointAt(0)};`)
}

/** A block that holds any text: its fence is longer than any row of backticks in it. */
function block(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const shown = text.length > ANSWER ? `${text.slice(0, ANSWER)}\n… (cut)` : text
  return `${fence}text\n${shown}\n${fence}`
}

export function report({ id, status, output, results }: Reported): string {
  const rows = results.slice(0, ROWS).map((one) => {
    const said = one.result ?? one.error?.message ?? ''
    return `| ${cell(one.label ?? one.task)} | ${one.status} | ${cell(said)} |`
  })
  const left = results.length - rows.length
  return [
    MARK,
    `### Strata: ${status}`,
    `\`${id}\`, ${results.length} tasks`,
    ...(output?.text ? ['', block(output.text)] : []),
    '',
    '| task | status | result |',
    '|---|---|---|',
    ...rows,
    ...(left > 0 ? ['', `${left} more by \`GET /v1/fanouts/${id}/tasks\`.`] : []),
    '',
  ].join('\n')
}
