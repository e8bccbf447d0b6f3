/** `strata models`: lists the models and aliases that the server lets runs use. */

import { oneLine } from '../lib/invisible-characters.ts'
import { clientOf } from './api.ts'
import { tableOf } from './table.ts'
import type { Terminal } from './terminal.ts'

const UNKNOWN = '?'

/**
 * Lists aliases with their fallback chains, then models with context window, content types, and
 * price in dollars per million tokens.
 */
export async function models(terminal: Terminal, options: { json?: boolean }): Promise<number> {
  const catalog = await clientOf(terminal.env).models.list()
  if (options.json) {
    terminal.out(JSON.stringify(catalog))
    return 0
  }
  const aliases = catalog.aliases.map(({ alias, models: chain }) => [
    alias,
    chain.join(', then ') || 'no model is configured',
  ])
  const rows = catalog.data.map(({ id, kind, window, input, price }) => {
    // An `agent/…` ID serves clients that select an agent by model name.
    if (kind === 'agent') return [id, kind, null, null, null]
    const dollars = price ? `$${price.input_per_million}/$${price.output_per_million}` : UNKNOWN
    return [id, kind, window ?? UNKNOWN, input?.join('+') ?? UNKNOWN, dollars]
  })
  terminal.out(oneLine(`default: ${catalog.default ?? 'none'}`))
  for (const warning of catalog.warnings) terminal.err(oneLine(`warning: ${warning}`))
  const tables = [
    tableOf(['alias', 'models'], aliases),
    tableOf(['id', 'kind', 'window', 'input', 'price'], rows),
  ]
  for (const lines of tables) for (const line of ['', ...lines]) terminal.out(line)
  return 0
}
