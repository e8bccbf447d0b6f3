/**
 * Hash chain of a tenant's audit entries. Each link contains an entry, its number, and a hash that
 * covers the entry and all links before it, so a change of any earlier entry changes every later
 * hash. `audit-verifier.ts` verifies an exported chain.
 */

import { canonical, digest, sha256 } from '../lib/digest.ts'

/** An audit entry as it is stored. */
export type AuditBody = Readonly<Record<string, unknown>>

/** Position in the chain: the number of a link and its hash. */
export interface ChainPosition {
  /** Number of the link; the first link has number 1. */
  readonly seq: number
  /** SHA-256 of the previous hash followed by the canonical JSON of `entry` and `seq`. */
  readonly hash: string
}

export interface AuditLink extends ChainPosition {
  readonly entry: AuditBody
}

/** Position before the first link. */
export const CHAIN_START: ChainPosition = { seq: 0, hash: '0'.repeat(64) }

/** Returns the link of an entry after the given position. */
export function linkAfter({ seq, hash }: ChainPosition, entry: AuditBody): AuditLink {
  const next = seq + 1
  return { seq: next, hash: sha256(`${hash}${canonical({ entry, seq: next })}`), entry }
}

/** Digest of an entry as stored with the change that it records. */
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

/** Lines of an export, in order: the anchor, all links, the digests of the rows, and the head. */
export type ExportLine =
  | {
      readonly object: 'audit_chain'
      /** Position before the first link. Retention deletes the links up to this position. */
      readonly anchor: ChainPosition
      readonly exported_at: string
    }
  | ({ readonly object: 'audit_link' } & AuditLink)
  | ({ readonly object: 'audit_row' } & AuditRowDigest)
  | ({ readonly object: 'audit_head' } & ChainPosition & {
        readonly links: number
        readonly rows: number
      })
