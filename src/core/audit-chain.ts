/**
 * The hash chain of a tenant's audit, as arithmetic: how a link is made, and how an export of all
 * of it is verified line by line, by somebody who has it and trusts nobody.
 */

import { canonical, digest, sha256 } from '../lib/digest.ts'
import { parseTime } from '../lib/time.ts'

/** The hash before the first link. */
const FIRST_HASH = '0'.repeat(64)
/**
 * Entries are sealed within seconds; clocks of processes may differ by so much. An entry that is
 * older and in no link was put there by other means.
 */
export const SETTLE_MS = 600_000

/** An entry as it was written. */
export type AuditBody = Readonly<Record<string, unknown>>

/** A place of the chain: the link of this number has this hash. */
export interface ChainPlace {
  readonly seq: number
  readonly hash: string
}
export interface AuditLink extends ChainPlace {
  readonly entry: AuditBody
}

export const FIRST_PLACE: ChainPlace = { seq: 0, hash: FIRST_HASH }

export function linkAfter({ seq, hash }: ChainPlace, entry: AuditBody): AuditLink {
  const next = seq + 1
  return { seq: next, hash: sha256(`${hash}${canonical({ entry, seq: next })}`), entry }
}

/** The lines of an export, in their order. */
export type ExportLine =
  | {
      readonly object: 'audit_chain'
      /** The place before the first link: what came before was dropped when its time was over. */
      readonly anchor: ChainPlace
      readonly exported_at: string
    }
  | ({ readonly object: 'audit_link' } & AuditLink)
  /** An entry where it was first written, beside the change: it must be what was sealed. */
  | ({ readonly object: 'audit_row' } & AuditRowDigest)
  | ({ readonly object: 'audit_head' } & ChainPlace & {
        readonly links: number
        readonly rows: number
      })
export interface AuditRowDigest {
  readonly version: string
  readonly created_at: string
  readonly digest: string
}

export const rowDigest = (entry: AuditBody): AuditRowDigest => ({
  version: String(entry.version),
  created_at: String(entry.created_at),
  digest: digest(entry),
})

export interface Verified {
  readonly links: number
  readonly anchor: ChainPlace
  readonly head: ChainPlace
  /** Rows that are too young to be sealed. */
  readonly unsealed: number
  /** Links whose first row is not there any more. */
  readonly rowless: number
}

/** Takes the lines of an export, in order; `line` and `end` give the first broken place. */
export function chainVerifier(noted?: string) {
  let began: Extract<ExportLine, { object: 'audit_chain' }> | undefined
  let last: ChainPlace = FIRST_PLACE
  let ended = false
  let isNoted = noted === undefined
  let unsealed = 0
  let rows = 0
  const links = new Map<string, { readonly seq: number } & AuditRowDigest>()
  const seen = new Set<string>()

  const take = (line: ExportLine): string | undefined => {
    if (ended) return 'a line follows the last one'
    if (line.object === 'audit_chain') {
      if (began) return 'the export begins twice'
      began = line
      last = line.anchor
      isNoted ||= noted === last.hash
      const isFirst = last.seq !== 0 || last.hash === FIRST_HASH
      return isFirst ? undefined : 'the chain begins with another hash than the first'
    }
    if (!began) return 'the export does not begin with its anchor'
    if (line.object === 'audit_link') return takeLink(line)
    if (line.object === 'audit_row') return takeRow(line, began.exported_at)
    if (line.object === 'audit_head') return takeHead(line)
    return 'a line is none of an export'
  }

  const takeLink = (link: AuditLink): string | undefined => {
    if (rows > 0) return `seq ${link.seq}: it stands behind the rows`
    const expected = last.seq + 1
    if (link.seq > expected)
      return `seq ${expected}: it is missing, ${link.seq} follows ${last.seq}`
    if (link.seq < expected) return `seq ${link.seq}: it comes twice, or out of its order`
    const version = String(link.entry?.version)
    if (linkAfter(last, link.entry).hash !== link.hash)
      return `seq ${link.seq} (${version}): it was changed, or the one before it`
    if (links.has(version)) return `seq ${link.seq}: ${version} is sealed twice`
    links.set(version, { seq: link.seq, ...rowDigest(link.entry) })
    last = { seq: link.seq, hash: link.hash }
    isNoted ||= noted === link.hash
    return undefined
  }

  const takeRow = (row: AuditRowDigest, exported_at: string): string | undefined => {
    rows += 1
    if (seen.has(row.version)) return `${row.version}: its row comes twice`
    seen.add(row.version)
    const link = links.get(row.version)
    const { created_at } = row
    if (link?.digest === row.digest && link.created_at === created_at) return undefined
    if (link) return `seq ${link.seq} (${row.version}): its row is not what was sealed`
    const age = (parseTime(exported_at) ?? 0) - (parseTime(created_at) ?? 0)
    if (age > SETTLE_MS) return `${row.version}: its row was never sealed; somebody put it there`
    unsealed += 1
    return undefined
  }

  const takeHead = (head: Extract<ExportLine, { object: 'audit_head' }>): string | undefined => {
    ended = true
    if (head.seq !== last.seq || head.hash !== last.hash)
      return `seq ${last.seq}: the chain ends here, and the export says at ${head.seq}`
    if (head.links !== links.size) return `${links.size} links came, of ${head.links}`
    return head.rows === rows ? undefined : `${rows} rows came, of ${head.rows}`
  }

  const end = (): { readonly broken: string } | Verified => {
    if (!began) return { broken: 'the export is empty' }
    if (!ended) return { broken: `seq ${last.seq}: the export ends early` }
    if (!isNoted) return { broken: `the head ${noted} is not in this chain` }
    const rowless = [...links.keys()].filter((version) => !seen.has(version)).length
    return { links: links.size, anchor: began.anchor, head: last, unsealed, rowless }
  }
  return { line: take, end }
}
