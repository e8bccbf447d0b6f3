/**
 * Verification of an exported audit chain, line by line and without access to the server. The
 * verifier reports the first changed, missing, reordered, or inserted entry.
 */

import { parseTime } from '../lib/time.ts'
import {
  type AuditLink,
  type AuditRowDigest,
  CHAIN_START,
  type ChainPosition,
  type ExportLine,
  linkAfter,
  rowDigest,
} from './audit-chain.ts'
import { LIMITS } from './limits.ts'

type HeadLine = Extract<ExportLine, { object: 'audit_head' }>
type ChainLine = Extract<ExportLine, { object: 'audit_chain' }>

/** Result of the verification of an intact chain. */
export interface IntactChain {
  readonly links: number
  /** Position before the first link; entries up to it were deleted by retention. */
  readonly anchor: ChainPosition
  readonly head: ChainPosition
  /** Number of entries that are too recent to be sealed. */
  readonly unsealed: number
  /** Number of links whose original row was deleted, usually together with its resource. */
  readonly without_row: number
}

export class AuditVerifier {
  readonly #notedHash: string | undefined
  readonly #links = new Map<string, AuditRowDigest & { readonly seq: number }>()
  readonly #rows = new Set<string>()
  #start: ChainLine | undefined
  #last: ChainPosition = CHAIN_START
  #hasHead = false
  #hasNotedHash: boolean
  #unsealed = 0

  /** Creates a verifier; `notedHash` is an earlier hash that the chain must contain. */
  constructor(notedHash?: string) {
    this.#notedHash = notedHash
    this.#hasNotedHash = notedHash === undefined
  }

  /** Checks the next line; returns a description of the first fault. */
  check(line: ExportLine): string | undefined {
    if (this.#hasHead) return 'The export continues after its last line'
    if (line?.object === 'audit_chain') return this.#checkStart(line)
    if (!this.#start) return 'The export does not begin with its anchor'
    switch (line?.object) {
      case 'audit_link':
        return this.#checkLink(line)
      case 'audit_row':
        return this.#checkRow(line, this.#start)
      case 'audit_head':
        return this.#checkHead(line)
      default:
        return 'The export contains an unknown line'
    }
  }

  /** Returns the result after the last line. */
  finish(): { readonly fault: string } | IntactChain {
    if (!this.#start) return { fault: 'The export is empty' }
    if (!this.#hasHead) return { fault: `The export ends early, after entry ${this.#last.seq}` }
    if (!this.#hasNotedHash)
      return { fault: `The chain does not contain the hash ${this.#notedHash}` }
    const { anchor } = this.#start
    const without_row = [...this.#links.keys()].filter((id) => !this.#rows.has(id)).length
    const { seq, hash } = this.#last
    const links = this.#links.size
    return { links, anchor, head: { seq, hash }, unsealed: this.#unsealed, without_row }
  }

  #checkStart(line: ChainLine): string | undefined {
    if (this.#start) return 'The export begins twice'
    if (typeof line.anchor?.hash !== 'string') return 'The export begins with an invalid anchor'
    this.#start = line
    this.#reach(line.anchor)
    const { seq, hash } = line.anchor
    if (seq === 0 && hash !== CHAIN_START.hash) return 'The anchor has a wrong hash'
    return undefined
  }

  #checkLink(link: AuditLink): string | undefined {
    if (this.#rows.size > 0) return `Entry ${link.seq} follows the rows`
    const expected = this.#last.seq + 1
    if (link.seq > expected) return `Entry ${expected} is missing`
    if (link.seq < expected) return `Entry ${link.seq} is repeated or out of order`
    const version = String(link.entry?.version)
    if (linkAfter(this.#last, link.entry).hash !== link.hash)
      return `Entry ${link.seq} (${version}), or the entry before it, was changed`
    if (this.#links.has(version)) return `Entry ${link.seq} repeats ${version}`
    this.#links.set(version, { seq: link.seq, ...rowDigest(link.entry) })
    this.#reach(link)
    return undefined
  }

  #checkRow(row: AuditRowDigest, { exported_at }: ChainLine): string | undefined {
    const { version, created_at } = row
    if (this.#rows.has(version)) return `The row of ${version} is repeated`
    this.#rows.add(version)
    const link = this.#links.get(version)
    if (link) {
      const isSame = link.digest === row.digest && link.created_at === created_at
      return isSame ? undefined : `The row of entry ${link.seq} (${version}) was changed`
    }
    const age = (parseTime(exported_at) ?? 0) - (parseTime(created_at) ?? 0)
    if (age > LIMITS.audit_settle_seconds * 1_000)
      return `The row ${version} is not in the chain, so it was inserted`
    this.#unsealed += 1
    return undefined
  }

  #checkHead(head: HeadLine): string | undefined {
    this.#hasHead = true
    const { seq, hash } = this.#last
    if (head.seq > seq) return `Entry ${seq + 1} is missing`
    if (head.seq !== seq || head.hash !== hash) return `The chain does not end at entry ${head.seq}`
    if (head.links !== this.#links.size)
      return `The export has ${this.#links.size} entries instead of ${head.links}`
    if (head.rows !== this.#rows.size)
      return `The export has ${this.#rows.size} rows instead of ${head.rows}`
    return undefined
  }

  #reach({ seq, hash }: ChainPosition): void {
    this.#last = { seq, hash }
    this.#hasNotedHash ||= hash === this.#notedHash
  }
}
