/**
 * What a run waits for that does not come to rest, read from the server's file beside it: its head
 * with claims, re-sends, lease, debts and alarm, the letters that lie there, the end of its log, and
 * the same of whoever it waits for. Times are seconds from now.
 */

import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

interface Entry {
  readonly k: string
  readonly body: string
  readonly alarm_at: number | null
}
interface Fact {
  readonly type: string
  readonly run_id?: string
  readonly announce?: { readonly run_id: string }
}
interface Row {
  readonly at: number
  readonly first: number
  readonly facts: readonly Fact[]
}
interface Head {
  readonly epoch: number
  readonly wake_at: number | null
  readonly redeliveries: number
  readonly lease?: { readonly worker: string; readonly until: number } | null
  readonly crashes?: { readonly count: number; readonly since: number; readonly last: number }
  readonly outbox?: Readonly<Record<string, unknown>>
}

/** Of a waiting run, so many of its last facts. */
const FACTS = 6

/** Sentences about each of these ids, in files that a living server holds. */
export async function riddles(files: readonly string[], ids: readonly string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-riddle-'))
  const stores: DatabaseSync[] = []
  try {
    for (const [index, file] of files.entries()) {
      const copy = join(folder, `${index}.db`)
      // Nobody may open what the server holds. The log goes with it; a torn end of it is left out.
      await copyFile(file, copy)
      await copyFile(`${file}-wal`, `${copy}-wal`).catch(() => undefined)
      const db = new DatabaseSync(copy)
      stores.push(db)
      if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'entry'").all().length === 0)
        stores.pop()?.close()
    }
    const told = new Set<string>()
    const tell = (id: string, deep: string): string[] => {
      if (told.has(id)) return []
      told.add(id)
      const entries = stores.flatMap((db) => entriesOf(db, id))
      if (entries.length === 0) return []
      const lines = about(entries).map((line) => `${deep}${id} ${line}`)
      return [...lines, ...pending(entries).flatMap((child) => tell(child, `${deep}  `))]
    }
    return ids.flatMap((id) => tell(id, '  '))
  } finally {
    for (const db of stores) db.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function entriesOf(db: DatabaseSync, id: string): Entry[] {
  const rows = db.prepare('SELECT k, body, alarm_at FROM entry WHERE p LIKE ? ORDER BY k')
  return rows.all(`%/${id}`) as unknown as Entry[]
}

const seconds = (at: number): string => `${((at - Date.now()) / 1_000).toFixed(1)} s`

function about(entries: readonly Entry[]): string[] {
  const head = entries.find(({ k }) => k === 'head')
  const mail = entries.filter(({ k }) => k.startsWith('mail/'))
  return [
    head ? `head: ${headOf(JSON.parse(head.body) as Head)}` : 'has no head',
    ...mail.map(({ k, alarm_at }) => `letter ${k}, alarm ${alarm_at && seconds(alarm_at)}`),
    ...factsOf(entries).slice(-FACTS),
  ]
}

function headOf({ epoch, wake_at, redeliveries, lease, crashes: claims, outbox }: Head): string {
  const parts = [`epoch ${epoch}`, `wakes in ${wake_at === null ? '–' : seconds(wake_at)}`]
  parts.push(`sent again ${redeliveries} times`)
  if (lease) parts.push(`leased by ${lease.worker} until ${seconds(lease.until)}`)
  if (claims) parts.push(`${claims.count} claims, the last ${seconds(claims.last)}`)
  if (outbox) parts.push(`debts ${JSON.stringify(outbox)}`)
  return parts.join(', ')
}

const rowsOf = (entries: readonly Entry[]): Row[] =>
  entries.filter(({ k }) => k.startsWith('f/')).map(({ body }) => JSON.parse(body) as Row)

const factsOf = (entries: readonly Entry[]): string[] =>
  rowsOf(entries).flatMap(({ at, first, facts }) =>
    facts.map(({ type }, index) => `${first + index} ${type}, ${seconds(at)}`),
  )

/** Children that were spawned and have not been heard of. */
function pending(entries: readonly Entry[]): string[] {
  const facts = rowsOf(entries).flatMap((row) => row.facts)
  const heard = new Set(facts.map(({ announce }) => announce?.run_id))
  return facts.flatMap(({ type, run_id }) =>
    type === 'subagent.spawned' && run_id && !heard.has(run_id) ? [run_id] : [],
  )
}
