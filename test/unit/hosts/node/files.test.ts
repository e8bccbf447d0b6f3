/** Files as objects: what people, links, other processes and crashes do to the folder. */

import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openFiles } from '../../../../src/hosts/node/files.ts'
import { decode, encode } from '../../../../src/lib/bytes.ts'
import { start } from './child/start.ts'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'strata-files-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

function make() {
  const outside = folder()
  const root = join(outside, 'objects')
  return { outside, root, objects: openFiles(root) }
}

/** Writes a file until its time is another: the kernel's clock of files may stand for milliseconds. */
async function pastTheTick(path: string, text: string): Promise<void> {
  const time = () => lstatSync(path, { bigint: true }).mtimeNs
  for (const before = time(); time() === before; ) {
    writeFileSync(path, text)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

describe('files edited by hand', () => {
  it('a file written into the folder is an object, and changing it changes its ETag', async () => {
    const { root, objects } = make()
    mkdirSync(join(root, 'skills/a'), { recursive: true })
    writeFileSync(join(root, 'skills/a/SKILL.md'), 'one')
    const first = await objects.get('skills/a/SKILL.md')
    expect(decode(first!.body)).toBe('one')
    await pastTheTick(join(root, 'skills/a/SKILL.md'), 'two')
    const second = await objects.get('skills/a/SKILL.md')
    expect(second!.etag).not.toBe(first!.etag)
    const stale = await objects.put('skills/a/SKILL.md', encode('x'), { etag: first!.etag })
    expect(stale).toBe('conflict')
    appendFileSync(join(root, 'skills/a/SKILL.md'), '!')
    const [listed] = (await objects.list('skills/')).objects
    expect([listed?.size, listed?.etag === second!.etag]).toEqual([4, false])
  })

  it('no two bodies written within one kernel tick have the same time', async () => {
    const { root, objects } = make()
    const keys = Array.from({ length: 100 }, (_, i) => `${i}`)
    await Promise.all(keys.map((key) => objects.put(key, encode('same size'), 'any')))
    const times = keys.map((key) => lstatSync(join(root, key), { bigint: true }).mtimeNs)
    expect(new Set(times).size).toBe(100)
  })

  it('an object is a plain file with exactly its bytes', async () => {
    const { root, objects } = make()
    await objects.put('a/b.md', encode('text\n'), 'absent')
    expect(readFileSync(join(root, 'a/b.md'), 'utf8')).toBe('text\n')
  })
})

describe('files and folders in the way', () => {
  it('a key below a file and a key that is a folder are conflicts, and absent to reads', async () => {
    const { objects } = make()
    await objects.put('a', encode('file'), 'any')
    await objects.put('b/c', encode('file'), 'any')
    for (const expected of ['any', 'absent', { etag: 'x' }] as const) {
      expect(await objects.put('a/x/y', encode(''), expected)).toBe('conflict')
      expect(await objects.put('b', encode(''), expected)).toBe('conflict')
    }
    expect(await objects.get('a/x/y')).toBeNull()
    expect(await objects.get('b')).toBeNull()
    expect(await objects.delete('a/x/y', 'any')).toBe('ok')
    expect(await objects.delete('b', 'any')).toBe('ok')
    expect((await objects.list('')).objects.map(({ key }) => key)).toEqual(['a', 'b/c'])
  })

  it('folders are removed with their last file, and the root remains', async () => {
    const { root, objects } = make()
    await objects.put('a/b/c', encode(''), 'any')
    await objects.delete('a/b/c', 'any')
    expect(readdirSync(root)).toEqual([])
  })

  it('200 puts and deletes below one folder that is created and removed all succeed', async () => {
    const { objects } = make()
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const answer = await objects.put(`come/and/go/${i % 10}`, encode(`${i}`), 'any')
        return [answer === 'conflict', await objects.delete(`come/and/go/${i % 10}`, 'any')]
      }),
    )
    expect(new Set(answers.map((answer) => answer.join()))).toEqual(new Set(['false,ok']))
  })
})

describe('symbolic links', () => {
  it('are not read, listed, written through, or followed, as file or as folder', async () => {
    const { outside, root, objects } = make()
    mkdirSync(join(outside, 'secret'))
    writeFileSync(join(outside, 'secret/passwd'), 'root')
    symlinkSync(join(outside, 'secret'), join(root, 'folder'))
    symlinkSync(join(outside, 'secret/passwd'), join(root, 'file'))
    symlinkSync(join(outside, 'nowhere'), join(root, 'dangling'))
    for (const key of ['folder/passwd', 'file', 'dangling', 'folder'])
      expect(await objects.get(key)).toBeNull()
    expect((await objects.list('')).objects).toEqual([])
    expect((await objects.list('folder/')).objects).toEqual([])
    expect(await objects.put('folder/new', encode('x'), 'any')).toBe('conflict')
    expect(await objects.put('folder/deep/new', encode('x'), 'absent')).toBe('conflict')
    expect(await objects.put('dangling', encode('x'), 'absent')).toBe('conflict')
    expect(await objects.delete('folder/passwd', 'any')).toBe('ok')
    expect(readdirSync(join(outside, 'secret'))).toEqual(['passwd'])
    expect(existsSync(join(outside, 'nowhere'))).toBe(false)
    expect(await objects.put('file', encode('mine'), 'any')).not.toBe('conflict')
    expect(readFileSync(join(outside, 'secret/passwd'), 'utf8')).toBe('root')
  })

  it('a key that would leave the folder is a bug and touches nothing [X-49]', async () => {
    const { outside, objects } = make()
    const bad = ['../x', 'a/../../x', '/etc/passwd', '', '.', 'a//b', 'a/.', 'a/', 'nul\0']
    for (const key of bad) {
      await expect(objects.get(key)).rejects.toThrow('invalid key')
      await expect(objects.put(key, encode('x'), 'any')).rejects.toThrow('invalid key')
      await expect(objects.delete(key, 'any')).rejects.toThrow('invalid key')
    }
    for (const prefix of ['../', '../objects', '/', 'a/../../', '//', './'])
      expect((await objects.list(prefix)).objects).toEqual([])
    expect(readdirSync(outside).sort()).toEqual(['objects', 'objects.tmp'])
  })
})

/** Returns the smallest size of a file in so many looks, -1 when it was not there once. */
function watch(path: string, looks: number): number {
  let smallest = Number.POSITIVE_INFINITY
  for (let look = 0; look < looks; look += 1) {
    const size = lstatSync(path, { throwIfNoEntry: false })?.size ?? -1
    smallest = Math.min(smallest, size)
  }
  return smallest
}

describe('a writer that dies', () => {
  it('in the middle of a put leaves the old file or the new, never neither [X-34]', async () => {
    const { root, outside, objects } = make()
    await objects.put('folder/file', new Uint8Array(200_000), 'any')
    for (const more of [0, 700, 1_700, 3_000, 5_000, 8_000]) {
      const child = start('puts.ts', [root])
      await child.until((line) => line === 'open')
      expect(watch(join(root, 'folder/file'), 10_000 + more)).toBe(200_000)
      await child.kill()
      const stored = await objects.get('folder/file')
      expect(stored?.body.byteLength).toBe(200_000)
      expect(new Set(stored!.body).size).toBe(1)
      expect((await objects.list('')).objects.map(({ key }) => key)).toEqual(['folder/file'])
    }
    writeFileSync(join(outside, 'objects.tmp/left'), 'over')
    openFiles(root)
    expect(readdirSync(join(outside, 'objects.tmp'))).toEqual([])
  })

  it('leaves no draft, even after refused puts', async () => {
    const { outside, objects } = make()
    await Promise.all(Array.from({ length: 20 }, () => objects.put('a', encode('x'), 'absent')))
    expect(readdirSync(join(outside, 'objects.tmp'))).toEqual([])
  })
})
