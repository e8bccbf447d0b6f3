/** Overlays: edits that one resolution sees, and nothing else. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { check } from '../../../../src/cli/check.ts'
import type { FileRecord, Resolved } from '../../../../src/core/config/types.ts'
import { LIMITS } from '../../../../src/core/limits.ts'
import { type Overlay, resolveWith } from '../../../../src/engine/layers/overlay.ts'
import { resolveLayers } from '../../../../src/engine/layers/resolve.ts'
import { Listings } from '../../../../src/engine/layers/stored-listings.ts'
import { decodeStrict } from '../../../../src/lib/bytes.ts'
import type { World } from '../../../../src/ports/world.ts'
import { TENANT as OTHER, putFiles, testWorld } from '../../../support/drive.ts'
import { agent, layerWorld, skill, TENANT } from '../../../support/layers.ts'

const ROOT = join(import.meta.dirname, '../../../fixtures/policy')

/** The files of a fixture by path, without the record beside them. */
function filesOf(fixture: string): Record<string, Uint8Array> {
  const dir = join(ROOT, fixture)
  const paths = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
  const layer = paths.filter((path) => path !== 'expected.json').sort()
  return Object.fromEntries(layer.map((path) => [path, readFileSync(join(dir, path))]))
}

const overlayOf = (files: Readonly<Record<string, string | null>>): Overlay => ({
  files: Object.entries(files).map(([path, text]) => ({ path, text })),
})

async function preview(
  world: World,
  files: Readonly<Record<string, string | null>>,
  selection = {},
  tenant = TENANT,
): Promise<Resolved> {
  const outcome = await resolveWith(world, tenant, selection, overlayOf(files))
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error))
  return outcome.value
}

/** The result without ETags, which differ between a bucket and an overlay. */
const withoutEtags = (resolved: Resolved): unknown =>
  JSON.parse(JSON.stringify(resolved, (key, value) => (key === 'etag' ? undefined : value)))

const byPath = (records: readonly FileRecord[], layer: string) =>
  records
    .filter((record) => record.layer === layer)
    .map(({ path, kind, id, status, diagnostics }) => ({ path, kind, id, status, diagnostics }))
    .sort((left, right) => (left.path < right.path ? -1 : 1))

async function checked(fixture: string): Promise<readonly FileRecord[]> {
  const records: FileRecord[] = []
  await check(join(ROOT, fixture), { json: true, loose: false }, (line) => {
    records.push(JSON.parse(line))
  })
  return records.filter(({ path }) => path !== 'expected.json')
}

describe('an overlay of a fixture in test/fixtures/policy', () => {
  for (const fixture of readdirSync(ROOT).sort()) {
    const files = filesOf(fixture)
    const texts = Object.entries(files).map(([path, body]) => [path, decodeStrict(body)] as const)
    // A JSON string cannot contain such a file.
    if (texts.some(([, text]) => text === undefined)) {
      it(`${fixture} is not UTF-8 text`, () => {
        expect(['utf-16', 'invalid-utf-8', 'windows-1252']).toContain(fixture)
      })
      continue
    }
    it(`${fixture} has the findings of the same files stored, and of strata check`, async () => {
      const options = { allowStdio: true, allowLoopback: true }
      const inBase = texts.map(([path, text]) => [`base/${path}`, text!] as const)
      const edits = Object.fromEntries(inBase)
      const overlay = await preview(layerWorld({}, options).world, edits)
      const stored = await layerWorld(edits, options).resolve()
      const { diagnostics, ...rest } = overlay
      const reported = diagnostics.filter(({ code }) => code !== 'overlay_unused')
      expect(withoutEtags({ ...rest, diagnostics: reported })).toEqual(withoutEtags(stored))
      const paths = new Set(byPath(overlay.records, 'base/').map(({ path }) => path))
      const ofCheck = byPath(await checked(fixture), '').filter(({ path }) => paths.has(path))
      expect(byPath(overlay.records, 'base/')).toEqual(ofCheck)
    })
  }
})

const AGENT_PATH = 'base/.agents/agents/scout.md'
const SKILL_PATH = 'base/.agents/skills/one/SKILL.md'
const FILES = {
  [AGENT_PATH]: agent('Look around.', 'scout'),
  [SKILL_PATH]: skill('first', 'one'),
}

describe('an overlay', () => {
  it('adds, replaces, and deletes files in this resolution alone', async () => {
    const { world, objects, resolve } = layerWorld(FILES)
    const before = await resolve()
    const keys = objects.keys()
    const resolved = await preview(world, {
      [AGENT_PATH]: agent('Look twice.', 'scout'),
      [SKILL_PATH]: null,
      'base/.agents/skills/two/SKILL.md': skill('second', 'two'),
      'base/AGENTS.md': 'Instructions.',
    })
    expect(resolved.agents.find(({ id }) => id === 'scout')?.system_prompt).toBe('Look twice.\n')
    expect(resolved.skills.map(({ id }) => id)).toEqual(['two'])
    expect(resolved.diagnostics.map(({ code }) => code)).toEqual(['instructions_unread'])
    expect(await resolve()).toEqual(before)
    expect(objects.keys()).toEqual(keys)
  })

  it('reads no stored file again that the bucket’s cache contains', async () => {
    const { world, objects, resolve } = layerWorld(FILES)
    await resolve()
    objects.reset()
    await preview(world, { [AGENT_PATH]: agent('Look twice.', 'scout') })
    expect(objects.calls.filter((call) => call.startsWith('get '))).toEqual([])
  })

  it('lists across the pages of the bucket in key order', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => [
        `base/.agents/skills/s${i}/SKILL.md`,
        skill('x', `s${i}`),
      ]),
    )
    const edits = {
      'base/.agents/skills/a/SKILL.md': skill('x', 'a'),
      'base/.agents/skills/s3/SKILL.md': null,
      'base/.agents/skills/s4x/SKILL.md': skill('x', 's4x'),
      'base/.agents/skills/z/SKILL.md': skill('x', 'z'),
    }
    for (const page of [1, 2, 3, 1_000]) {
      const { world } = layerWorld(many, { page })
      const ids = (await preview(world, edits)).skills.map(({ id }) => id)
      expect([page, ids]).toEqual([
        page,
        ['a', 's0', 's1', 's2', 's4', 's4x', 's5', 's6', 's7', 's8', 'z'],
      ])
    }
  })

  it('can make a role layer valid, and then the base layer is not read', async () => {
    const { world } = layerWorld(FILES)
    const path = 'roles/qa/.agents/agents/x.md'
    const resolved = await preview(world, { [path]: agent('x', 'x') }, { role: 'qa' })
    expect(resolved.layers).toEqual([{ kind: 'role', layer: 'roles/qa/' }])
  })

  it('says which edits have no effect', async () => {
    const { world } = layerWorld(FILES)
    const resolved = await preview(world, {
      'base/src/main.ts': 'x',
      'base/.agents/agents/none.md': null,
    })
    expect(resolved.diagnostics.map(({ code, message }) => [code, message])).toEqual([
      [
        'overlay_unused',
        'base/src/main.ts is not configuration, so the edit changes nothing; tools can read it',
      ],
      [
        'overlay_unused',
        'base/.agents/agents/none.md is not read or does not exist; it stays absent',
      ],
    ])
  })

  it('may edit the file of mcp_config_path', async () => {
    const { world } = layerWorld({ ...FILES, 'conf/x.toml': '' })
    const path = 'conf/x.toml'
    const toml = '[mcp_servers.desk]\nurl = "https://desk.example/mcp"\n'
    const resolved = await preview(world, { [path]: toml }, { mcp_config_path: path })
    expect(resolved.servers.map(({ name }) => name)).toEqual(['desk'])
    expect(resolved.diagnostics).toEqual([])
  })

  it('rejects paths that are invalid, doubled, or in no layer that is read, and too much text', async () => {
    const { world } = layerWorld({ ...FILES, 'roles/qa/.agents/agents/x.md': agent('x', 'x') })
    const refusal = async (paths: readonly string[], selection = {}, text = 'x') => {
      const files = paths.map((path) => ({ path, text }))
      const outcome = await resolveWith(world, TENANT, selection, { files })
      return outcome.ok ? 'accepted' : [outcome.error.code, outcome.error.errors?.[0]?.pointer]
    }
    const fine = 'base/.agents/agents/a.md'
    const at = (index: number) => ['invalid_request', `/overlay/files/${index}/path`]
    for (const path of ['', '/base/a', 'base/../a', 'base//a', 'base/a\0', 'base/./a', 'base/'])
      expect([path, await refusal([fine, path])]).toEqual([path, at(1)])
    expect(await refusal([fine, 'base/b', fine])).toEqual(at(2))
    expect(await refusal([fine, 'repos/app/.agents/agents/a.md'])).toEqual(at(1))
    expect(await refusal([fine, 'workspaces/run_1/a'])).toEqual(at(1))
    expect(await refusal([fine], { role: 'qa' })).toEqual(at(0))
    const half = 'x'.repeat(LIMITS.overlay_bytes / 2)
    expect(await refusal([fine, 'base/b'], {}, half)).toBe('accepted')
    expect(await refusal([fine, 'base/b', 'base/c'], {}, half)).toEqual([
      'too_large',
      '/overlay/files/2/text',
    ])
  })

  it('is seen by no other process, neither by listings in the store nor by the index', async () => {
    const world = testWorld({ settings: { singleProcess: false } })
    const many = Array.from({ length: 40 }, (_, i) => `base/.agents/skills/s${i}/SKILL.md`)
    await putFiles(world, {
      ...FILES,
      ...Object.fromEntries(many.map((path) => [path, skill('x')])),
    })
    const process = (): World => ({
      ...world,
      store: { ...world.store },
      objects: { ...world.objects },
    })
    const resolve = async (by: World) => {
      const listings = new Listings(by, OTHER, 'kept')
      const resolved = await resolveLayers(by, OTHER, {}, { listings })
      if (!resolved.ok) throw new Error(resolved.error.detail)
      return resolved.value
    }
    const editor = process()
    await preview(editor, { [AGENT_PATH]: null, [SKILL_PATH]: null }, {}, OTHER)
    await new Promise(setImmediate)
    for (const by of [editor, process()]) {
      const { agents, skills } = await resolve(by)
      expect(agents.map(({ id }) => id)).toContain('scout')
      expect(skills).toHaveLength(41)
    }
  })
})
