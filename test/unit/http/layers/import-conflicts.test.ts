/** Imports whose files conflict with files of the layer, or with another import. */

import { describe, expect, it } from 'vitest'
import { type TestApi, testApi } from '../../../support/api.ts'

async function withFiles(files: Readonly<Record<string, string>>): Promise<TestApi> {
  const api = await testApi()
  await api.write(files)
  return api
}

const importing = (api: TestApi, body: object = {}) =>
  api.call('POST /v1/layers/import', { from: 'imports/x', layer: 'repos/app', ...body })

interface Step {
  readonly path: string
  readonly action: string
  readonly reason?: string
}

describe('an import', () => {
  it('200 skips a file below a file, and a file in place of a folder, and writes the others', async () => {
    const api = await withFiles({
      'imports/x/docs/a.md': 'a',
      'imports/x/notes': 'n',
      'imports/x/z.md': 'z',
      'repos/app/Docs': 'a file',
      'repos/app/notes/b.md': 'b',
    })
    const { plan } = (await importing(api)).body
    const { status, body } = await importing(api, { dry_run: false, plan })
    expect(status).toBe(200)
    const steps = body.steps.map(({ path, action, reason }: Step) => [path, action, reason])
    expect(steps).toEqual([
      ['repos/app/docs/a.md', 'skip', 'repos/app/Docs is a file, so it cannot contain files'],
      ['repos/app/notes', 'skip', 'repos/app/notes is a folder in the layer'],
      ['repos/app/z.md', 'create', undefined],
    ])
    expect(await api.read('repos/app/z.md')).toBe('z')
  })

  it('200 skips every file if the folder of the layer is a file', async () => {
    const api = await withFiles({ 'imports/x/a.md': 'a', 'repos/app': 'a file' })
    const { body } = await importing(api, { dry_run: false })
    expect(body.steps).toMatchObject([
      { action: 'skip', reason: 'repos/app is a file, so it cannot contain files' },
    ])
  })

  it('413 bounds the length of the ignore rules, because their patterns are in memory', async () => {
    const rules = `${'a'.repeat(99)}\n`.repeat(10_000)
    const folders = ['a', 'b', 'c', 'd'].map((name) => `imports/x/${name}/`)
    const files = folders.flatMap((folder) => [
      [`${folder}.gitignore`, rules],
      [`${folder}a.md`, 'a'],
    ])
    const api = await withFiles(Object.fromEntries(files))
    const { status, body } = await importing(api)
    expect([status, body.code, body.errors[0].pointer]).toEqual([413, 'too_large', '/from'])
  })

  it('200 if another import writes the same bytes first, and only one audit entry names a file', async () => {
    const api = await withFiles({ 'imports/x/a.md': 'a', 'imports/x/b.md': 'b' })
    const { put } = api.world.objects
    let other: Promise<{ status: number }> | undefined
    api.world.objects.put = async (key, body, expect) => {
      if (other === undefined && key.endsWith('repos/app/a.md')) {
        other = importing(api, { dry_run: false })
        await other
      }
      return put(key, body, expect)
    }
    const { status, body } = await importing(api, { dry_run: false })
    expect([status, (await other)?.status]).toEqual([200, 200])
    const stored = (await importing(api)).body
    expect(stored.steps.map(({ action }: Step) => action)).toEqual(['keep', 'keep'])
    expect(body.steps.map(({ etag }: { etag: string }) => etag)).toEqual(
      stored.steps.map(({ etag }: { etag: string }) => etag),
    )
    const { data } = (await api.call('GET /v1/audit')).body
    const paths = data.flatMap(({ files }: { files: { path: string }[] }) =>
      files.map(({ path }) => path),
    )
    expect(paths.sort()).toEqual(['repos/app/a.md', 'repos/app/b.md'])
  })

  it('200 the audit log lists an import by the path of each file that it wrote', async () => {
    const api = await withFiles({ 'imports/x/a.md': 'a', 'imports/x/b.md': 'b' })
    await importing(api, { dry_run: false })
    const { data } = (await api.call('GET /v1/audit?name=repos/app/b.md')).body
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['repos/app/'])
    expect((await api.call('GET /v1/audit?name=repos/app/c.md')).body.data).toEqual([])
  })
})
