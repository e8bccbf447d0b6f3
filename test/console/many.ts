/** A tenant with very much in it: 10,000 runs, and a tree of 10,000 events. */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { launchServer, type Open } from '../support/launch.ts'
import { clientAt, type Host, spawn } from './host.ts'

export const RUNS = 10_000
const CALLS = 48
const CHILDREN = 104

export interface Many {
  readonly host: Host
  /** The run with the tree of events. */
  readonly tree: string
}

/**
 * One run is made by the server, and the rest are its rows with other ids, written while the server
 * is stopped: as many runs one by one would take longer than all checks together.
 */
export async function startMany(open: Open, env: Readonly<Record<string, string>>): Promise<Many> {
  const first = await launchServer({ open, env })
  const { id } = await clientAt(first).api.runs.createAndWait({
    ...{ input: '@say ok', label: 'number 0' },
  })
  await first.process.stop()
  multiply(join(first.dataDir, 'strata.db'), id)
  const host = clientAt(await launchServer({ open, env, before: first }))
  const calls = Array.from({ length: CALLS }, (_, at) => `@call file_list {"path": "p${at}"}`)
  const children = spawn('part {i}', ...calls, '@say ok').replace('@spawn 1', `@spawn ${CHILDREN}`)
  const tree = await host.api.runs.createAndWait({
    ...{ input: `${children}\n@await\n@say end`, label: 'the tree' },
  })
  return { host, tree: tree.id }
}

const COLUMNS = 'k, version, body, alarm_rank, alarm_at, alarm_lane, listed_under, listed_at, '

function multiply(file: string, run: string): void {
  const store = new DatabaseSync(file)
  const own = run.slice('run_'.length)
  const columns = `${COLUMNS}listed_tags, expires_at`
  const selected = columns
    .replace('body', `replace(replace(body, :own, :next), 'number 0', :label)`)
    .replace('listed_at', 'replace(listed_at, :own, :next)')
    .replace('listed_tags', `replace(replace(listed_tags, :own, :next), 'number 0', :label)`)
  const copy = store.prepare(
    `INSERT INTO entry (p, ${columns})
     SELECT replace(p, :own, :next), ${selected} FROM entry WHERE p = :partition`,
  )
  store.exec('BEGIN')
  for (let at = 1; at < RUNS; at += 1) {
    const next = `${own.slice(0, -5)}${String(at).padStart(5, '0')}`
    copy.run({ own, next, label: `number ${at}`, partition: `default/run/${run}` })
  }
  store.exec('COMMIT')
  store.close()
}
