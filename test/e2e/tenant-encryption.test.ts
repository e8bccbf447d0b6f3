/** Encryption of a tenant on a server with SQLite: copies of its data folder, before and after. */

import { execFile } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { until } from '../support/patience.ts'
import { MAIN } from '../support/server.ts'

const PLAN = 'the plan for the merger'

function strata(api: NodeApi, ...args: readonly string[]): Promise<string> {
  const env = { STRATA_URL: api.url, STRATA_API_KEY: api.key }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [MAIN, ...args], { env }, (error, out) =>
      error ? reject(error) : resolve(out.trim()),
    )
  })
}

async function ask(url: string, key: string, path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}${path}`, { ...init, headers })
  const text = await answer.text()
  return { status: answer.status, text }
}

/** Names of the files of a folder that contain a text. */
const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(folder, name)).isFile())
    .filter((name) => readFileSync(join(folder, name)).includes(text))

const runs = (folder: string): string[] => {
  const db = new DatabaseSync(join(folder, 'strata.db'), { readOnly: true })
  const rows = db.prepare("SELECT DISTINCT p FROM entry WHERE p LIKE 'acme/run/%'").all()
  db.close()
  return rows.map(({ p }) => String(p))
}

/** Runs a tenant's work; returns its key. */
async function work(api: NodeApi, tenant: string, ...options: string[]): Promise<string> {
  const key = await strata(api, 'tenants', 'create', tenant, ...options)
  const body = JSON.stringify({ input: `@say ${PLAN}` })
  const created = await ask(api.url, key, '/v1/runs', { method: 'POST', body })
  const { id } = JSON.parse(created.text) as { id: string }
  const view = async () => (await ask(api.url, key, `/v1/runs/${id}`)).text
  await until('the run ends', async () => (await view()).includes('"status":"completed"'))
  expect(await view()).toContain(PLAN)
  await ask(api.url, key, '/v1/files/plans/a.txt', { method: 'PUT', body: PLAN })
  return key
}

it('a copy shows nothing of the tenant, and is closed once the tenant is deleted', async () => {
  const origin = await startNodeApi()
  const { folder } = origin
  await work(origin, 'acme', '--encryption', 'tenant_key')
  expect(await strata(origin, 'tenants')).toMatch(/^acme .* tenant_key /m)
  await origin.host.close()
  const copy = `${folder}-copy`
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  cpSync(folder, copy, { recursive: true })
  expect(filesWith(copy, PLAN)).toEqual([])
  const [run] = runs(copy)
  expect(run).toMatch(/^acme\/run\/run_/)
  const key = /"sealed":"([^"]+)"/.exec(rowOf(copy, '_/tenant/acme'))![1]!
  expect(filesWith(copy, key)).toEqual(['strata.db'])

  const next = { ...(await startNodeApi({ DATA_DIR: folder })), key: origin.key }
  await strata(next, 'tenants', 'delete', 'acme', '--confirm', 'acme')
  const remaining = async () => (await next.host.world.store.partitions?.('acme/run/', 1)) ?? []
  await until('its rows are gone', async () => (await remaining()).length === 0)
  await until('its files are gone', () => !existsSync(join(folder, 'objects/acme/files')))
  await next.host.close()
  expect(filesWith(folder, key)).toEqual([])

  // The rows and objects return from the copy; the key does not.
  const db = new DatabaseSync(join(folder, 'strata.db'))
  db.exec(`ATTACH '${join(copy, 'strata.db')}' AS copy`)
  db.exec("INSERT INTO entry SELECT * FROM copy.entry WHERE p LIKE 'acme/%'")
  db.close()
  cpSync(join(copy, 'objects/acme'), join(folder, 'objects/acme'), { recursive: true })
  const { host } = await startNodeApi({ DATA_DIR: folder, STRATA_PAUSED: 'true' })
  const rows = await host.world.store.read(run!)
  expect(rows.length).toBeGreaterThan(1)
  expect(rows.map(({ body }) => body).join('')).toBe('')
  await expect(host.world.objects.get('acme/files/plans/a.txt')).rejects.toThrow(/deleted tenant/)
})

it('a copy that has a row of the key opens only with its master key', async () => {
  const origin = await startNodeApi({ STRATA_MASTER_KEY: 'a1'.repeat(32) })
  const key = await work(origin, 'acme', '--encryption', 'tenant_key')
  await work(origin, 'plain')
  await origin.host.close()
  expect(filesWith(origin.folder, PLAN).length).toBeGreaterThan(0)
  const open = (master: string) =>
    startNodeApi({ DATA_DIR: origin.folder, STRATA_MASTER_KEY: master.repeat(32) })
  const foreign = await open('b2')
  const refused = await ask(foreign.url, key, '/v1/runs')
  expect([refused.status, refused.text]).toEqual([
    503,
    expect.stringContaining('cannot be decrypted with the configured master key'),
  ])
  await foreign.host.close()
  const own = await open('a1')
  expect((await ask(own.url, key, '/v1/runs')).text).toContain(PLAN)
})

function rowOf(folder: string, partition: string): string {
  const db = new DatabaseSync(join(folder, 'strata.db'), { readOnly: true })
  const row = db.prepare('SELECT body FROM entry WHERE p = ?').get(partition)
  db.close()
  return String(row?.body)
}
