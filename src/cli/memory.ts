/** `strata memory`: searches, reads, writes and lists memory of the tenant, one request each. */

import { oneLine } from '../lib/visible.ts'
import { askJson, serverOf } from './api.ts'
import type { MemoryAction } from './memory-actions.ts'
import { jsonLine } from './run.ts'
import type { Terminal } from './terminal.ts'
import { WrongUse } from './wrong-use.ts'

interface Passage {
  readonly path: string
  readonly lines: { readonly from: number; readonly to: number }
  readonly text: string
}
interface Answered {
  readonly passages?: readonly Passage[]
  readonly stale?: boolean
  readonly notes?: readonly string[]
  readonly text?: string
  readonly files?: readonly { readonly path: string; readonly size: number }[] | number
  readonly [key: string]: unknown
}

const TRIES = 3

export interface MemoryAsked {
  readonly action: MemoryAction
  /** A query, a path or a prefix. */
  readonly what: string | undefined
  /** Entries that are written. */
  readonly text: string | undefined
  readonly heading?: string
  readonly json?: boolean
}

export async function memory(terminal: Terminal, asked: MemoryAsked): Promise<number> {
  const { path, ...request } = requestOf(asked)
  const answer = await askJson<Answered>(serverOf(terminal.env), path, { ...request, tries: TRIES })
  if (asked.json) terminal.out(jsonLine(answer))
  else for (const line of linesOf(answer)) terminal.out(line)
  for (const note of answer.notes ?? []) terminal.err(oneLine(note))
  return 0
}

function requestOf({ action, what, text, heading }: MemoryAsked) {
  const named = what === undefined ? '' : encodeURIComponent(what)
  if (action !== 'write' && text !== undefined) throw new WrongUse(`${action} takes no text`)
  switch (action) {
    case 'search':
      return { path: `/v1/memory/search?query=${needed(named, 'a query')}` }
    case 'get':
      return { path: `/v1/memory/${needed(named, 'a path')}` }
    case 'list':
      return { path: `/v1/memory?prefix=${named}` }
    case 'status':
      return { path: `/v1/memory/status?prefix=${named}` }
    case 'rebuild':
      return { path: '/v1/memory/rebuild', method: 'POST', json: what ? { prefix: what } : {} }
    case 'write': {
      if (text === undefined) throw new WrongUse('write takes a path and a text')
      const json = { content: text, heading }
      return { path: `/v1/memory/${needed(named, 'a path')}`, method: 'POST', json }
    }
    default:
      return action satisfies never
  }
}

function needed(named: string, what: string): string {
  if (named === '') throw new WrongUse(`${what} is missing`)
  return named
}

/** A passage as `grep` writes it; a text as it is. */
function linesOf({ passages, files, text, ...rest }: Answered): string[] {
  if (passages) {
    return passages.map(({ path, lines, text: said }) =>
      oneLine(`${path}:${lines.from}-${lines.to}: ${said.replace(/\s+/g, ' ')}`),
    )
  }
  if (Array.isArray(files)) return files.map(({ path, size }) => oneLine(`${path} ${size}`))
  if (text !== undefined) return text.split('\n').map(oneLine)
  return Object.entries({ files, ...rest })
    .filter(([, value]) => typeof value !== 'object' && value !== undefined)
    .map(([name, value]) => oneLine(`${name}: ${String(value)}`))
}
