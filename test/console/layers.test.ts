/** The pure parts of the console's layers page: paths, drafts, findings, the plan of an import, zips. */

import { createHash, randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { arrangedPaths } from '../../src/console/pages/layers/arrange.ts'
import { findingsOf } from '../../src/console/pages/layers/check.ts'
import { draftIn } from '../../src/console/pages/layers/drafts.ts'
import {
  judged,
  planOf,
  type Source,
  targetFor,
  unwrapped,
} from '../../src/console/pages/layers/import-plan.ts'
import {
  above,
  beginningOf,
  bytesOf,
  type Entry,
  languageOfPath,
  layerOf,
  layersIn,
  resourceOf,
  rowsOf,
  runOf,
  treeOf,
} from '../../src/console/pages/layers/paths.ts'
import { sha256 } from '../../src/console/pages/layers/sha256.ts'
import { filesInZip } from '../../src/console/pages/layers/zip.ts'

const entry = (path: string, size = 1): Entry => ({ path, etag: 'e', size })
const source = (path: string, size = 1): Source => ({
  path,
  size,
  read: async () => new Uint8Array(size),
})

describe('paths', () => {
  const entries = ['base/b.md', 'base/.agents/agents/a.md', 'repos/shop/x.ts'].map((one) =>
    entry(one),
  )

  it('shows folders first, and only what is inside of open ones', () => {
    const names = (open: string[]): string[] =>
      rowsOf(treeOf(entries), new Set(open)).map(({ path }) => path)
    expect(names([])).toEqual(['base', 'repos'])
    expect(names(['base'])).toEqual(['base', 'base/.agents', 'base/b.md', 'repos'])
    expect(names(above('base/.agents/agents/a.md'))).toContain('base/.agents/agents/a.md')
  })

  it('knows the layer of a file and the run that reads it', () => {
    expect(layerOf('roles/support/.agents/config.toml')).toBe('roles/support/')
    expect(layerOf('workspaces/x')).toBeUndefined()
    expect(layersIn(entries)).toEqual(['base/', 'repos/shop/'])
    expect(runOf('roles/support/')).toEqual({ role: 'support' })
    expect(runOf('repos/shop/')).toEqual({ repo_dir: 'repos/shop' })
    expect(runOf('base/')).toEqual({})
  })

  it('knows what a file belongs to, and what a new one begins with', () => {
    expect(resourceOf('base/.agents/skills/tidy/ref/a.md')).toEqual({
      ...{ kind: 'skill', name: 'tidy', layer: 'base/' },
    })
    expect(resourceOf('repos/shop/.claude/agents/anna.md')).toEqual({
      ...{ kind: 'agent', name: 'anna', layer: 'repos/shop/' },
    })
    expect(resourceOf('base/.agents/config.toml')).toBeUndefined()
    expect(beginningOf('base/.agents/agents/anna.md')).toMatch(/^---\nname: anna\n/)
    expect(beginningOf('base/.agents/skills/tidy/a.md')).toBe('')
    expect(['a.md', 'a.toml', 'a.yml', 'a.ts'].map(languageOfPath)).toEqual([
      ...['markdown', 'toml', 'yaml', 'text'],
    ])
    expect([12, 2_048, 5_242_880].map(bytesOf)).toEqual(['12 B', '2.0 KiB', '5.0 MiB'])
  })
})

describe('drafts', () => {
  it('takes only what looks like a draft', () => {
    const draft = { text: 't', base: 'b', etag: '"e"' }
    expect(draftIn(JSON.stringify(draft))).toEqual(draft)
    expect(draftIn(JSON.stringify({ text: 't', base: '' }))).toEqual({
      ...{ text: 't', base: '', etag: null },
    })
    for (const other of [null, '', 'x', '1', 'null', '{"text":1,"base":""}'])
      expect(draftIn(other)).toBeUndefined()
  })
})

describe('findings while one types', () => {
  const codes = (path: string, text: string, known: string[] = []): string[] =>
    findingsOf(path, text, known).map(({ code }) => code)

  it('are those of the loader', () => {
    expect(codes('base/.agents/config.toml', 'a = [1,\n')).toEqual(['toml_invalid'])
    expect(codes('base/.agents/config.toml', 'a = 9007199254740993\n')).toEqual([
      ...['foreign_tables', 'no_servers'],
    ])
    expect(codes('base/.agents/config.toml', '[mcp_servers.x]\nurl = 3\n')).toEqual([
      'server_invalid',
    ])
    const skill = '---\nname: tidy\ndescription: \n---\nText.\n'
    expect(codes('base/.agents/skills/tidy/SKILL.md', skill)).toEqual(['description_missing'])
    expect(codes('workspaces/a.md', 'x')).toEqual([])
  })

  it('count what lies beside the file', () => {
    const path = 'base/.agents/skills/tidy/a.md'
    expect(codes(path, 'x')).toEqual(['no_skill'])
    expect(codes(path, 'x', ['base/.agents/skills/tidy/SKILL.md'])).toEqual([])
  })

  it('digest as Node does', () => {
    for (const size of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1_000, 70_001]) {
      const bytes = randomBytes(size)
      expect(sha256(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'))
    }
    expect(sha256('ä')).toBe(createHash('sha256').update('ä').digest('hex'))
  })
})

describe('the plan of an import', () => {
  const plan = (sources: Source[], existing: Entry[] = [], target = 'base/') =>
    planOf({
      ...{ sources, target, mostBytes: 100 },
      existing: new Map(existing.map((one) => [one.path, one])),
    })

  it('says what is new, what is replaced and under which etag', () => {
    const [one, other] = plan([source('a.md'), source('b.md')], [entry('base/b.md')])
    expect(one).toMatchObject({ path: 'base/a.md', verdict: 'new' })
    expect(one).not.toHaveProperty('etag')
    expect(other).toMatchObject({ path: 'base/b.md', verdict: 'over', etag: '"e"' })
  })

  it('leaves out what is too large, secret, of git, or no key', () => {
    const found = plan([
      ...[source('big', 101), source('.env'), source('.git/HEAD'), source('a?b')],
      source('deep/id_rsa'),
    ])
    expect(found.map(({ verdict }) => verdict)).toEqual(Array(5).fill('out'))
    expect(found.map(({ why }) => why?.kind)).toEqual(['large', 'secret', 'git', 'key', 'secret'])
  })

  it('leaves out what lies beside the layers of a folder that has some', () => {
    const found = plan([source('README.md'), source('base/a.md')], [], '')
    expect(found.map(({ verdict, why }) => why?.kind ?? verdict)).toEqual(['place', 'new'])
  })

  it('judges by bytes: the same stays, a private key stays out', () => {
    const [one] = plan([source('b.md', 2)], [entry('base/b.md', 2)])
    const bytes = new TextEncoder().encode('ab')
    expect(judged(one!, bytes, new TextEncoder().encode('ab')).verdict).toBe('same')
    expect(judged(one!, bytes, new TextEncoder().encode('ac')).verdict).toBe('over')
    const key = new TextEncoder().encode(`-----BEGIN ${'PRIVATE'} KEY-----\n`)
    expect(judged(one!, key)).toMatchObject({ verdict: 'out', why: { kind: 'secret' } })
  })

  it('takes the name of the folder away, unless it is a layer', () => {
    const paths = (...given: string[]) =>
      unwrapped(given.map((one) => source(one))).map(({ path }) => path)
    expect(paths('pack/base/a', 'pack/roles/x/b')).toEqual(['base/a', 'roles/x/b'])
    expect(paths('base/a', 'base/b')).toEqual(['base/a', 'base/b'])
    expect(paths('.agents/a')).toEqual(['.agents/a'])
    expect(paths('a', 'b/c')).toEqual(['a', 'b/c'])
    expect(targetFor([source('base/a')])).toBe('')
    expect(targetFor([source('.agents/a')])).toBe('base/')
  })

  it('arranges a library, and lets no two files go to one path', () => {
    const head = (name: string) => `---\nname: ${name}\ndescription: D.\n---\nText.\n`
    const files: Record<string, string> = {
      ...{ 'x/tidy/SKILL.md': head('tidy'), 'x/tidy/ref/a.md': 'a', 'README.md': 'r' },
      ...{ 'p/anna.md': head('anna'), 'q/anna.md': head('anna') },
    }
    const arranged = arrangedPaths(Object.keys(files), (path) =>
      new TextEncoder().encode(files[path]),
    )
    expect(Object.fromEntries(arranged)).toEqual({
      'x/tidy/SKILL.md': '.agents/skills/tidy/SKILL.md',
      'x/tidy/ref/a.md': '.agents/skills/tidy/ref/a.md',
      'p/anna.md': '.agents/agents/anna.md',
      'q/anna.md': '.agents/agents/anna.md',
    })
    const sources = Object.keys(files).map((one) => source(one))
    const found = planOf({
      ...{ sources, target: 'base/', existing: new Map(), mostBytes: 100, arranged },
    })
    expect(found.map(({ why }) => why?.kind)).toEqual([
      ...[undefined, undefined, 'place', undefined, 'twice'],
    ])
  })
})

describe('zips', () => {
  interface Part {
    readonly path: string
    readonly text: string
    readonly deflate?: boolean
    /** What the directory says, when it lies. */
    readonly size?: number
    readonly flags?: number
  }

  function zipOf(parts: readonly Part[]): Blob {
    const bodies: Buffer[] = []
    const directory: Buffer[] = []
    let at = 0
    for (const { path, text, deflate, size = Buffer.byteLength(text), flags = 0 } of parts) {
      const name = Buffer.from(path)
      const data = deflate ? deflateRawSync(Buffer.from(text)) : Buffer.from(text)
      const local = Buffer.alloc(30)
      local.writeUInt32LE(0x04034b50, 0)
      local.writeUInt16LE(name.length, 26)
      const one = Buffer.alloc(46)
      one.writeUInt32LE(0x02014b50, 0)
      one.writeUInt16LE(flags, 8)
      one.writeUInt16LE(deflate ? 8 : 0, 10)
      one.writeUInt32LE(data.length, 20)
      one.writeUInt32LE(size, 24)
      one.writeUInt16LE(name.length, 28)
      one.writeUInt32LE(at, 42)
      bodies.push(local, name, data)
      directory.push(one, name)
      at += 30 + name.length + data.length
    }
    const middle = Buffer.concat(directory)
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50, 0)
    end.writeUInt16LE(parts.length, 10)
    end.writeUInt32LE(middle.length, 12)
    end.writeUInt32LE(at, 16)
    return new Blob([Buffer.concat([...bodies, middle, end])])
  }

  const texts = async (zip: Blob): Promise<Record<string, string>> => {
    const found: Record<string, string> = {}
    for (const { path, read } of await filesInZip(zip))
      found[path] = new TextDecoder().decode(await read())
    return found
  }

  it('give their files, stored or deflated, without folders', async () => {
    const zip = zipOf([
      { path: 'd/', text: '' },
      { path: 'd/a.md', text: 'stored' },
      { path: 'd/b.md', text: 'deflated '.repeat(500), deflate: true },
    ])
    expect(await texts(zip)).toEqual({ 'd/a.md': 'stored', 'd/b.md': 'deflated '.repeat(500) })
  })

  it('that lie about sizes, are encrypted or are none are refused', async () => {
    const bomb = zipOf([{ path: 'a', text: 'x'.repeat(100_000), deflate: true, size: 10 }])
    await expect(texts(bomb)).rejects.toThrow('larger than it says')
    const short = zipOf([{ path: 'a', text: 'x', size: 10 }])
    await expect(texts(short)).rejects.toThrow('shorter than it says')
    await expect(texts(zipOf([{ path: 'a', text: 'x', flags: 1 }]))).rejects.toThrow('encrypted')
    await expect(texts(new Blob(['no zip at all']))).rejects.toThrow('no central directory')
  })
})
