/** `strata usage`: tokens and dollars by day, agent or model. */

import type { components } from '../client/index.ts'
import { oneLine } from '../lib/visible.ts'
import { clientOf } from './api.ts'
import type { Shape } from './manage.ts'
import { jsonLine } from './run.ts'
import type { Terminal } from './terminal.ts'

type Report = components['schemas']['UsageReport']

interface UsageOptions extends Shape {
  readonly by: Report['by']
  readonly from?: string
  readonly to?: string
}

export async function usage(
  terminal: Terminal,
  { by, from, to, json }: UsageOptions,
): Promise<number> {
  const report = await clientOf(terminal.env).usage.get({ by, from, to })
  if (json) terminal.out(jsonLine(report))
  else {
    for (const one of report.data) if (!report.groups) terminal.out(line(one.date, one))
    for (const one of report.groups ?? []) terminal.out(line(one.name ?? '-', one))
    terminal.out(line('total', report.total))
  }
  if (report.next_to !== null) {
    terminal.err(`Days before ${report.next_to} are not counted: ask again with it as --to.`)
  }
  return 0
}

function line(name: string, { runs, fanouts, usage: used, cost }: Report['total']): string {
  const dollars = cost === null ? 'no price' : `$${cost}`
  const tokens = `${used.input_tokens}+${used.output_tokens} tokens`
  return oneLine(
    `${name}  ${runs} runs  ${fanouts} fan-outs  ${used.model_calls} calls  ${tokens}  ${dollars}`,
  )
}
