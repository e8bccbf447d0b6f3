/** Commits one fact after another into the database named by the first argument, and says each. */

import { openSqlite } from '../../../../src/hosts/node/sqlite.ts'

const store = await openSqlite(process.argv[2]!, Number(process.argv[3] ?? 10_000))
const padding = 'x'.repeat(10_000)
console.log('open')
for (let seq = 1; ; seq += 1) {
  const key = `f/${String(seq).padStart(8, '0')}`
  const put = { op: 'put', key, body: padding, expect: 'absent' } as const
  const head = { expect: seq === 1 ? null : seq - 1, body: String(seq) }
  const result = await store.commit('run', [put], head)
  console.log(`${seq} ${result}`)
  if (result !== 'ok') break
}
