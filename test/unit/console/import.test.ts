/** The import page: which files are sent, archives, and the rows and filters of a plan. */

import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { ArchiveError, filesOf } from '../../../src/console/import/archive.ts'
import {
  type Bounds,
  bytesOf,
  type Source,
  secretReason,
  selectionOf,
} from '../../../src/console/import/sources.ts'
import {
  countsOf,
  importSearch,
  isShown,
  type Plan,
  rowsOf,
} from '../../../src/console/import/state.ts'
import { ignoreRules } from '../../../src/core/config/layer/ignore-rules.ts'

const BOUNDS: Bounds = { fileBytes: 1_000, bytes: 10_000, files: 10 }
const source = (path: string, size = 1): Source => ({
  path,
  size,
  read: async () => new Uint8Array(size),
})

describe('files of an import', () => {
  it('lose the name of the folder that was chosen', () => {
    const { sources } = selectionOf([source('pack/b.md'), source('pack/a/c.md')], BOUNDS)
    expect(sources.map(({ path }) => path)).toEqual(['a/c.md', 'b.md'])
    const files = selectionOf([source('.agents/a.md'), source('.agents/b.md')], BOUNDS)
    expect(files.sources.map(({ path }) => path)).toEqual(['.agents/a.md', '.agents/b.md'])
    const skills = selectionOf([source('skills/fold/SKILL.md')], BOUNDS)
    expect(skills.sources.map(({ path }) => path)).toEqual(['skills/fold/SKILL.md'])
  })

  it('of an archive by macOS are those of its folder; equal paths are sent once', () => {
    const paths = ['__MACOSX/lib/._a.md', 'lib/.DS_Store', 'lib/a.md', 'lib/a.md']
    const { sources, unsent } = selectionOf(
      paths.map((path) => source(path)),
      BOUNDS,
    )
    expect(sources.map(({ path }) => path)).toEqual(['a.md'])
    expect(unsent.map(({ path, reason }) => [path, reason])).toEqual([
      ['.DS_Store', 'system'],
      ['__MACOSX/lib/._a.md', 'system'],
      ['a.md', 'twice'],
    ])
  })

  it('stay on the computer for a reason each', () => {
    const paths = [
      ...['p/.git/config', 'p/a/node_modules/x/i.js', 'p/.env.local', 'p/certs/tls.PEM'],
      ...['p/.netrc', 'p/../up.md', 'p/a//b.md', 'p/a\\b.md'],
    ]
    const { sources, unsent } = selectionOf(
      [...paths.map((path) => source(path)), source('p/big.bin', 1_001), source('p/ok.md', 1_000)],
      BOUNDS,
    )
    expect(sources.map(({ path }) => path)).toEqual(['ok.md'])
    expect(Object.fromEntries(unsent.map(({ path, reason }) => [path, reason]))).toEqual({
      '.git/config': 'git',
      'a/node_modules/x/i.js': 'packages',
      '.env.local': 'environment',
      'certs/tls.PEM': 'key',
      '.netrc': 'passwords',
      '../up.md': 'path',
      'a//b.md': 'path',
      'a\\b.md': 'path',
      'big.bin': 'large',
    })
    expect(bytesOf({ sources, unsent })).toBe(1_000)
  })

  it('count as secrets by the names that the server rejects', () => {
    const names = [
      ...['.env', '.env.production', '.envrc', 'env', 'my.env', 'server.key', 'keys.md'],
      ...['id_rsa', 'id_ed25519', 'id_ed25519_sk', 'id_rsa.pub', 'x.p12', 'x.pfx', 'x.jks'],
      ...['x.keystore', 'x.ppk', 'x.pem.txt', '.netrc', '.pgpass', '.pypirc', '.git-credentials'],
      ...['netrc', '.npmrc', 'Agent.md', 'SKILL.md', 'ID_RSA', 'deep/er/.ENV', 'prod.env'],
      ...['credentials', 'secrets.json', 'secret.yaml', 'secrets.md', 'my-secrets.json'],
    ]
    const rules = ignoreRules(() => undefined)
    const differ = names.filter(
      (name) => (secretReason(name) === undefined) !== (rules.secret(name) === undefined),
    )
    expect(differ).toEqual([])
  })
})

describe('an archive', () => {
  const pack = { 'pack/a.md': strToU8('one'), 'pack/empty/': new Uint8Array() }

  it('has its files, without folders', async () => {
    const [file, ...others] = filesOf(zipSync(pack), BOUNDS)
    expect(others).toEqual([])
    expect([file?.path, file?.size, await file?.read()]).toEqual(['pack/a.md', 3, strToU8('one')])
  })

  it('is rejected if it is damaged, too large, or has too many files', () => {
    const wordOf = (archive: Uint8Array, bounds: Bounds): unknown => {
      try {
        return filesOf(archive, bounds).length
      } catch (error) {
        return error instanceof ArchiveError ? error.word : error
      }
    }
    expect(wordOf(strToU8('no archive'), BOUNDS)).toBe('import.zip.broken')
    expect(wordOf(zipSync({}), BOUNDS)).toBe('import.zip.empty')
    const cut = zipSync(pack).slice(0, 40)
    expect(wordOf(cut, BOUNDS)).toBe('import.zip.broken')
    expect(wordOf(zipSync(pack), { ...BOUNDS, bytes: 2 })).toBe('import.zip.large')
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`${n}`, strToU8('x')]))
    expect(wordOf(zipSync(many), BOUNDS)).toBe('import.zip.large')
  })

  it('is bounded by what it contains, not by what it states', () => {
    const archive = zipSync({ 'zeros.bin': new Uint8Array(2_000_000) })
    const view = new DataView(archive.buffer)
    const central = archive.length - 22 - 46 - 'zeros.bin'.length
    expect([view.getUint32(0, true), view.getUint32(central, true)]).toEqual([
      0x04034b50, 0x02014b50,
    ])
    for (const at of [22, central + 24]) view.setUint32(at, 10, true)
    expect(() => filesOf(archive, BOUNDS)).toThrow('import.zip.large')
  })
})

describe('a plan', () => {
  const plan: Plan = {
    ...{ from: 'imports/p/', layer: 'base/', dry_run: true, plan: '0'.repeat(64) },
    steps: [
      { action: 'create', path: 'base/.agents/agents/a.md', from: 'imports/p/a.md', etag: null },
      { action: 'skip', path: 'base/.env', from: 'imports/p/.env', etag: null, reason: 'x' },
    ],
    records: [
      {
        ...{ layer: '', path: 'a.md', kind: 'agent', id: 'a', status: 'loaded_with_warnings' },
        diagnostics: [
          { code: 'unknown_tool', severity: 'warning', line: 4, message: 'no', hint: null },
        ],
      },
    ],
  }

  it('shows each file with its findings, by action or with findings only', () => {
    const rows = rowsOf(plan)
    expect(rows.map(({ name, findings }) => [name, findings.length])).toEqual([
      ['a.md', 1],
      ['.env', 0],
    ])
    expect(countsOf(rows)).toEqual({ create: 1, replace: 0, keep: 0, skip: 1, findings: 1 })
    expect(rows.filter((row) => isShown(row, 'skip')).map(({ name }) => name)).toEqual(['.env'])
    expect(rows.filter((row) => isShown(row, 'findings'))).toHaveLength(1)
    expect(rows.filter((row) => isShown(row, undefined))).toHaveLength(2)
  })

  it('has an address that drops what it does not know', () => {
    const search = { from: 'imports/p/', layer: 'roles/x/', loose: true, show: 'keep', sel: 'a' }
    expect(importSearch({ ...search, other: 1 })).toEqual(search)
    expect(importSearch({ from: 'base/', layer: 'x', loose: 'yes', show: 'all', sel: '' })).toEqual(
      {},
    )
  })
})
