/** What `strata push` sends, leaves out and deletes, against the real server. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type PushOptions, push } from '../../src/cli/push.ts'
import { sharedServer, temporaryFolder } from '../support/server.ts'
import { slowLine } from '../support/slow-line.ts'
import { terminal } from '../support/terminal.ts'

const server = sharedServer()
const PEM = `-----BEGIN PRIVATE KEY-----\n${'M'.repeat(64)}\n-----END PRIVATE KEY-----\n`

let dir = ''
let prefix = ''
let count = 0
beforeEach(async () => {
  dir = await temporaryFolder()
  prefix = `repos/p${(count += 1)}`
})

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
}

const home = (url = server().url) => terminal({ STRATA_URL: url, STRATA_API_KEY: server().key })

async function pushed(more: Partial<PushOptions> = {}, at = home()) {
  const before = [at.lines().length, at.errors.length]
  const code = await push(at, { dir, prefix, ...more })
  return { code, out: at.lines().slice(before[0]), err: at.errors.slice(before[1]).sort() }
}

interface Listed {
  readonly path: string
  readonly etag: string
}
async function listed(): Promise<Listed[]> {
  const path = `/v1/files?limit=1000&prefix=${prefix}/`
  return (await server().get<{ data: Listed[] }>(path)).data
}
const there = async (): Promise<string[]> =>
  (await listed()).map(({ path }) => path.slice(prefix.length + 1))

describe('files that a push excludes', () => {
  it('belong to git or match .gitignore or .strataignore of any folder, reported by the rule', async () => {
    write({
      '.git/config': 'x',
      'sub/.git': 'gitdir: elsewhere',
      '.gitignore': '*.log\n/out/\n!keep.log\n',
      'a.md': 'x',
      'keep.log': 'x',
      'b.log': 'x',
      'out/deep/c.md': 'x',
      'sub/out/d.md': 'x',
      'sub/.gitignore': 'only-here\n!again.log\n',
      'sub/only-here': 'x',
      'sub/again.log': 'x',
      '.strataignore': 'notes/\n',
      'notes/n.md': 'x',
    })
    const said = await pushed()
    expect(said.code).toBe(0)
    expect(await there()).toEqual([
      '.gitignore',
      '.strataignore',
      'a.md',
      'keep.log',
      'sub/.gitignore',
      'sub/again.log',
      'sub/out/d.md',
    ])
    expect(said.err).toEqual([
      'skipped because of .gitignore: 2',
      'skipped because of .strataignore: 1',
      'skipped because of sub/.gitignore: 1',
    ])
  })

  it('match the .gitignore of the repository around the folder', async () => {
    write({ '.git/HEAD': 'x', '.gitignore': '*.tmp\n', 'packs/a.md': 'x', 'packs/a.tmp': 'x' })
    dir = join(dir, 'packs')
    expect((await pushed()).err).toEqual(['skipped because of ../.gitignore: 1'])
    expect(await there()).toEqual(['a.md'])
  })

  it('are environment files and private keys, by name and by content; --include sends them', async () => {
    write({
      '.env': 'A=1',
      'deep/.env.production': 'A=1',
      'tls/server.pem': 'x',
      id_ed25519: 'x',
      'id_ed25519.pub': 'x',
      'note.txt': PEM,
      'account.json': JSON.stringify({ private_key: PEM }),
      'how-to.md': 'A key begins with -----BEGIN PRIVATE KEY----- and ends somewhere.',
    })
    const said = await pushed()
    expect(said.code).toBe(0)
    expect(await there()).toEqual(['how-to.md', 'id_ed25519.pub'])
    expect(said.err).toEqual([
      '.env: skipped: environment file; use --include .env to send it',
      'account.json: skipped: contains a private key; use --include account.json to send it',
      'deep/.env.production: skipped: environment file; use --include deep/.env.production to send it',
      'id_ed25519: skipped: the name indicates a private key; use --include id_ed25519 to send it',
      'note.txt: skipped: contains a private key; use --include note.txt to send it',
      'tls/server.pem: skipped: the name indicates a private key; use --include tls/server.pem to send it',
    ])
    await pushed({ include: ['.env', 'note.txt'] })
    expect(await there()).toEqual(['.env', 'how-to.md', 'id_ed25519.pub', 'note.txt'])
  })
})

describe('files that a push sends', () => {
  it('are only those that changed, even at the same size and after a change by another client', async () => {
    write({ 'a.md': 'one', 'b.md': 'two', 'c.md': 'three' })
    const at = home()
    expect((await pushed({}, at)).out).toEqual([`pushed 3 files to ${prefix}/`])
    const first = await listed()
    expect((await pushed({}, at)).out).toEqual([`pushed 0 files to ${prefix}/ (3 unchanged)`])
    expect(await listed()).toEqual(first)
    write({ 'b.md': 'new' })
    await server().ask(`/v1/files/${prefix}/c.md`, { method: 'PUT', body: 'hers!' })
    expect((await pushed({}, at)).out).toEqual([`pushed 2 files to ${prefix}/ (1 unchanged)`])
    const read = async (path: string) => (await server().ask(`/v1/files/${prefix}/${path}`)).text()
    expect([await read('b.md'), await read('c.md')]).toEqual(['new', 'three'])
  })

  it('are read back and compared on a machine without a record, and none is rewritten', async () => {
    write({ 'a.md': 'one', 'b.md': 'two' })
    await pushed()
    const first = await listed()
    write({ 'b.md': 'owt' })
    expect((await pushed()).out).toEqual([`pushed 1 file to ${prefix}/ (1 unchanged)`])
    expect((await listed())[0]).toEqual(first[0])
  })

  it('number 2,000 over an 80 ms line; the second push requests only the list', async () => {
    for (let i = 0; i < 2_000; i += 1) write({ [`d${i % 50}/f${i}.md`]: `${i}` })
    const at = home(await slowLine(server().url, 80))
    expect((await pushed({}, at)).out).toEqual([`pushed 2000 files to ${prefix}/`])
    const asked = (): number =>
      server()
        .process.output()
        .match(/"event":"request"/g)?.length ?? 0
    const before = asked()
    expect((await pushed({}, at)).out).toEqual([`pushed 0 files to ${prefix}/ (2000 unchanged)`])
    expect(asked() - before).toBeGreaterThan(0)
    expect(asked() - before).toBeLessThanOrEqual(3)
  })
})

describe('strata push --delete and --dry-run', () => {
  it('deletes what the folder lacks, and keeps what the push excludes', async () => {
    write({ 'a.md': 'x', 'b.md': 'x', '.env': 'A=1', 'x.log': 'x' })
    symlinkSync('a.md', join(dir, 'link.md'))
    await pushed({ include: ['.env'] })
    await server().ask(`/v1/files/${prefix}/link.md`, { method: 'PUT', body: 'x' })
    rmSync(join(dir, 'b.md'))
    write({ '.gitignore': '*.log\n' })
    const dry = await pushed({ delete: true, dryRun: true })
    expect(dry.out).toEqual([
      'would add .gitignore',
      'would delete b.md',
      `would push 1 file to ${prefix}/ (1 unchanged, 1 deleted)`,
    ])
    expect(await there()).toEqual(['.env', 'a.md', 'b.md', 'link.md', 'x.log'])
    expect((await pushed({ delete: true })).out).toEqual([
      `pushed 1 file to ${prefix}/ (1 unchanged, 1 deleted)`,
    ])
    expect(await there()).toEqual(['.env', '.gitignore', 'a.md', 'link.md', 'x.log'])
  })

  it('refuses to empty a layer from an empty folder without an explicit option', async () => {
    write({ 'a.md': 'x' })
    await pushed()
    rmSync(join(dir, 'a.md'))
    await expect(pushed({ delete: true })).rejects.toThrow(/--delete would empty/)
    expect(await there()).toEqual(['a.md'])
    await pushed({ delete: true, force: true })
    expect(await there()).toEqual([])
  })
})

it.each(['bse', '', 'roles', 'roles/a/b', 'base/.agents', 'workspaces/run_1'])(
  'a prefix that is not a layer is refused, and nothing is sent: %j',
  async (wrong) => {
    write({ 'a.md': 'x' })
    await expect(pushed({ prefix: wrong })).rejects.toThrow(/not a layer/)
    const { data } = await server().get<{ data: Listed[] }>(`/v1/files?prefix=${wrong}`)
    expect(data.filter(({ path }) => path === `${wrong}/a.md`)).toEqual([])
  },
)

it('a repository created by git is pushed without its history', async () => {
  write({ 'a.md': 'x' })
  execFileSync('git', ['init', '-q', dir])
  await pushed()
  expect(await there()).toEqual(['a.md'])
})
