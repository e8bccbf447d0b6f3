/** The audit of a real server: what is done to its database behind its back is found. */

import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { ask, putFile } from '../support/node-client.ts'
import { MAIN } from '../support/server.ts'

interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

const strata = (api: NodeApi, ...args: string[]): Promise<Said> =>
  new Promise((resolve) => {
    const env = { STRATA_URL: api.url, STRATA_API_KEY: api.key }
    execFile(process.execPath, [MAIN, 'audit', ...args], { env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
  })

/** A server with six sealed entries. */
async function server(): Promise<NodeApi> {
  const api = await startNodeApi()
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await putFile(api, `base/${name}.txt`, name)
  expect((await ask(api, 'GET', '/v1/audit')).body.data).toHaveLength(6)
  return api
}

type Change = (run: (sql: string, ...values: string[]) => void) => void

/** While the server is away; the one that comes after. */
async function tampered({ folder, host, key }: NodeApi, change: Change): Promise<NodeApi> {
  await host.close()
  const database = new DatabaseSync(join(folder, 'strata.db'))
  change((sql, ...values) => {
    const { changes } = database.prepare(sql).run(...values)
    expect(changes, sql).toBeGreaterThan(0)
  })
  database.close()
  return { ...(await startNodeApi({ DATA_DIR: folder })), key }
}

const link = (seq: number) => `l/${String(seq).padStart(10, '0')}`
const CHAIN = `p LIKE 'default/chain/p%'`

describe('H22 an audit that was altered behind the server', () => {
  it('is verified by one command: whole, with its head, which later chains still have', async () => {
    const api = await server()
    const whole = await strata(api, 'verify')
    const [, head = ''] = /^6 entries, chain whole, head ([0-9a-f]{64})$/m.exec(whole.out) ?? []
    expect([whole.code, head.length]).toEqual([0, 64])
    await putFile(api, 'base/g.txt', 'g')
    expect((await strata(api, 'verify', '--head', head)).code).toBe(0)
    const file = join(api.folder, 'export.ndjson')
    writeFileSync(file, (await strata(api, 'export')).out)
    expect((await strata(api, 'verify', '--file', file)).out).toContain('7 entries, chain whole')
    const { out } = await strata(api, 'list', '--kind', 'file', '--name', 'base/c.txt')
    expect(out).toMatch(/^3 \S+Z [0-9a-z]{16} 127\.0\.0\.1 file put base\/c\.txt$/m)
  })

  const cases: readonly (readonly [string, Change, string])[] = [
    [
      'a changed entry',
      (run) =>
        run(
          `UPDATE entry SET body = replace(body, 'base/c.txt', 'base/x.txt') WHERE ${CHAIN} AND k = ?`,
          link(3),
        ),
      'seq 3',
    ],
    [
      'a changed row beside its change',
      (run) =>
        run(
          `UPDATE entry SET body = replace(body, 'base/c.txt', 'base/x.txt')
          WHERE listed_under = 'default/audit' AND body LIKE '%base/c.txt%'`,
        ),
      'seq 3',
    ],
    [
      'a deleted entry',
      (run) => run(`DELETE FROM entry WHERE ${CHAIN} AND k = ?`, link(4)),
      'seq 4',
    ],
    [
      'the last entry, deleted',
      (run) => run(`DELETE FROM entry WHERE ${CHAIN} AND k = ?`, link(6)),
      'seq 6: it is missing',
    ],
    [
      'two entries in another order',
      (run) => {
        run(`UPDATE entry SET k = 'l/x' WHERE ${CHAIN} AND k = ?`, link(2))
        run(`UPDATE entry SET k = ? WHERE ${CHAIN} AND k = ?`, link(2), link(5))
        run(`UPDATE entry SET k = ? WHERE ${CHAIN} AND k = 'l/x'`, link(5))
      },
      'seq 2',
    ],
    [
      'an inserted entry',
      (run) =>
        run(
          `INSERT INTO entry (p, k, version, body)
          SELECT p, k || 'a', 1, replace(body, 'base/c.txt', 'base/x.txt')
          FROM entry WHERE ${CHAIN} AND k = ?`,
          link(3),
        ),
      'seq 3',
    ],
    [
      'an entry inserted into the past, beside no change',
      (run) =>
        run(
          `INSERT INTO entry (p, k, version, body, listed_under, listed_at)
          SELECT 'default/audit/ver_planted', 'a/ver_planted', 1,
            json_set(body, '$.version', 'ver_planted', '$.created_at', '2020-01-01T00:00:00.000Z'),
            listed_under, '2020-01-01T00:00:00.000Z 0000000000 ver_planted'
          FROM entry WHERE listed_under = 'default/audit' AND body LIKE '%base/c.txt%'`,
        ),
      'ver_planted: its row was never sealed',
    ],
  ]
  for (const [name, change, found] of cases) {
    it(`shows ${name}`, async () => {
      const api = await server()
      const { code, out } = await strata(await tampered(api, change), 'verify')
      expect(out).toContain('broken: ')
      expect(out).toContain(found)
      expect(code).toBe(1)
    })
  }

  it('cut at its end with its head made to fit is whole, but for a head that was noted', async () => {
    const api = await server()
    const { out } = await strata(api, 'verify', '--json')
    const { head } = JSON.parse(out)
    const { body: page } = await ask(api, 'GET', '/v1/audit?limit=2')
    const fifth = page.data[1]
    const after = await tampered(api, (run) => {
      run(`DELETE FROM entry WHERE ${CHAIN} AND k = ?`, link(6))
      run(`DELETE FROM entry WHERE listed_under = 'default/audit' AND body LIKE '%base/f.txt%'`)
      run(
        `UPDATE entry SET body = json_set(body, '$.seq', 5, '$.hash', ?) WHERE ${CHAIN} AND k = 'head'`,
        fifth.hash,
      )
    })
    expect((await strata(after, 'verify')).out).toContain('5 entries, chain whole')
    const compared = await strata(after, 'verify', '--head', head.hash)
    expect([compared.code, compared.out]).toEqual([
      1,
      expect.stringContaining('is not in this chain'),
    ])
  })
})
