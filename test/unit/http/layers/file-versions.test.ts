/** Versions of stored files: writes by the file routes and by imports, deletions, and bounds. */

import { beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { type TestApi, testApi } from '../../../support/api.ts'
import { settle, TENANT } from '../../../support/drive.ts'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

const FILE = 'repos/app/.agents/config.toml'

interface Version {
  readonly version: string
  readonly action: string
  readonly digest: string | null
}

const versionsOf = async (path: string): Promise<readonly Version[]> =>
  (await api.call(`GET /v1/file-versions?path=${encodeURIComponent(path)}`)).body.data
const textOf = async (version: string, path = FILE) =>
  (await api.call(`GET /v1/file-versions/${version}?path=${encodeURIComponent(path)}`)).body

/** Writes a file through its route, as `strata push` does. */
async function put(path: string, text: string): Promise<void> {
  const { status } = await api.call(`PUT /v1/files/${path}`, text)
  expect([200, 201]).toContain(status)
  // Versions of one millisecond have no order.
  api.world.clock.advance(1)
}

describe('versions of a file', () => {
  it('200 has each write and deletion with its text, newest first', async () => {
    for (const text of ['one', 'two']) await put(FILE, text)
    expect((await api.call(`DELETE /v1/files/${FILE}`)).status).toBe(204)
    const versions = await versionsOf(FILE)
    expect(versions.map(({ action }) => action)).toEqual(['delete', 'put', 'put'])
    expect(versions[0]).toMatchObject({ path: FILE, digest: null })
    expect(await textOf(versions[1]!.version)).toMatchObject({ path: FILE, size: 5, text: '"two"' })
    expect(await textOf(versions[2]!.version)).toMatchObject({ action: 'put', text: '"one"' })
  })

  it('200 has the text of the current content, which no later write has kept', async () => {
    await put(FILE, 'only')
    const [version] = await versionsOf(FILE)
    expect(await textOf(version!.version)).toMatchObject({ text: '"only"' })
  })

  it('200 has the files of an import, and null for what is not UTF-8', async () => {
    await api.write({ 'imports/x/a.md': 'new', 'repos/app/a.md': 'old' })
    await api.call('POST /v1/layers/import', {
      ...{ from: 'imports/x', layer: 'repos/app', dry_run: false },
    })
    const [version, ...older] = await versionsOf('repos/app/a.md')
    expect(older).toEqual([])
    expect(await textOf(version!.version, 'repos/app/a.md')).toMatchObject({ text: 'new' })
    const bytes = new Uint8Array([0xff, 0xfe])
    await api.world.objects.put(`${TENANT}/files/repos/app/a.md`, bytes, 'any')
    await put('repos/app/a.md', 'third')
    const [, second] = await versionsOf('repos/app/a.md')
    expect(second?.version).toBe(version?.version)
  })

  it('200 has a text that a run has overwritten', async () => {
    await put('repos/app/h.md', 'human')
    const input = '@call file_write {"path": "h.md", "content": "by run"}\n@say done'
    const run = await api.call('POST /v1/runs', { repo_dir: 'repos/app', input })
    await settle(api.world)
    expect((await api.call(`GET /v1/runs/${run.body.id}`)).body.status).toBe('completed')
    expect(await api.read('repos/app/h.md')).toBe('by run')
    const [version] = await versionsOf('repos/app/h.md')
    expect(await textOf(version!.version, 'repos/app/h.md')).toMatchObject({ text: '"human"' })
  })

  it('404 for another version or path, 410 for a deletion or a text that was not kept', async () => {
    await put(FILE, 'x')
    const [version] = await versionsOf(FILE)
    expect((await textOf('ver_00000000000000000000000000')).code).toBe('not_found')
    expect((await textOf(version!.version, 'repos/app/other.md')).code).toBe('not_found')
    await api.call(`DELETE /v1/files/${FILE}`)
    const [deletion] = await versionsOf(FILE)
    expect((await textOf(deletion!.version)).code).toBe('gone')
    const large = 'y'.repeat(LIMITS.file_version_bytes)
    await put('repos/app/large.txt', large)
    await put('repos/app/large.txt', 'small')
    const [, before] = await versionsOf('repos/app/large.txt')
    expect((await textOf(before!.version, 'repos/app/large.txt')).code).toBe('gone')
  })

  it('400 for a missing or an invalid path, 403 without the scope', async () => {
    expect((await api.call('GET /v1/file-versions')).status).toBe(400)
    expect((await api.call('GET /v1/file-versions?path=../x')).body.code).toBe('invalid_key')
    const { key } = await createKey(api.world, TENANT, ['layers:read'])
    const authorization = `Bearer ${key}`
    const path = `GET /v1/file-versions?path=${FILE}`
    expect((await api.call(path, undefined, { authorization })).status).toBe(403)
  })
})
