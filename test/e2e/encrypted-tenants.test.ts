/**
 * An encrypted tenant on the real server: neither the database nor a file says what it said, a
 * copy of both is of no use once its deletion was ordered, and a master key is exchanged.
 */

import { cpSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { cleanup } from '../support/cleanup.ts'
import { startNodeApi } from '../support/node-api.ts'

const TEST_MS = 300_000
const CANARY = 'canary-which-nobody-may-find'
const [OLD, NEW] = ['a1'.repeat(32), 'b2'.repeat(32)]

type Api = Awaited<ReturnType<typeof startNodeApi>>

async function ask(api: Api, key: string, method: string, path: string, json?: object) {
  const authorization = `Bearer ${key}`
  const answer = await fetch(`${api.url}${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json', prefer: 'wait=60' },
    ...(json && { body: JSON.stringify(json) }),
  })
  const text = await answer.text()
  const isJson = /json(?!l)/.test(answer.headers.get('content-type') ?? '')
  return { status: answer.status, text, body: isJson ? JSON.parse(text) : undefined }
}

/** Files of the folder that have the text anywhere. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && (await readFile(path)).includes(text)) found.push(path)
  }
  return found
}

async function fill(api: Api, id: string, encrypted: boolean): Promise<string> {
  const made = await ask(api, api.key, 'POST', '/v1/tenants', { id, encrypted })
  expect([made.status, made.body.encrypted]).toEqual([201, encrypted])
  const key = made.body.key.text as string
  const long = `${CANARY} `.repeat(3_000)
  const session = await ask(api, key, 'POST', '/v1/sessions', {})
  for (const [input, more] of [
    [`@say ${CANARY}`, { session_id: session.body.id }],
    [`@say ${long}`, {}],
    [`@spawn 2 {"task":"@say ${CANARY}"}\n@say done`, {}],
    [`@call file_write {"path":"notes.md","content":"${CANARY}"}\n@say done`, {}],
  ] as const) {
    const run = await ask(api, key, 'POST', '/v1/runs', { input, ...more })
    expect([run.status, run.body.status]).toEqual([200, 'completed'])
  }
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/plain' }
  const put = await fetch(`${api.url}/v1/files/roles/a/notes.txt`, {
    ...{ method: 'PUT', headers: { ...headers, 'if-none-match': '*' }, body: CANARY },
  })
  expect(put.status).toBeLessThan(300)
  return key
}

it(
  'no file of the data folder has its words, its export has them, and a copy of before opens no more',
  async () => {
    const api = await startNodeApi({ STRATA_MASTER_KEY: OLD })
    const key = await fill(api, 'acme', true)
    expect(await filesWith(api.folder, CANARY)).toEqual([])
    const exported = await ask(api, api.key, 'GET', '/v1/tenants/acme/export')
    expect(exported.text).toContain(CANARY)
    expect(exported.text).toContain(Buffer.from(CANARY).toString('base64'))

    // The rows and objects of a backup, beside the record of a tenant whose deletion was ordered.
    const backup = join(api.folder, '..', `${api.folder.split('/').at(-1)}-copy`)
    const rows = await api.host.world.asStored!.read('acme/policy/tenant')
    expect(rows.every(({ body }) => body.startsWith('~1.'))).toBe(true)
    const deleted = await ask(api, api.key, 'DELETE', '/v1/tenants/acme')
    expect([deleted.status, deleted.body.encrypted]).toEqual([202, true])
    expect((await ask(api, key, 'GET', '/v1/runs')).status).toBeGreaterThan(400)
    await api.host.close()
    cpSync(api.folder, backup, { recursive: true })
    cleanup.push(async () => rmSync(backup, { recursive: true, force: true }))
    const copy = new DatabaseSync(join(backup, 'strata.db'))
    const record = copy.prepare("SELECT body FROM entry WHERE p = '_/tenant/acme'").get()
    expect(record?.body).toContain('"encrypted":true')
    expect(record?.body).not.toContain('sealed_key')
    copy.close()
  },
  TEST_MS,
)

it(
  'another tenant of the same server lies in the plain: the search finds what is there',
  async () => {
    const api = await startNodeApi({ STRATA_MASTER_KEY: OLD })
    await fill(api, 'plain', false)
    expect((await filesWith(api.folder, CANARY)).length).toBeGreaterThan(1)
  },
  TEST_MS,
)

it(
  'the master key is exchanged: data keys are sealed anew, and the old one may go',
  async () => {
    const first = await startNodeApi({ STRATA_MASTER_KEY: OLD })
    const key = await fill(first, 'acme', true)
    const again = async (env: Readonly<Record<string, string>>, before: Api): Promise<Api> => {
      await before.host.close()
      return startNodeApi({ DATA_DIR: first.folder, ...env })
    }
    const wrong = await again({ STRATA_MASTER_KEY: NEW }, first)
    const refused = await ask(wrong, key, 'GET', '/v1/runs')
    expect(refused.status).toBe(503)
    expect(refused.text).toContain('the data key of the tenant acme does not open')
    const both = await again({ STRATA_MASTER_KEY: NEW, STRATA_MASTER_KEY_PREVIOUS: OLD }, wrong)
    expect((await ask(both, key, 'GET', '/v1/runs')).status).toBe(200)
    const done = await ask(both, first.key, 'POST', '/v1/secrets/reseal')
    expect([done.status, done.body.resealed, done.body.lost]).toEqual([200, 1, []])
    const alone = await again({ STRATA_MASTER_KEY: NEW }, both)
    const runs = await ask(alone, key, 'GET', '/v1/runs')
    expect([runs.status, runs.body.data.length > 3]).toEqual([200, true])
    expect(
      (await ask(alone, key, 'GET', `/v1/runs/${runs.body.data[0].id}/events`)).text,
    ).toContain('run.completed')
  },
  TEST_MS,
)
