/**
 * `strata memory`: searches, reads, writes, and lists the tenant's memory with one request each.
 */

import type { Strata } from '../client/index.ts'
import { oneLine } from '../lib/invisible-characters.ts'
import { clientOf } from './api.ts'
import type { MemoryAction } from './memory-actions.ts'
import { jsonLine } from './run.ts'
import { tableOf } from './table.ts'
import type { Terminal } from './terminal.ts'
import { WrongUse } from './usage-error.ts'

interface Passage {
  readonly path: string
  readonly lines: { readonly from: number; readonly to: number }
  readonly text: string
}
interface MemoryAnswer {
  readonly passages?: readonly Passage[] | number
  readonly stale?: boolean
  readonly notes?: readonly string[]
  readonly text?: string
  readonly data?: readonly {
    readonly path: string
    readonly size: number
    readonly modified_at: string
  }[]
  readonly next_cursor?: string | null | undefined
  readonly [key: string]: unknown
}

export interface MemoryAsked {
  readonly action: MemoryAction
  /** Search query, path, or path prefix to use. */
  readonly what: string | undefined
  /** Text of the memory entries to write. */
  readonly text: string | undefined
  readonly heading?: string
  readonly limit?: number
  readonly cursor?: string
  readonly json?: boolean
}

export async function memory(terminal: Terminal, request: MemoryAsked): Promise<number> {
  const answer: MemoryAnswer = await runAction(clientOf(terminal.env), request)
  if (request.json) terminal.out(jsonLine(answer))
  else for (const line of linesOf(answer)) terminal.out(line)
  for (const note of answer.notes ?? []) terminal.err(oneLine(note))
  if (answer.next_cursor && !request.json)
    terminal.err(oneLine(`More entries are available; use --cursor ${answer.next_cursor}`))
  return 0
}

async function runAction(
  { memory: some }: Strata,
  { action, what: target, text, heading, limit, cursor }: MemoryAsked,
): Promise<MemoryAnswer> {
  if (action !== 'write' && text !== undefined)
    throw new WrongUse(`${action} does not accept a text`)
  switch (action) {
    case 'search':
      return await some.search({ query: needed(target, 'a query') })
    case 'get':
      return await some.get(needed(target, 'a path'))
    case 'list':
      return { ...(await some.list({ prefix: target, limit, cursor })) }
    case 'status':
      return await some.status({ prefix: target })
    case 'rebuild':
      return await some.rebuild(target ? { prefix: target } : {})
    case 'write':
      if (text === undefined) throw new WrongUse('write requires a path and a text')
      return await some.append(needed(target, 'a path'), { content: text, heading })
    default:
      return action satisfies never
  }
}

function needed(value: string | undefined, label: string): string {
  if (!value) throw new WrongUse(`${label} is missing`)
  return value
}

/**
 * Formats a memory response: passages like `grep` output, a list as a table, and text unchanged.
 */
function linesOf({ passages, data, text, ...fields }: MemoryAnswer): string[] {
  if (typeof passages === 'object') {
    return passages.map(({ path, lines, text: excerpt }) =>
      oneLine(`${path}:${lines.from}-${lines.to}: ${excerpt.replace(/\s+/g, ' ')}`),
    )
  }
  if (data) {
    const rows = data.map(({ path, size, modified_at }) => [path, size, modified_at])
    return tableOf(['path', 'size', 'modified_at'], rows, [1])
  }
  if (text !== undefined) return text.split('\n').map(oneLine)
  return Object.entries({ passages, ...fields })
    .filter(([, value]) => typeof value !== 'object' && value !== undefined)
    .map(([name, value]) => oneLine(`${name}: ${String(value)}`))
}
