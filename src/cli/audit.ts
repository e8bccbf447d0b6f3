/** `strata audit`: recorded changes; all of them with their chain; whether that chain is whole. */

import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Strata } from '../client/index.ts'
import { chainVerifier, type ExportLine } from '../core/audit-chain.ts'
import { oneLine } from '../lib/visible.ts'
import { clientOf } from './api.ts'
import type { AuditAction } from './audit-actions.ts'
import type { Shape } from './manage.ts'
import { jsonLine } from './run.ts'
import type { Terminal } from './terminal.ts'
import { WrongUse } from './wrong-use.ts'

interface AuditOptions extends Shape {
  readonly action: AuditAction
  readonly kind?: string
  readonly name?: string
  readonly of?: string
  readonly by?: string
  readonly since?: string
  readonly until?: string
  readonly limit?: number
  /** An export. */
  readonly file?: string
  /** A hash that was noted earlier. */
  readonly head?: string
}

type AuditQuery = Parameters<Strata['audit']['list']>[0]

export async function audit(terminal: Terminal, options: AuditOptions): Promise<number> {
  const { action, json, file, head, of, ...filter } = options
  if (action !== 'verify' && (file ?? head) !== undefined)
    throw new WrongUse('--file and --head go with verify')
  if (action !== 'list' && (of !== undefined || Object.values(filter).some((one) => one != null)))
    throw new WrongUse('filters and --limit go with list')
  if (action === 'list') return listed(terminal, { ...filter, action: of }, json)
  if (action === 'verify') return verified(terminal, { file, head, json })
  let isWhole = false
  for await (const line of await clientOf(terminal.env).audit.export()) {
    isWhole = line.object === 'audit_head'
    terminal.out(jsonLine(line))
  }
  if (!isWhole) terminal.err('The export ended early: it has no last line.')
  return isWhole ? 0 : 1
}

interface Filter {
  readonly limit?: number | undefined
  readonly [name: string]: string | number | undefined
}

async function listed(terminal: Terminal, { limit = 20, ...filter }: Filter, json?: boolean) {
  let left = limit
  // The server says which words it does not know.
  const query = { ...filter, limit: Math.min(limit, 100) } as AuditQuery
  for await (const one of clientOf(terminal.env).audit.list(query)) {
    const { seq, created_at, by, kind, action, name, detail, address } = one
    const line = [seq, created_at, by, address ?? '–', kind, action, name, detail ?? ''].join(' ')
    terminal.out(json ? jsonLine(one) : oneLine(line.trimEnd()))
    left -= 1
    if (left === 0) break
  }
  return 0
}

interface Verify extends Shape {
  readonly file?: string | undefined
  readonly head?: string | undefined
}

/** 0: it is whole; 1: the first broken place is printed. */
async function verified(terminal: Terminal, { file, head, json }: Verify): Promise<number> {
  const verifier = chainVerifier(head)
  const fail = (broken: string): number => {
    terminal.out(json ? jsonLine({ whole: false, broken }) : oneLine(`broken: ${broken}`))
    return 1
  }
  const lines = file === undefined ? await clientOf(terminal.env).audit.export() : linesIn(file)
  for await (const line of lines) {
    const broken = verifier.line(line as ExportLine)
    if (broken !== undefined) return fail(broken)
  }
  const end = verifier.end()
  if ('broken' in end) return fail(end.broken)
  if (json) {
    terminal.out(jsonLine({ whole: true, ...end }))
    return 0
  }
  terminal.out(`${end.links} entries, chain whole, head ${end.head.hash}`)
  if (end.anchor.seq > 0)
    terminal.out(`entries up to ${end.anchor.seq} were dropped when their time was over`)
  if (end.unsealed > 0) terminal.out(`${end.unsealed} entries are not sealed yet`)
  if (end.rowless > 0)
    terminal.out(`${end.rowless} entries are in the chain only: their rows are gone`)
  return 0
}

async function* linesIn(file: string): AsyncGenerator<unknown> {
  const lines = createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })
  for await (const line of lines) {
    if (line === '') continue
    try {
      yield JSON.parse(line)
    } catch {
      yield { object: 'no JSON' }
    }
  }
}
