/**
 * Defines the store port: partitions of rows, one commit at a time. The commit is the only lock.
 */

export type Lane = 'main' | 'subagent' | 'background'

/** Next pass over a partition, and its lane. Started runs precede queued ones. */
export interface Alarm {
  /** Due time in milliseconds since 1970. */
  readonly at: number
  readonly lane: Lane
  readonly started: boolean
}

/**
 * Entry of a partition (or a row) in the list `under`, ordered by `at`, which is unique in that
 * list.
 */
export interface Listing {
  readonly under: string
  readonly at: string
  /** Words for filters of `find` (`lib/tags.ts`). Short, because the index also contains them. */
  readonly tags?: string | undefined
}

/** Tags by which `find` selects rows of a list. */
export interface RowSearch {
  /** Accepted letters; empty means any. */
  readonly marks: string
  /** Required words. */
  readonly words: readonly string[]
  /** Exclusive bounds of the searched range. */
  readonly above?: string | undefined
  readonly below?: string | undefined
  readonly order: 'newest' | 'oldest'
  readonly limit: number
}

/** Maximum number of index entries that one `find` reads. */
export const FIND_ENTRIES = 10_000

/** Reserved key of a partition's head row. Sorts after fact rows (`f/…`) and before `mail/…`. */
export const HEAD = 'head'

export interface Row {
  readonly key: string
  /** Version, which rises by one with each write of the row; 1 after creation. */
  readonly version: number
  readonly body: string
}

export type Write =
  | {
      readonly op: 'put'
      readonly key: string
      readonly body: string
      /** Condition on the row; with `absent`, an existing row makes the whole commit a conflict. */
      readonly expect: 'absent' | 'any'
      readonly alarm?: Alarm | undefined
      readonly listed?: Listing | undefined
      /** Time after which the row may vanish; conditions must not rely on it. */
      readonly expiresAt?: number | undefined
    }
  | { readonly op: 'delete'; readonly key: string }

export interface HeadWrite {
  /** Version that was read; `null` means that the head must not exist. */
  readonly expect: number | null
  readonly body: string
  readonly alarm?: Alarm | undefined
  readonly listed?: Listing | undefined
  /** Time after which the head may vanish; conditions must not rely on it. */
  readonly expiresAt?: number | undefined
  /** True if the commit also wakes its partition, on platforms with `Settings.wakesWithCommit`. */
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
  /** Position at which the search stopped early; absent at the end. */
  readonly reached?: string | undefined
}

/**
 * A key-value store of partitions. The commit is the only lock and covers one partition.
 * Partitions and keys are ASCII without NUL; keys order by code unit; a body is at most 128 KiB.
 */
export interface Store {
  /** Reads all rows with a key above `after`, ordered by key; strongly consistent and complete. */
  read(partition: string, after?: string): Promise<Row[]>
  /** Reads the heads of many partitions, in the given order. */
  heads(partitions: readonly string[]): Promise<(Row | null)[]>
  /**
   * Commits all writes or none. With `head`, refuses (`conflict`) unless the head has the expected
   * version. `ambiguous` means an unknown outcome, which a read resolves.
   */
  commit(partition: string, writes: readonly Write[], head?: HeadWrite): Promise<CommitResult>
  /**
   * Returns rows with an alarm at or before `now`, started first, then oldest. May lag or repeat.
   */
  due(now: number, cursor?: string): Promise<Due>
  /** Lists rows under a prefix, newest (`at` descending) first, strictly before `before`. */
  list(under: string, beforeKey?: string, limit?: number): Promise<ListedRow[]>
  /**
   * Finds rows of a list by tags. Reads only the index, which may lag, so the caller reads the
   * rows. Returns at most `limit` rows and reads at most `FIND_ENTRIES` entries.
   */
  find(under: string, search: RowSearch): Promise<FoundRows>
  /** Deletes a whole partition. Idempotent. */
  drop(partition: string): Promise<void>
}
