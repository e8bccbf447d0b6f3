/** The store port: partitions of rows, one commit at a time. The commit is the only lock. */

export type Lane = 'main' | 'subagent' | 'background'

/** When the next pass over a partition is due, on which lane. Started runs go before queued ones. */
export interface Alarm {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly lane: Lane
  readonly started: boolean
}

/** Makes a partition (or a row) appear under a list; `at` orders it, unique within `under`. */
export interface Listing {
  readonly under: string
  readonly at: string
  /** The words that `find` filters by (`lib/tags.ts`). Short: they stand in the index too. */
  readonly tags?: string | undefined
}

/** The tags by which `find` selects rows of a list. */
export interface RowSearch {
  /** Any of these letters; empty: whatever it is. */
  readonly marks: string
  /** All of these words. */
  readonly words: readonly string[]
  /** Only what stands after this place, and before that one. */
  readonly above?: string | undefined
  readonly below?: string | undefined
  readonly order: 'newest' | 'oldest'
  readonly limit: number
}

/** So many entries of an index one `find` reads, at the most. */
export const FIND_ENTRIES = 10_000

/** The reserved key of a partition's head row. It sorts after fact rows (`f/…`), before `mail/…`. */
export const HEAD = 'head'

export interface Row {
  readonly key: string
  /** Rises by one with each write of the row; 1 when the row is created. */
  readonly version: number
  readonly body: string
}

export type Write =
  | {
      readonly op: 'put'
      readonly key: string
      readonly body: string
      /** `absent`: the row must not exist, else the whole commit is a conflict. */
      readonly expect: 'absent' | 'any'
      readonly alarm?: Alarm | undefined
      readonly listed?: Listing | undefined
      /** After this time the row may vanish; conditions must not rely on it. */
      readonly expiresAt?: number | undefined
    }
  | { readonly op: 'delete'; readonly key: string }

export interface HeadWrite {
  /** The version that was read, or `null`: the head must not exist yet. */
  readonly expect: number | null
  readonly body: string
  readonly alarm?: Alarm | undefined
  readonly listed?: Listing | undefined
  /** After this time the head may vanish; conditions must not rely on it. */
  readonly expiresAt?: number | undefined
  /** The commit is to wake its partition too: done where `Settings.wakesWithCommit` says so. */
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
  /** The place where it stopped looking, though there may be more beyond; absent: it saw the end. */
  readonly reached?: string | undefined
}

/**
 * A key-value store of partitions. The commit is the only lock and covers one partition.
 * Partitions and keys are ASCII without NUL; keys order by code unit; a body is at most 128 KiB.
 */
export interface Store {
  /** All rows with a key greater than `after`, ordered by key, strongly consistent, complete. */
  read(partition: string, after?: string): Promise<Row[]>
  /** The head rows of many partitions, in the order asked. */
  heads(partitions: readonly string[]): Promise<(Row | null)[]>
  /**
   * All or nothing. With `head`, refuses (`conflict`) unless the head stands at the expected
   * version. `ambiguous`: may or may not have happened; read to find out.
   */
  commit(partition: string, writes: readonly Write[], head?: HeadWrite): Promise<CommitResult>
  /** Rows with an alarm at or before `now`, started first, then oldest. May lag or repeat. */
  due(now: number, cursor?: string): Promise<Due>
  /** Listed rows under a prefix, newest (`at` descending) first, strictly before `before`. */
  list(under: string, beforeKey?: string, limit?: number): Promise<ListedRow[]>
  /**
   * Rows of a list by their tags, from the index alone, which may lag: the caller reads the rows.
   * At most `limit` rows, and no more than `FIND_ENTRIES` entries are read.
   */
  find(under: string, search: RowSearch): Promise<FoundRows>
  /** Removes a partition whole. Idempotent. */
  drop(partition: string): Promise<void>
}
