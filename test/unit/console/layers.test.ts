/** The page of layers: its address, the tree of files, findings, and the operation of a write. */

import { describe, expect, it } from 'vitest'
import { fileFindings, findingsOf, worstOf } from '../../../src/console/layers/findings.ts'
import { type Defined, definedIn, writeRoute } from '../../../src/console/layers/resources.ts'
import {
  choiceFor,
  layerOf,
  layersSearch,
  openLayer,
  versionIn,
} from '../../../src/console/layers/state.ts'
import { suggestedPath, templateText } from '../../../src/console/layers/templates.ts'
import { sizeOf, sizeText, textIn } from '../../../src/console/layers/text.ts'
import {
  firstFolders,
  foldersAbove,
  movedTo,
  rowsOf,
  treeOf,
} from '../../../src/console/layers/tree.ts'

const AGENT = 'base/.agents/agents/triage.md'
const SKILL = 'base/.agents/skills/refunds/SKILL.md'

describe('the address of the layers', () => {
  it('keeps the file, a line, a version, and a known pane, and drops anything else', () => {
    const search = { file: AGENT, line: 4, v: 'ver_1', pane: 'versions' }
    expect(layersSearch({ ...search, x: 1 })).toEqual(search)
    expect(layersSearch({ file: AGENT, line: -1, pane: 'nowhere', new: 'x' })).toEqual({
      file: AGENT,
    })
    // A line, a version, and a tab belong to a file.
    expect(layersSearch({ line: 4, v: 'ver_1', pane: 'findings' })).toEqual({})
    expect(layersSearch({ pane: 'migrate', new: 'skill' })).toEqual({
      pane: 'migrate',
      new: 'skill',
    })
  })

  it('names the layer only if the file does not', () => {
    expect(layersSearch({ layer: 'roles/desk' })).toEqual({ layer: 'roles/desk/' })
    expect(layersSearch({ layer: 'base/', file: AGENT })).toEqual({ file: AGENT })
    expect(openLayer({})).toBe('base/')
    expect(openLayer({ file: 'repos/shop/a.md' })).toBe('repos/shop/')
    const inner = { layer: 'repos/shop/inner/', file: 'repos/shop/inner/a.md' }
    expect(openLayer(layersSearch(inner))).toBe(inner.layer)
    expect(openLayer({ layer: 'base/', file: 'repos/shop/a.md' })).toBe('repos/shop/')
  })

  it('gives the layer of a path, and the choice with which a run reads the layer', () => {
    expect([AGENT, 'roles/a/b', 'repos/x/y/z', 'docs/a.md', 'a.md'].map(layerOf)).toEqual([
      ...['base/', 'roles/a/', 'repos/x/', 'docs/', ''],
    ])
    expect(['base/', 'roles/a/', 'repos/x/', 'docs/'].map(choiceFor)).toEqual([
      ...[{}, { role: 'a' }, { repo: 'repos/x' }, { repo: 'docs' }],
    ])
  })

  it('names the server of a version', () => {
    expect(versionIn('docs/ver_1')).toEqual({ name: 'docs', id: 'ver_1' })
    expect(versionIn('ver_1')).toEqual({ name: '', id: 'ver_1' })
    expect(versionIn(undefined)).toEqual({ name: '', id: '' })
  })
})

describe('the tree of files', () => {
  const paths = ['base/b.md', SKILL, AGENT, 'base/a.md', 'repos/x/a.md']
  const rows = (open: readonly string[]) =>
    rowsOf(treeOf(paths, 'base/'), 'base/', (folder) => open.includes(folder))

  it('shows folders before files, and the content of open folders', () => {
    expect(rows([]).map(({ name }) => name)).toEqual(['.agents', 'a.md', 'b.md'])
    const open = rows(['base/.agents', 'base/.agents/agents'])
    expect(open.map(({ name, depth, isOpen }) => [name, depth, isOpen])).toEqual([
      ['.agents', 0, true],
      ['agents', 1, true],
      ['triage.md', 2, undefined],
      ['skills', 1, false],
      ['a.md', 0, undefined],
      ['b.md', 0, undefined],
    ])
  })

  it('opens all folders of a small layer, and those of agents of a large one', () => {
    expect([...firstFolders([AGENT, SKILL], 'base/')]).toContain('base/.agents/skills/refunds')
    const many = Array.from({ length: 100 }, (_, index) => `base/notes/${index}.md`)
    const first = firstFolders([AGENT, SKILL, ...many], 'base/')
    expect([...first]).toEqual(['base/.agents', 'base/.agents/agents'])
  })

  it('moves by keys: to neighbors, both ends, the parent, and into an open folder', () => {
    const open = rows(foldersAbove(AGENT))
    const keys = ['ArrowDown', 'ArrowUp', 'Home', 'End', 'ArrowRight', 'ArrowLeft', 'x']
    expect(keys.map((key) => movedTo(open, 1, key))).toEqual([2, 0, 0, 5, 2, undefined, undefined])
    expect(movedTo(open, 2, 'ArrowLeft')).toBe(1)
    expect(movedTo(open, 5, 'ArrowDown')).toBe(5)
    expect(movedTo(open, 4, 'ArrowLeft')).toBeUndefined()
  })
})

const finding = (code: string, severity: 'note' | 'warning' | 'error', line: number | null) => ({
  ...{ code, severity, line, message: code, hint: null },
})

describe('findings', () => {
  const record = { kind: 'agent', id: null, status: 'rejected', layer: 'base/' } as const
  const ofFile = [finding('b', 'error', 5), finding('a', 'warning', 2)]
  const resolved = {
    records: [
      { ...record, path: '.agents/agents/triage.md', diagnostics: ofFile },
      { ...record, path: 'a.md', diagnostics: [finding('shadowed', 'note', null)] },
    ],
    diagnostics: [finding('overlay_unused', 'note', null), finding('role_missing', 'note', null)],
  }

  it('of an edited file are those of its record, by line, and that no run reads it', () => {
    const codes = findingsOf(resolved, AGENT).map(({ code }) => code)
    expect(codes).toEqual(['overlay_unused', 'a', 'b'])
  })

  it('of stored files are kept by key, without files that another file hides', () => {
    expect([...fileFindings(resolved).keys()]).toEqual([AGENT])
  })

  it('mark a file by the worst, and not by notes', () => {
    expect(worstOf(ofFile)).toBe('error')
    expect(worstOf([finding('a', 'note', 1)])).toBeUndefined()
    expect(worstOf([])).toBeUndefined()
  })
})

const defined = (changes: Partial<Defined>): Defined => ({
  ...{ kind: 'agent', name: 'triage', path: AGENT, etag: 'e', isOn: true, files: [] },
  ...changes,
})

describe('a write', () => {
  const both = { isRaw: true, mayWrite: true }
  const at = (path: string) => ({ path, layer: 'base/' })
  const skill = defined({ kind: 'skill', name: 'refunds', path: SKILL })

  it('of an agent or a skill uses its operation, which keeps versions', () => {
    const route = { by: 'agent', name: 'triage', layer: 'base/' }
    expect(writeRoute(at(AGENT), [defined({})], both)).toEqual(route)
    expect(writeRoute(at(AGENT), [], both)).toEqual(route)
    expect(writeRoute(at(SKILL), [skill], both)).toEqual({ ...route, by: 'skill', name: 'refunds' })
  })

  it('is raw where an operation would write another file or compare another ETag', () => {
    const raw = { by: 'file' }
    expect(writeRoute(at('base/a.md'), [], both)).toEqual(raw)
    const elsewhere = 'base/.neovate/agents/triage.md'
    expect(writeRoute(at(elsewhere), [defined({ path: elsewhere })], both)).toEqual(raw)
    const renamed = defined({ path: 'base/.claude/agents/other.md' })
    expect(writeRoute(at(AGENT), [renamed], both)).toEqual(raw)
    expect(writeRoute(at(SKILL), [{ ...skill, isOn: false }], both)).toEqual(raw)
    const server = defined({ kind: 'server', path: 'base/.agents/config.toml' })
    expect(writeRoute(at(server.path), [server], both)).toEqual(raw)
    expect(writeRoute(at(AGENT), [defined({})], { isRaw: true, mayWrite: false })).toEqual(raw)
  })

  it('is not offered without a scope for it', () => {
    const none = { isRaw: false, mayWrite: false }
    expect(writeRoute(at(AGENT), [defined({})], none)).toBeUndefined()
    expect(writeRoute(at('base/a.md'), [], { ...none, mayWrite: true })).toBeUndefined()
  })

  it('knows the files of a skill by their keys', () => {
    const file = { path: 'table.csv', etag: 'e', size: 4 }
    const listed = {
      ...{ name: 'refunds', enabled: false, path: SKILL, has_skill_md: true, description: null },
      ...{ files: [file], etag: 'e.off', diagnostics: [] },
    }
    const [entry] = definedIn('base/', { agents: [], skills: [listed], servers: [] })
    expect(entry?.isOn).toBe(false)
    expect(entry?.files[0]?.path).toBe('base/.agents/skills/refunds/table.csv')
  })
})

describe('a text', () => {
  it('is UTF-8 without zero bytes, and keeps its byte order mark', () => {
    const bytes = (text: string) => new TextEncoder().encode(text)
    expect(textIn(bytes('\uFEFFé'))).toBe('\uFEFFé')
    expect(textIn(bytes('a\0b'))).toBeNull()
    expect(textIn(new Uint8Array([0xff, 0xfe]))).toBeNull()
    expect(sizeOf('é')).toBe(2)
    expect([0, 1_023, 1_536, 5_242_880].map(sizeText)).toEqual([
      ...['0 B', '1023 B', '1.5 KiB', '5.0 MiB'],
    ])
  })

  it('of a new file has the name that its path gives', () => {
    expect(suggestedPath('skill', 'roles/desk/')).toBe(
      'roles/desk/.agents/skills/my-skill/SKILL.md',
    )
    expect(templateText('skill', SKILL)).toContain('name: refunds\n')
    expect(templateText('agent', AGENT)).toContain('name: triage\n')
    expect(templateText('empty', 'base/AGENTS.md')).toBe('')
  })
})
