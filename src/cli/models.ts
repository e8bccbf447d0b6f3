/** `strata models`: the models and aliases that runs may name, from the server. */

import { oneLine } from '../lib/visible.ts'
import { clientOf } from './api.ts'
import type { Terminal } from './terminal.ts'

const UNKNOWN = '?'

/** Aliases with their chains, then models with window, content and dollars per million tokens. */
export async function models(terminal: Terminal, given: { json?: boolean }): Promise<number> {
  const shown = await clientOf(terminal.env).models.list()
  if (given.json) {
    terminal.out(JSON.stringify(shown))
    return 0
  }
  terminal.out(oneLine(`default: ${shown.default ?? 'none'}`))
  for (const { alias, models: chain } of shown.aliases)
    terminal.out(
      oneLine(`${alias}: ${chain.join(', then ') || 'none of its models is configured'}`),
    )
  for (const warning of shown.warnings) terminal.err(oneLine(`warning: ${warning}`))
  for (const { id, kind, window, input, price } of shown.data) {
    // `agent/…`, as clients name it that choose by model.
    if (kind === 'agent') {
      terminal.out(oneLine(id))
      continue
    }
    const dollars = price ? `$${price.input_per_million}/$${price.output_per_million}` : UNKNOWN
    const facts = [window ?? UNKNOWN, input?.join('+') ?? UNKNOWN, dollars]
    terminal.out(oneLine(`${id} ${facts.join(' ')}`))
  }
  return 0
}
