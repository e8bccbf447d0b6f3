/** Defines the store port: partitions of rows, changed by commits. The commit is the only lock. */

export type Lane = 'main' | 'subagent' | 'background'

/** Due time and lane of the next pass over a partition. Started runs precede queued runs. */
export interface Alarm {
  /** Due time of the pass, in milliseconds since 1970. */
  readonly at: number
  readonly lane: Lane
  readonly started: boolean
}

/**
 * Entry of a partition (or a row) in the list `under`. The list is ordered by `at`, which is unique
 * in the list.
 */
export interface Listing {
  readonly under: string
  readonly at: string
  /**
   * Tags that filters of `find` match (`lib/tags.ts`). Tags are short, because the index also
   * contains them.
   */
  readonly tags?: string | undefined
}

/** Tags that rows of a list must have to be found by `find`. */
export interface RowSearch {
  /** Accepted status letters; an empty string accepts any letter. */
  readonly marks: string
  /** Words that a row's tags must contain. */
  readonly words: readonly string[]
  /** Exclusive bounds of the searched range of list positions. */
  readonly above?: string | undefined
  readonly below?: string | undefined
  readonly order: 'newest' | 'oldest'
  readonly limit: number
}

/** Maximum number of index entries that one `find` call reads. */
export const FIND_ENTRIES = 10_000

/**
 * Reserved key of a partition's head row, which sorts after fact rows (`f/…`) and before `mail/…`.
 */
export const HEAD = 'head'

export interface Row {
  readonly key: string
  /** Version of the row, which increases by one with each write; 1 after creation. */
  readonly version: number
  readonly body: string
}

/** Row with its index entries, as an export contains it. */
export interface IndexedRow extends Row {
  readonly alarm?: Alarm | undefined
  readonly listed?: Listing | undefined
  /** Time after which the row may be deleted, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined
}

export type Write =
  | {
      readonly op: 'put'
      readonly key: string
      readonly body: string
      /**
       * Condition on the existing row; with `absent`, an existing row makes the whole commit a
       * conflict.
       */
      readonly expect: 'absent' | 'any'
      readonly alarm?: Alarm | undefined
      readonly listed?: Listing | undefined
      /** Time after which the row may be deleted; conditions must not rely on an expired row. */
      readonly expiresAt?: number | undefined
    }
  | { readonly op: 'delete'; readonly key: string }

export interface HeadWrite {
  /** Version of the head that was read; `null` means that the head must not exist. */
  readonly expect: number | null
  readonly body: string
  readonly alarm?: Alarm | undefined
  readonly listed?: Listing | undefined
  /** Time after which the head may be deleted; conditions must not rely on an expired head. */
  readonly expiresAt?: number | undefined
  /** True if the commit also wakes the partition, on platforms with `Settings.wakesWithCommit`. */
  readonly wakes?: boolean | undefined
}

export type CommitResult = 'ok' | 'conflict' | 'ambiguous'

export interface DueEntry {
  readonly partition: string
  readonly alarm: Alarm
}
export interface Due {
  readonly entries: readonly DueEntry[]
  readonly cursor?: string | undefined
}
export interface ListedRow {
  readonly partition: string
  readonly key: string
  readonly at: string
  readonly body: string
}

export interface FoundRows {
  readonly rows: readonly ListedRow[]
  /** List position at which the search stopped early; absent if the search reached the end. */
  readonly reached?: string | undefined
}

/**
 * Key-value store of partitions. The commit is the only lock and covers one partition. Partitions
 * and keys are ASCII without NUL. Keys are ordered by code unit. A body has at most 128 KiB, and
 * 171 KiB if it is encrypted (`lib/cipher.ts`).
 */
export interface Store {
  /**
   * Reads all of a partition's rows with keys above `after`, ordered by key; strongly consistent
   * and complete.
   */
  read(partition: string, after?: string): Promise<Row[]>
  /** Reads the heads of many partitions; returns them in the order of `partitions`. */
  heads(partitions: readonly string[]): Promise<(Row | null)[]>
  /**
   * Commits all writes or none. With `head`, returns `conflict` unless the head has the expected
   * version. `ambiguous` means an unknown outcome, which a read resolves.
   */
  commit(partition: string, writes: readonly Write[], head?: HeadWrite): Promise<CommitResult>
  /**
   * Returns rows with an alarm at or before `now`: started runs first, then by age, oldest first.
   * The result may lag or repeat rows.
   */
  due(now: number, cursor?: string): Promise<Due>
  /**
   * Lists rows of the list `under`, newest (`at` descending) first, strictly before `beforeKey`.
   */
  list(under: string, beforeKey?: string, limit?: number): Promise<ListedRow[]>
  /**
   * Finds rows of a list by tags. Only the index is read, which may lag, so the caller must read
   * the rows. Returns at most `limit` rows and reads at most `FIND_ENTRIES` entries.
   */
  find(under: string, search: RowSearch): Promise<FoundRows>
  /** Deletes all rows of a partition. Idempotent. */
  drop(partition: string): Promise<void>
  /**
   * Returns at most `limit` names of partitions that have rows and start with `prefix`, in order,
   * strictly after `after`; strongly consistent. Absent if the platform cannot list partitions.
   */
  partitions?(prefix: string, limit: number, after?: string): Promise<readonly string[]>
  /**
   * Reads all rows of a partition with their index entries, for an export; absent if the platform
   * cannot read these.
   */
  readIndexed?(partition: string): Promise<readonly IndexedRow[]>
  /** Writes rows unconditionally, with their versions; all or none. Present with `readIndexed`. */
  writeIndexed?(partition: string, rows: readonly IndexedRow[]): Promise<void>
}
