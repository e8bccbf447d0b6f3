/** The audit log of a running server: changes of its database are found by `strata audit verify`. */

import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { ask, putFile } from '../support/node-client.ts'
import { MAIN } from '../support/server.ts'

interface Printed {
  readonly code: number
  readonly out: string
  readonly err: string
}

const strata = (api: NodeApi, ...args: string[]): Promise<Printed> =>
  new Promise((resolve) => {
    const env = { STRATA_URL: api.url, STRATA_API_KEY: api.key }
    execFile(process.execPath, [MAIN, 'audit', ...args], { env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
  })

/** Starts a server with six sealed entries. */
async function server(): Promise<NodeApi> {
  const api = await startNodeApi()
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await putFile(api, `base/${name}.txt`, name)
  expect((await strata(api, 'verify')).code).toBe(0)
  return api
}

type Tamper = (run: (sql: string, ...values: string[]) => void) => void

/** Changes the database of a stopped server; returns the server that starts on it. */
async function tampered({ folder, host, key }: NodeApi, tamper: Tamper): Promise<NodeApi> {
  await host.close()
  const database = new DatabaseSync(join(folder, 'strata.db'))
  tamper((sql, ...values) => {
    const { changes } = database.prepare(sql).run(...values)
    expect(changes, sql).toBeGreaterThan(0)
  })
  database.close()
  return { ...(await startNodeApi({ DATA_DIR: folder })), key }
}

const link = (seq: number) => `l/${String(seq).padStart(10, '0')}`
const CHAIN = `p LIKE 'default/chain/p%'`

describe('strata audit', () => {
  it('lists, exports, and verifies the log, also against an earlier hash', async () => {
    const api = await server()
    const intact = await strata(api, 'verify')
    const [, head = ''] = /^6 entries, chain intact, head ([0-9a-f]{64})$/m.exec(intact.out) ?? []
    expect([intact.code, head.length]).toEqual([0, 64])
    await putFile(api, 'base/g.txt', 'g')
    expect((await strata(api, 'verify', '--noted', head)).code).toBe(0)
    const file = join(api.folder, 'export.jsonl')
    writeFileSync(file, (await strata(api, 'export')).out)
    expect((await strata(api, 'verify', file)).out).toContain('7 entries, chain intact')
    const { out } = await strata(api, 'list', '--kind', 'file', '--name', 'base/c.txt')
    expect(out).toMatch(/^\S+Z +[0-9a-z]{16} +127\.0\.0\.1 +api +file +put +base\/c\.txt /m)
    const lines = (await strata(api, '--json', '--limit', '3')).out.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).name)).toEqual(
      ['g', 'f', 'e'].map((name) => `base/${name}.txt`),
    )
    expect((await strata(api, 'list', '--noted', head)).code).toBe(2)
    expect((await strata(api, 'verify', '--kind', 'file')).code).toBe(2)
    writeFileSync(file, 'no JSON\n')
    expect(await strata(api, 'verify', file)).toMatchObject({ code: 1 })
  })

  const cases: readonly (readonly [string, Tamper, string])[] = [
    [
      'a changed entry',
      (run) =>
        run(
          `UPDATE entry SET body = replace(body, 'base/c.txt', 'base/x.txt') WHERE ${CHAIN} AND k = ?`,
          link(3),
        ),
      'Entry 3',
    ],
    [
      'an entry that was changed where it was first written',
      (run) =>
        run(
          `UPDATE entry SET body = replace(body, 'base/c.txt', 'base/x.txt')
          WHERE listed_under = 'default/audit' AND body LIKE '%base/c.txt%'`,
        ),
      'The row of entry 3',
    ],
    [
      'a missing entry',
      (run) => run(`DELETE FROM entry WHERE ${CHAIN} AND k = ?`, link(4)),
      'Entry 4 is missing',
    ],
    [
      'a missing last entry',
      (run) => run(`DELETE FROM entry WHERE ${CHAIN} AND k = ?`, link(6)),
      'Entry 6 is missing',
    ],
    [
      'reordered entries',
      (run) => {
        run(`UPDATE entry SET k = 'l/x' WHERE ${CHAIN} AND k = ?`, link(2))
        run(`UPDATE entry SET k = ? WHERE ${CHAIN} AND k = ?`, link(2), link(5))
        run(`UPDATE entry SET k = ? WHERE ${CHAIN} AND k = 'l/x'`, link(5))
      },
      'Entry 2 is missing',
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
      'Entry 3 is repeated',
    ],
    [
      'an entry inserted into the past without a link',
      (run) =>
        run(
          `INSERT INTO entry (p, k, version, body, listed_under, listed_at)
          SELECT 'default/audit/ver_inserted', 'a/ver_inserted', 1,
            json_set(body, '$.version', 'ver_inserted', '$.created_at', '2020-01-01T00:00:00.000Z'),
            listed_under, '2020-01-01T00:00:00.000Z 0000000000 ver_inserted'
          FROM entry WHERE listed_under = 'default/audit' AND body LIKE '%base/c.txt%'`,
        ),
      'The row ver_inserted is not in the chain',
    ],
  ]
  it.each(cases)('verify finds %s', async (_, tamper, fault) => {
    const api = await server()
    const { code, out } = await strata(await tampered(api, tamper), 'verify')
    expect([code, out]).toEqual([1, expect.stringContaining(`not intact: ${fault}`)])
  })

  it('verify finds a cut end with a matching head only by an earlier hash', async () => {
    const api = await server()
    const { head } = JSON.parse((await strata(api, 'verify', '--json')).out)
    const { body: page } = await ask(api, 'GET', '/v1/audit?limit=2')
    const { body: fifth } = await ask(api, 'GET', `/v1/audit/${page.data[1].version}`)
    expect(fifth.seq).toBe(5)
    const after = await tampered(api, (run) => {
      run(`DELETE FROM entry WHERE ${CHAIN} AND k = ?`, link(6))
      run(`DELETE FROM entry WHERE listed_under = 'default/audit' AND body LIKE '%base/f.txt%'`)
      run(
        `UPDATE entry SET body = json_set(body, '$.seq', 5, '$.hash', ?)
        WHERE ${CHAIN} AND k = 'head'`,
        fifth.hash,
      )
    })
    expect((await strata(after, 'verify')).out).toContain('5 entries, chain intact')
    const compared = await strata(after, 'verify', '--noted', head.hash)
    expect([compared.code, compared.out]).toEqual([
      1,
      expect.stringContaining('does not contain the hash'),
    ])
  })
})
