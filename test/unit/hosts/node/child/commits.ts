/** Commits one fact after another into the database named by the first argument, and says each. */

import { writeSync } from 'node:fs'
import { openSqlite } from '../../../../../src/hosts/node/sqlite.ts'

/** `console.log` keeps lines in memory while its reader is busy; a kill would lose them. */
const print = (line: string): unknown => writeSync(1, `${line}\n`)

const store = await openSqlite(process.argv[2]!, Number(process.argv[3] ?? 10_000))
const padding = 'x'.repeat(10_000)
print('open')
for (let seq = 1; ; seq += 1) {
  const key = `f/${String(seq).padStart(8, '0')}`
  const put = { op: 'put', key, body: padding, expect: 'absent' } as const
  const head = { expect: seq === 1 ? null : seq - 1, body: String(seq) }
  const result = await store.commit('run', [put], head)
  print(`${seq} ${result}`)
  if (result !== 'ok') break
}
