/**
 * A tenant with everything in it is deleted from the real server, which is killed in the middle;
 * afterwards no row of the database and no file knows its name, but for the operator's own.
 */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { launchServer, type Open, type Server } from '../support/launch.ts'
import { startModelServer } from '../support/model-server.ts'

const TEST_MS = 300_000
const ID = 'zebra-crossing'
const open: Open = []
afterAll(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

interface Shown {
  readonly status: string
  readonly deletion: { readonly rows: number; readonly objects: number; readonly left: string[] }
}

/** Rows as `partition key`, and files by their paths, that have the tenant's name anywhere. */
async function traces(dataDir: string): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const isDatabase = /\.db(?:-wal|-shm)?$|sqlite/.test(entry.name)
    if (path.includes(ID)) found.push(path)
    else if (entry.isFile() && !isDatabase && (await readFile(path)).includes(ID)) found.push(path)
    if (!entry.isFile() || !/\.(?:db|sqlite)$/.test(entry.name)) continue
    const database = new DatabaseSync(path, { readOnly: true })
    for (const row of database.prepare('SELECT * FROM entry').all())
      if (JSON.stringify(row).includes(ID)) found.push(`${row.p} ${row.k}`)
    database.close()
  }
  return found
}

/** Something of each kind. */
async function fill(server: Server, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  const post = (path: string, json: object, more = {}) =>
    server.get<{ id: string }>(path, { method: 'POST', json, headers: { ...headers, ...more } })
  const put = (path: string, json: object) =>
    server.get(path, { method: 'PUT', json, headers: { ...headers, 'if-none-match': '*' } })
  const session = await post('/v1/sessions', {})
  await post('/v1/runs', { input: '@say done', session_id: session.id })
  const once = { 'idempotency-key': 'a-key-of-the-tenant' }
  await post('/v1/runs', { input: `@say ${'long '.repeat(30_000)}` }, once)
  await post('/v1/runs', { input: '@spawn 2 {"task":"@say child"}\n@say done' })
  await post('/v1/runs', { input: '@call file_write {"path":"x","content":"y"}\n@say done' })
  await post('/v1/fanouts', { tasks: [{ task: '@say one' }, { task: '@say two' }] })
  await post('/v1/webhook-endpoints', { url: 'http://127.0.0.1:9/none', events: ['run.completed'] })
  await post('/v1/hooks', { scheme: 'standard' })
  await post('/v1/keys', { scopes: ['runs:*'] })
  await put('/v1/schedules/often', { cron: '0 0 1 1 *', input: '@say done' })
  await put('/v1/secrets/TOKEN', { value: 'a-secret-value', any_host: true })
  const answer = await server.ask('/v1/policy', { headers })
  await server.ask('/v1/policy', {
    ...{ method: 'PUT', json: await answer.json() },
    headers: { ...headers, 'if-match': answer.headers.get('etag') ?? '*' },
  })
  for (let at = 0; at < 200; at += 1)
    await server.ask(`/v1/files/roles/a/AGENTS-${at}.md`, {
      ...{ method: 'PUT', body: `Rule ${at}`, headers },
    })
  await vi.waitFor(
    async () => {
      const { data } = await server.get<{ data: { status: string }[] }>('/v1/runs?limit=100', {
        headers,
      })
      expect(data.length).toBeGreaterThan(3)
      expect(data.every(({ status }) => !['queued', 'running'].includes(status))).toBe(true)
    },
    { timeout: 60_000, interval: 200 },
  )
}

describe('a deletion', () => {
  it(
    'leaves nothing of the tenant, also when the server is killed in the middle',
    async () => {
      const model = await startModelServer()
      open.push(model.close)
      const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'none' }
      const server = await launchServer({ open, env })
      const make = (id: string) =>
        server.get<{ key: { text: string } }>('/v1/tenants', { method: 'POST', json: { id } })
      const [one, other] = [await make(ID), await make('other')]
      await fill(server, one.key.text)
      await fill(server, other.key.text)
      const gone = await server.get<Shown>(`/v1/tenants/${ID}`, { method: 'DELETE' })
      expect(gone).toMatchObject({ status: 'deleting', deletion: { left: [] } })
      await vi.waitFor(
        async () => {
          const { deletion } = await server.get<Shown>(`/v1/tenants/${ID}`)
          expect(deletion.rows).toBeGreaterThan(10)
        },
        { timeout: 60_000, interval: 20 },
      )
      await server.process.stop('SIGKILL')
      expect((await traces(server.dataDir)).length).toBeGreaterThan(10)

      const again = await launchServer({ open, env, before: server })
      const headers = { authorization: `Bearer ${one.key.text}` }
      expect([401, 403]).toContain((await again.ask('/v1/runs', { headers })).status)
      await vi.waitFor(
        async () => {
          const { status, deletion } = await again.get<Shown>(`/v1/tenants/${ID}`)
          expect(status, JSON.stringify(deletion)).toBe('deleted')
        },
        { timeout: 120_000, interval: 500 },
      )
      const { deletion } = await again.get<Shown>(`/v1/tenants/${ID}`)
      expect(deletion.rows).toBeGreaterThan(10)
      expect((await again.ask('/v1/runs', { headers })).status).toBe(401)
      const others = { headers: { authorization: `Bearer ${other.key.text}` } }
      const { data } = await again.get<{ data: object[] }>('/v1/runs?limit=100', others)
      expect(data.length).toBeGreaterThan(3)
      const taken = await again.ask('/v1/tenants', { method: 'POST', json: { id: ID } })
      expect(taken.status).toBe(409)
      await again.process.stop('SIGTERM')
      const left = await traces(again.dataDir)
      const mine = left.filter((one) => !/^(?:_\/tenant|default\/(?:audit|chain))\//.test(one))
      expect(mine).toEqual([])
      expect(left.length).toBeGreaterThan(0)
    },
    TEST_MS,
  )
})
