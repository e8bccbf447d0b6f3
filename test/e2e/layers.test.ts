/** The routes of whole layers on the Node platform: list, resolve with edits, import. */

import { describe, expect, it } from 'vitest'
import { createClient, type Strata } from '../../src/client/index.ts'
import { agent } from '../support/layers.ts'
import { startNodeApi } from '../support/node-api.ts'

async function strataWith(files: Readonly<Record<string, string>>): Promise<Strata> {
  const { url, key } = await startNodeApi()
  const strata = createClient({ url, apiKey: key })
  for (const [path, text] of Object.entries(files)) await strata.files.put(path, text)
  return strata
}

describe('layers on the Node platform', () => {
  it('lists the prefixes with files', async () => {
    const strata = await strataWith({
      'base/.agents/agents/x.md': agent('Be brief.', 'x'),
      'repos/app/README.md': 'The app.',
      'roles/qa/.agents/agents/x.md': agent('Be exact.', 'x'),
    })
    const layers: unknown[] = []
    for await (const { layer, kind, files, valid } of strata.layers.list({ limit: 2 }))
      layers.push([layer, kind, files, valid])
    expect(layers).toEqual([
      ['base/', 'base', 1, true],
      ['repos/app/', 'repo', 1, false],
      ['roles/qa/', 'role', 1, true],
    ])
  })

  it('import a folder that no run reads before the plan is applied', async () => {
    const file = '.agents/agents/x.md'
    const strata = await strataWith({
      [`imports/one/${file}`]: agent('Be brief.', 'x'),
      'imports/one/.env': 'TOKEN=x',
      'repos/app/README.md': 'The app.',
    })
    const agents = async () =>
      (await strata.layers.resolve({ repo_dir: 'repos/app' })).agents.map(({ id }) => id)
    const folder = { from: 'imports/one', layer: 'repos/app' }
    const { plan, steps } = await strata.layers.import(folder)
    expect(steps.map(({ action, path }) => [action, path])).toEqual([
      ['create', `repos/app/${file}`],
      ['skip', 'repos/app/.env'],
    ])
    expect(await agents()).not.toContain('x')
    await strata.files.put(`repos/app/${file}`, agent('Be exact.', 'x'))
    const stale = strata.layers.import({ ...folder, plan, dry_run: false })
    await expect(stale).rejects.toMatchObject({ status: 412, code: 'precondition_failed' })
    const { plan: current } = await strata.layers.import(folder)
    const done = await strata.layers.import({ ...folder, plan: current, dry_run: false })
    expect(done.steps[0]).toMatchObject({ action: 'replace', etag: expect.any(String) })
    expect(await agents()).toContain('x')
    const again = await strata.layers.import({ ...folder, plan: current, dry_run: false })
    expect(again.steps.map(({ action }) => action)).toEqual(['keep', 'skip'])
  })

  it('resolve with edits as if they were stored, and store nothing', async () => {
    const path = 'base/.agents/agents/x.md'
    const strata = await strataWith({ [path]: agent('Be brief.', 'x') })
    const broken = { path, text: '---\nname: x\n---\nBe exact.' }
    const preview = await strata.layers.resolve({ overlay: { files: [broken] } })
    const after = await strata.layers.resolve({})
    await strata.files.put(path, broken.text)
    const stored = await strata.layers.resolve({})
    expect(preview.records).toEqual(stored.records)
    expect(preview.digest).toBe(stored.digest)
    expect(after.records[0]).toMatchObject({ status: 'loaded', diagnostics: [] })
    const outside = { files: [broken, { path: 'repos/app/.agents/agents/x.md', text: null }] }
    await expect(strata.layers.resolve({ overlay: outside })).rejects.toMatchObject({
      status: 422,
      problem: { errors: [{ pointer: '/overlay/files/1/path' }] },
    })
  })
})
