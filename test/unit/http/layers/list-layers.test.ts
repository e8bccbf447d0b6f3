/** GET /v1/layers: the prefixes with files, their kinds, and what a key may see of them. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { planLayer } from '../../../../src/core/config/layer/layer.ts'
import { holdsEntry } from '../../../../src/core/config/layer/layout.ts'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { type TestApi, testApi } from '../../../support/api.ts'
import { TENANT } from '../../../support/drive.ts'
import { agent } from '../../../support/layers.ts'

const AGENT = agent('Be brief.', 'x')

async function withFiles(paths: readonly string[]): Promise<TestApi> {
  const api = await testApi()
  await api.write(Object.fromEntries(paths.map((path) => [path, AGENT])))
  return api
}

const SOME = [
  'base/.agents/agents/x.md',
  'base/README.md',
  'notes.md',
  'repos/app/src/main.ts',
  'repos/app2/.claude/skills/a/SKILL.md',
  'repos/loose.md',
  'roles/qa/.agents/config.toml',
  'roles/qa/notes.md',
  'roles/sales/readme.txt',
  'teams/blue/.agents/agents/x.md',
  'workspaces/run_1/.agents/agents/x.md',
]

const row = (layer: string, kind: string, files: number, valid: boolean) => ({
  layer,
  kind,
  files,
  more_files: false,
  valid,
})

it('200 lists each prefix with files once, with its kind, count, and validity', async () => {
  const api = await withFiles(SOME)
  const { status, body } = await api.call('GET /v1/layers')
  expect(status).toBe(200)
  expect(body).toEqual({
    data: [
      row('base/', 'base', 2, true),
      row('repos/app/', 'repo', 1, false),
      row('repos/app2/', 'repo', 1, true),
      row('roles/qa/', 'role', 2, true),
      row('roles/sales/', 'role', 1, false),
      row('teams/', 'repo', 1, false),
    ],
    next_cursor: null,
    has_more: false,
  })
})

it('200 pages return every layer once, in order', async () => {
  const api = await withFiles(SOME)
  const layers: string[] = []
  let cursor = ''
  do {
    const { body } = await api.call(`GET /v1/layers?limit=2${cursor}`)
    expect(body.data.length).toBeLessThanOrEqual(2)
    layers.push(...body.data.map(({ layer }: { layer: string }) => layer))
    cursor = body.has_more ? `&cursor=${encodeURIComponent(body.next_cursor)}` : ''
  } while (cursor !== '')
  expect(layers).toEqual([
    'base/',
    'repos/app/',
    'repos/app2/',
    'roles/qa/',
    'roles/sales/',
    'teams/',
  ])
})

it('200 a layer with more files than are counted says so, and its validity is still exact', async () => {
  const many = Array.from({ length: 1_200 }, (_, i) => `repos/big/-${String(i).padStart(5, '0')}`)
  const api = await withFiles([
    ...many,
    ...many.map((path) => path.replace('big', 'vast')),
    'repos/big/.agents/agents/x.md',
    'repos/small/a.md',
    'repos/zoo/a.md',
  ])
  const { body } = await api.call('GET /v1/layers')
  expect(body.data).toEqual([
    { ...row('repos/big/', 'repo', 1_000, true), more_files: true },
    row('repos/small/', 'repo', 1, false),
    { ...row('repos/vast/', 'repo', 1_000, false), more_files: true },
    row('repos/zoo/', 'repo', 1, false),
  ])
})

it('200 a key without config:raw sees only the files of agents, skills, servers, and schedules', async () => {
  const api = await withFiles([...SOME, 'base/skills/main/a/SKILL.md'])
  const { key } = await createKey(api.world, TENANT, ['layers:read'])
  const headers = { authorization: `Bearer ${key}` }
  const { body } = await api.call('GET /v1/layers', undefined, headers)
  expect(body.data).toEqual([
    row('base/', 'base', 2, true),
    row('repos/app2/', 'repo', 1, true),
    row('roles/qa/', 'role', 1, true),
  ])
})

it('400 rejects an invalid limit and a cursor of another list', async () => {
  const api = await withFiles(SOME)
  const limit = await api.call('GET /v1/layers?limit=0')
  expect([limit.status, limit.body.code, limit.body.errors[0].pointer]).toEqual([
    400,
    'invalid_query',
    '/limit',
  ])
  const { body } = await api.call('GET /v1/files?limit=1')
  const other = await api.call(`GET /v1/layers?cursor=${encodeURIComponent(body.next_cursor)}`)
  expect([other.status, other.body.code]).toEqual([400, 'invalid_cursor'])
})

it('the places that make a layer valid are those of the loader, for all fixtures', () => {
  const root = join(import.meta.dirname, '../../../fixtures/policy')
  for (const fixture of readdirSync(root)) {
    const paths = readdirSync(join(root, fixture), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(root, fixture).length + 1))
    const files = paths.map((path) => ({ path, etag: '', size: 0 }))
    expect([fixture, paths.some(holdsEntry)]).toEqual([fixture, planLayer('base', '', files).valid])
  }
})
