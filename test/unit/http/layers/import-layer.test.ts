/** POST /v1/layers/import: the report, the plan, and applying it. */

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { check } from '../../../../src/cli/check.ts'
import { LIMITS } from '../../../../src/core/limits.ts'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { type TestApi, testApi } from '../../../support/api.ts'
import { cleanup } from '../../../support/cleanup.ts'
import { TENANT } from '../../../support/drive.ts'
import { agent, skill } from '../../../support/layers.ts'

const FIXTURES = join(import.meta.dirname, '../../../fixtures/policy')
const KEY = '-----BEGIN RSA PRIVATE KEY-----\nabc'
const FILES: Readonly<Record<string, string>> = {
  '.agents/agents/a.md': agent('Be brief.', 'a'),
  '.agents/agents/b.md': agent('Be exact.', 'other'),
  '.agents/agents/broken.md': '---\nname: [\n---\nx',
  '.agents/skills/one/SKILL.md': skill('first', 'one'),
  '.agents/skills/one/notes/draft.txt': 'a draft',
  '.agents/skills/one/.strataignore': 'notes/\n',
  '.env': 'TOKEN=x',
  '.gitignore': 'dist/\n',
  'dist/a.js': 'x',
  'notes.txt': KEY,
  'src/main.ts': 'export {}',
  'tests/a.md': '---\nexpect: x\n---\nHello',
}

interface Step {
  readonly action: string
  readonly path: string
  readonly from: string
  readonly etag?: string | null
  readonly reason?: string
}

async function withImport(files = FILES, more: Readonly<Record<string, string>> = {}) {
  const api = await testApi()
  const imported = Object.entries(files).map(([path, text]) => [`imports/x/${path}`, text])
  await api.write({ ...Object.fromEntries(imported), ...more })
  return api
}

const importing = (api: TestApi, body: object = {}) =>
  api.call('POST /v1/layers/import', { from: 'imports/x', layer: 'repos/app', ...body })

const actions = (steps: readonly Step[]) =>
  Object.fromEntries(steps.map(({ from, action }) => [from.slice('imports/x/'.length), action]))

describe('a dry run', () => {
  it('200 plans each file, says why a file is left out, and changes nothing', async () => {
    const api = await withImport(FILES, {
      'repos/app/.agents/agents/a.md': agent('Be brief.', 'a'),
      'repos/app/src/main.ts': 'old',
    })
    const files = await listed(api)
    const { status, body } = await importing(api)
    expect([status, body.from, body.layer, body.dry_run]).toEqual([
      200,
      'imports/x/',
      'repos/app/',
      true,
    ])
    expect(actions(body.steps)).toEqual({
      '.agents/agents/a.md': 'keep',
      '.agents/agents/b.md': 'create',
      '.agents/agents/broken.md': 'skip',
      '.agents/skills/one/.strataignore': 'create',
      '.agents/skills/one/SKILL.md': 'create',
      '.agents/skills/one/notes/draft.txt': 'skip',
      '.env': 'skip',
      '.gitignore': 'create',
      'dist/a.js': 'skip',
      'notes.txt': 'skip',
      'src/main.ts': 'replace',
      'tests/a.md': 'skip',
    })
    const reasons = body.steps.flatMap(({ from, reason }: Step) => (reason ? [[from, reason]] : []))
    expect(reasons).toEqual([
      ['imports/x/.agents/agents/broken.md', 'the file does not load'],
      [
        'imports/x/.agents/skills/one/notes/draft.txt',
        'excluded by .agents/skills/one/.strataignore',
      ],
      ['imports/x/.env', 'environment file'],
      ['imports/x/dist/a.js', 'excluded by .gitignore'],
      ['imports/x/notes.txt', 'contains a private key'],
      ['imports/x/tests/a.md', 'a test of the pack'],
    ])
    const main = body.steps.find(({ path }: Step) => path === 'repos/app/src/main.ts')
    const { etag } = await api.call('GET /v1/files/repos/app/src/main.ts')
    expect(`"${main.etag}"`).toBe(etag)
    expect(await listed(api)).toEqual(files)
    expect((await api.call('GET /v1/audit')).body.data).toEqual([])
  })

  for (const loose of [false, true]) {
    it(`200 has the records of strata check${loose ? ' --loose' : ''}`, async () => {
      const library = {
        ...FILES,
        '.claude/settings.json': '{"hooks": {}}',
        'agents/c.md': agent('x', 'c'),
        'AGENTS.md': 'Be kind.',
        'config.toml': '[mcp_servers.desk]\nurl = "https://desk.example/mcp"\n',
        'lib/skills/two/SKILL.md': skill('second', 'two'),
        'lib/skills/two/agents/helper.md': agent('x', 'helper'),
      }
      const api = await withImport(library)
      const { body } = await importing(api, { loose })
      expect(body.records).toEqual(await checked(library, loose))
    })
  }

  it('200 says which layers of the folder are not read inside the layer', async () => {
    const api = await withImport({ 'base/.agents/agents/a.md': agent('x', 'a'), 'base/a.txt': 'a' })
    const { body } = await importing(api)
    const reason = 'no run reads it there; import the folder base/ by itself'
    expect(body.steps).toMatchObject([{ action: 'create', reason }, { action: 'create' }])
    expect(body.steps[1].reason).toBeUndefined()
    expect((await importing(api, { from: 'imports/x/base' })).body.steps[0]).toMatchObject({
      path: 'repos/app/.agents/agents/a.md',
    })
  })

  it('200 has the records of strata check for all fixtures in test/fixtures/policy', async () => {
    const api = await testApi()
    for (const fixture of readdirSync(FIXTURES).sort()) {
      const dir = join(FIXTURES, fixture)
      const from = `imports/${fixture}/`
      for (const path of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        const place = join(dir, path)
        if (!statSync(place).isFile()) continue
        await api.world.objects.put(`${TENANT}/files/${from}${path}`, readFileSync(place), 'any')
      }
      for (const loose of [false, true]) {
        const { body } = await importing(api, { from, loose })
        const records: unknown[] = []
        await check(dir, { json: true, loose }, (line) => records.push(JSON.parse(line)))
        expect([fixture, loose, body.records]).toEqual([fixture, loose, records])
      }
    }
  })

  it('200 with loose plans agents and skills at the places that runs read', async () => {
    const api = await withImport({
      'agents/c.md': agent('x', 'c'),
      'more/agents/c.md': agent('y', 'c'),
      'lib/two/SKILL.md': skill('second', 'two'),
      'lib/two/data/a.csv': 'a',
      '.agents/agents/d.md': agent('x', 'd'),
      'README.md': 'A library.',
      'config.toml': '[mcp_servers.desk]\nurl = "https://desk.example/mcp"\n',
    })
    const { body } = await importing(api, { loose: true })
    expect(body.steps.map(({ action, from, path }: Step) => [action, from, path])).toEqual([
      ['create', 'imports/x/.agents/agents/d.md', 'repos/app/.agents/agents/d.md'],
      ['skip', 'imports/x/README.md', 'repos/app/README.md'],
      ['create', 'imports/x/agents/c.md', 'repos/app/.agents/agents/c.md'],
      ['skip', 'imports/x/config.toml', 'repos/app/config.toml'],
      ['create', 'imports/x/lib/two/SKILL.md', 'repos/app/.agents/skills/two/SKILL.md'],
      ['create', 'imports/x/lib/two/data/a.csv', 'repos/app/.agents/skills/two/data/a.csv'],
      ['skip', 'imports/x/more/agents/c.md', 'repos/app/.agents/agents/c.md'],
    ])
  })
})

describe('an import', () => {
  it('200 writes the planned files, keeps the import, and is idempotent', async () => {
    const api = await withImport()
    const planned = (await importing(api)).body
    expect((await api.call('POST /v1/resolve', {})).body.layers).toHaveLength(1)
    const { status, body } = await importing(api, { dry_run: false, plan: planned.plan })
    expect([status, body.dry_run, body.plan]).toEqual([200, false, planned.plan])
    expect(actions(body.steps)).toEqual(actions(planned.steps))
    expect(await api.read('repos/app/.agents/agents/b.md')).toBe(FILES['.agents/agents/b.md'])
    expect(await api.read('repos/app/.env')).toBeUndefined()
    expect(await api.read('imports/x/.agents/agents/b.md')).toBeDefined()
    const resolved = (await api.call('POST /v1/resolve', { repo_dir: 'repos/app' })).body
    expect(resolved.agents.map(({ id }: { id: string }) => id)).toContain('other')
    const again = await importing(api, { dry_run: false, plan: planned.plan })
    expect(again.status).toBe(200)
    const repeated = new Set(again.body.steps.map(({ action }: Step) => action))
    expect(repeated).toEqual(new Set(['keep', 'skip']))
    const { data } = (await api.call('GET /v1/audit')).body
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({ kind: 'file', name: 'repos/app/', action: 'put' })
    expect(data[0].detail).toBe('6 files of imports/x/')
    expect(data[0].files.map(({ path }: { path: string }) => path)).toContain(
      'repos/app/.agents/agents/b.md',
    )
  })

  it('412 if a file changed after the plan, and nothing is written', async () => {
    const api = await withImport()
    const { plan } = (await importing(api)).body
    await api.write({ 'repos/app/src/main.ts': 'someone else' })
    const { status, body } = await importing(api, { dry_run: false, plan })
    expect([status, body.code]).toEqual([412, 'precondition_failed'])
    expect(await api.read('repos/app/.agents/agents/a.md')).toBeUndefined()
    const next = (await importing(api)).body
    expect((await importing(api, { dry_run: false, plan: next.plan })).status).toBe(200)
  })

  it('412 if a file changes while the import writes', async () => {
    const api = await withImport({ 'a.txt': 'a' })
    const { put } = api.world.objects
    api.world.objects.put = async (key, body, expect) => {
      if (key.endsWith('repos/app/a.txt')) await put(key, new Uint8Array([1]), 'any')
      return put(key, body, expect)
    }
    const { status, body } = await importing(api, { dry_run: false })
    expect([status, body.code]).toEqual([412, 'precondition_failed'])
    expect(body.detail).toContain('repos/app/a.txt')
    expect(await api.read('repos/app/a.txt')).toBe('\u0001')
  })

  it('403 requires config:raw, as writing the files does', async () => {
    const api = await withImport()
    const attempt = async (scopes: readonly string[]) => {
      const { key } = await createKey(api.world, TENANT, scopes)
      const body = { from: 'imports/x', layer: 'repos/app', dry_run: false }
      const headers = { authorization: `Bearer ${key}` }
      return (await api.call('POST /v1/layers/import', body, headers)).status
    }
    expect(await attempt(['layers:write', 'layers:read'])).toBe(403)
    expect(await attempt(['config:raw'])).toBe(200)
  })

  it('422 413 names an invalid folder or layer', async () => {
    const api = await withImport()
    const refusal = async (body: object) => {
      const answer = await importing(api, body)
      return [answer.status, answer.body.code, answer.body.errors?.[0]?.pointer]
    }
    for (const from of ['', 'imports', 'base', 'imports/../base', '/imports/x', 'imports/none'])
      expect([from, await refusal({ from })]).toEqual([from, [422, 'invalid_request', '/from']])
    for (const layer of ['', 'imports/x', 'imports/y', 'workspaces/run_1', 'a/../b'])
      expect([layer, await refusal({ layer })]).toEqual([layer, [422, 'invalid_request', '/layer']])
    const rules = '*a*a*a*b\n'.repeat(100_000)
    await api.write({ 'imports/rules/.gitignore': rules })
    await api.write(Object.fromEntries(keys(400, (i) => [`imports/rules/aaaa${i}`, 'x'])))
    expect(await refusal({ from: 'imports/rules' })).toEqual([413, 'too_large', '/from'])
    const roles = keys(LIMITS.import_layers + 1, (i) => [`imports/all/roles/r${i}/a`, 'x'])
    await api.write(Object.fromEntries(roles))
    expect(await refusal({ from: 'imports/all' })).toEqual([413, 'too_large', '/from'])
    const many = Array.from({ length: LIMITS.import_files + 1 }, (_, i) => `imports/many/${i}.txt`)
    await api.write(Object.fromEntries(many.map((path) => [path, 'x'])))
    expect(await refusal({ from: 'imports/many' })).toEqual([413, 'too_large', '/from'])
  })
})

describe('the files of an import', () => {
  it('422 200 are read by no run, no resolution, and no management operation', async () => {
    const api = await withImport()
    for (const name of ['repo_dir', 'base_dir', 'mcp_config_path']) {
      const value = name === 'mcp_config_path' ? 'imports/x/config.toml' : 'imports/x'
      const body = { [name]: value }
      for (const request of ['POST /v1/resolve', 'POST /v1/runs']) {
        const run = request.endsWith('runs') ? { input: 'x' } : {}
        const answer = await api.call(request, { ...body, ...run })
        expect([name, answer.status, answer.body.errors[0].pointer]).toEqual([
          name,
          422,
          `/${name}`,
        ])
      }
    }
    expect((await api.call('GET /v1/agents?layer=imports/x/')).status).toBe(422)
    expect((await api.call('GET /v1/layers')).body.data).toEqual([])
  })
})

const keys = (length: number, entry: (i: number) => [string, string]) =>
  Array.from({ length }, (_, i) => entry(i))

async function listed(api: TestApi): Promise<readonly unknown[]> {
  return (await api.call('GET /v1/files?limit=1000')).body.data
}

async function checked(
  files: Readonly<Record<string, string>>,
  loose: boolean,
): Promise<readonly unknown[]> {
  const dir = mkdtempSync(join(tmpdir(), 'strata-import-'))
  cleanup.push(async () => rmSync(dir, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  const records: unknown[] = []
  await check(dir, { json: true, loose }, (line) => records.push(JSON.parse(line)))
  return records
}
