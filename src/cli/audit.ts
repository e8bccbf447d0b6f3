/** `strata audit`: lists changes, exports them with their hash chain, and verifies that chain. */

import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Strata } from '../client/index.ts'
import type { ExportLine } from '../core/audit-chain.ts'
import { AuditVerifier, type IntactChain } from '../core/audit-verifier.ts'
import { oneLine } from '../lib/invisible-characters.ts'
import { clientOf } from './api.ts'
import type { AuditCommand } from './audit-names.ts'
import type { Shape } from './manage.ts'
import { jsonLine } from './run.ts'
import { tableOf } from './table.ts'
import type { Terminal } from './terminal.ts'
import { WrongUse } from './usage-error.ts'

interface AuditOptions extends Shape, Filters {
  /** Exported file to verify. */
  readonly file?: string | undefined
  /** Hash of the chain that the user noted earlier. */
  readonly noted?: string
}

interface Filters {
  readonly kind?: string
  readonly name?: string
  readonly action?: string
  readonly by?: string
  readonly from?: string
  readonly to?: string
  readonly limit?: number
}

type AuditQuery = Parameters<Strata['audit']['list']>[0]

const MOST = 100

/** Runs the command; returns the exit code. */
export async function audit(
  terminal: Terminal,
  command: AuditCommand,
  { json, file, noted: notedHash, ...filters }: AuditOptions,
): Promise<number> {
  if (command !== 'verify' && (file ?? notedHash) !== undefined)
    throw new WrongUse('a file and --noted require verify')
  if (command !== 'list' && Object.values(filters).some((value) => value !== undefined))
    throw new WrongUse('filters and --limit require list')
  if (command === 'list') return list(terminal, filters, json)
  if (command === 'export') return exportLines(terminal)
  return verify(terminal, file, notedHash, json)
}

async function list(
  terminal: Terminal,
  { limit = 20, from, to, ...filters }: Filters,
  json: boolean | undefined,
): Promise<number> {
  if (!Number.isInteger(limit) || limit < 1)
    throw new WrongUse('--limit requires a positive integer')
  const times = { 'created[gte]': from, 'created[lt]': to }
  // The server validates the filters.
  const query = { ...filters, ...times, limit: Math.min(limit, MOST) } as AuditQuery
  const entries: Entry[] = []
  for await (const entry of clientOf(terminal.env).audit.list(query)) {
    entries.push(entry)
    if (entries.length === limit) break
  }
  const lines = json ? entries.map(jsonLine) : tableOf(HEADS, entries.map(rowOf))
  for (const line of lines) terminal.out(line)
  return 0
}

type Entry = Awaited<ReturnType<Strata['audit']['list']>>['data'][number]

const HEADS = ['created_at', 'by', 'address', 'via', 'kind', 'action', 'name', 'detail', 'version']

const rowOf = ({ created_at, by, address, via, kind, action, name, detail, version }: Entry) => [
  ...[created_at, by, address, via, kind, action, name, detail, version],
]

async function exportLines(terminal: Terminal): Promise<number> {
  let isComplete = false
  for await (const line of await clientOf(terminal.env).audit.export()) {
    isComplete = line.object === 'audit_head'
    terminal.out(jsonLine(line))
  }
  if (!isComplete) terminal.err('The export is incomplete: its last line is missing.')
  return isComplete ? 0 : 1
}

async function verify(
  terminal: Terminal,
  file: string | undefined,
  notedHash: string | undefined,
  json: boolean | undefined,
): Promise<number> {
  const verifier = new AuditVerifier(notedHash)
  const lines = file === undefined ? await clientOf(terminal.env).audit.export() : linesIn(file)
  let fault: string | undefined
  for await (const line of lines) {
    fault = verifier.check(line as ExportLine)
    if (fault !== undefined) break
  }
  const result = fault === undefined ? verifier.finish() : { fault }
  if (json) terminal.out(jsonLine({ intact: !('fault' in result), ...result }))
  else if ('fault' in result) terminal.out(oneLine(`not intact: ${result.fault}`))
  else for (const line of summary(result)) terminal.out(line)
  return 'fault' in result ? 1 : 0
}

/** Describes an intact chain; its head is printed so that the user can note it. */
const summary = ({ links, head, anchor, unsealed, without_row: rowless }: IntactChain) => [
  `${links} ${links === 1 ? 'entry' : 'entries'}, chain intact, head ${head.hash}`,
  ...(anchor.seq > 0 ? [`entries up to ${anchor.seq} were deleted by retention`] : []),
  ...(unsealed > 0 ? [`not sealed yet: ${unsealed}`] : []),
  ...(rowless > 0 ? [`only in the chain, because their rows were deleted: ${rowless}`] : []),
]

/** Yields the lines of an exported file; a line that is not JSON fails verification. */
async function* linesIn(file: string): AsyncGenerator<unknown> {
  const input = createReadStream(file)
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  for await (const line of lines) {
    if (line === '') continue
    try {
      yield JSON.parse(line)
    } catch {
      yield { object: 'not JSON' }
    }
  }
}
