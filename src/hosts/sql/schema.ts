/**
 * Defines the tables of an SQLite store, in a file (Node) or as D1 (Cloudflare).
 *
 * Rows and heads share one table, so one range scan reads both in order, and one pair of indexes
 * serves their alarms and lists. The `guard` table always stays empty: a commit that must be
 * rejected tries to insert NULL. All statements are idempotent.
 */

export const SCHEMA: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS entry (
    p TEXT NOT NULL,
    k TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    alarm_rank INTEGER,  -- 0 started, 1 queued: the order of \`due\`
    alarm_at INTEGER,    -- milliseconds since 1970
    alarm_lane TEXT,
    listed_under TEXT,
    listed_at TEXT,
    listed_tags TEXT,
    expires_at INTEGER,  -- milliseconds since 1970
    PRIMARY KEY (p, k)
  )`,
  'CREATE TABLE IF NOT EXISTS guard (refused INTEGER NOT NULL)',
  `CREATE INDEX IF NOT EXISTS entry_alarm ON entry (alarm_rank, alarm_at, p, k, alarm_lane)
    WHERE alarm_at IS NOT NULL`,
  `CREATE INDEX IF NOT EXISTS entry_expires ON entry (expires_at) WHERE expires_at IS NOT NULL`,
  `CREATE INDEX IF NOT EXISTS entry_found ON entry (listed_under, listed_at, listed_tags)
    WHERE listed_under IS NOT NULL`,
]
