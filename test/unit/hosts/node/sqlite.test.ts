/** The store in a file when processes die, disks fill up and two want the same file. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { LockHeld } from '../../../../src/hosts/node/lock.ts'
import { openSqlite } from '../../../../src/hosts/node/sqlite.ts'
import { HEAD } from '../../../../src/ports/world.ts'
import { minutes, startTimer } from '../../../support/patience.ts'
import { start } from './child/start.ts'

function database(): string {
  const folder = mkdtempSync(join(tmpdir(), 'strata-sqlite-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'strata.db')
}

/** Checks that every commit the child was told of is there, none twice, none in half. */
async function checkLog(path: string, lines: readonly string[]): Promise<void> {
  const store = await openSqlite(path)
  const rows = await store.read('run')
  await store.close()
  const told = lines.filter((line) => line.endsWith(' ok')).length
  const facts = rows.filter(({ key }) => key !== HEAD)
  const head = rows.find(({ key }) => key === HEAD)
  expect(facts.length).toBeGreaterThanOrEqual(told)
  expect(facts.length).toBeLessThanOrEqual(told + 1)
  expect([head?.version, head?.body]).toEqual([facts.length, String(facts.length)])
}

describe('a process crash', () => {
  it('SIGKILL between commits loses no acknowledged commit, five times in a row', async () => {
    const path = database()
    for (const after of [1, 7, 40, 90, 150]) {
      rmSync(path, { force: true })
      rmSync(`${path}-wal`, { force: true })
      const child = start('commits.ts', [path])
      await child.until((line) => line === `${after} ok`)
      await child.kill()
      expect(child.lines.length).toBeGreaterThan(after)
      await checkLog(path, child.lines)
    }
  })

  it('a full disk returns `ambiguous` and loses no acknowledged commit', async () => {
    const path = database()
    const child = start('commits.ts', [path], 600)
    await child.until((line) => line.endsWith('ambiguous'))
    expect(child.lines.at(-1)).toMatch(/^\d+ ambiguous$/)
    expect(child.lines.length).toBeGreaterThan(10)
    await child.kill()
    await checkLog(path, child.lines)
  })
})

describe('two processes', () => {
  it('the second waits, and is then refused with a sentence that names the file', async () => {
    const path = database()
    const child = start('commits.ts', [path])
    await child.until((line) => line === 'open')
    const isLate = startTimer(390)
    const refused = openSqlite(path, 400)
    await expect(refused).rejects.toBeInstanceOf(LockHeld)
    await expect(refused).rejects.toThrow(`${path} is in use by another process`)
    expect(isLate()).toBe(true)
  })

  it('the second opens the file as soon as the first exits, even by SIGKILL', async () => {
    const path = database()
    const child = start('commits.ts', [path])
    await child.until((line) => line === '5 ok')
    const second = openSqlite(path, minutes(4))
    await new Promise((resolve) => setTimeout(resolve, 150))
    await child.kill()
    const store = await second
    onTestFinished(() => store.close())
    expect((await store.read('run')).length).toBeGreaterThan(5)
  })
})

describe('grouped commits', () => {
  it('a conflicting commit does not affect the others in its transaction', async () => {
    const store = await openSqlite(database())
    onTestFinished(() => store.close())
    const put = (key: string) => ({ op: 'put', key, body: '', expect: 'absent' }) as const
    await store.commit('p', [put('taken')])
    const answers = await Promise.all([
      store.commit('p', [put('a')]),
      store.commit('p', [put('b'), put('taken')]),
      store.commit('q', [], { expect: 4, body: '' }),
      store.commit('p', [put('c')]),
    ])
    expect(answers).toEqual(['ok', 'conflict', 'conflict', 'ok'])
    expect((await store.read('p')).map(({ key }) => key)).toEqual(['a', 'c', 'taken'])
  })

  it('a commit that the database refuses for another reason throws alone', async () => {
    const store = await openSqlite(database())
    onTestFinished(() => store.close())
    const put = (key: string, body: unknown) =>
      ({ op: 'put', key, body: body as string, expect: 'absent' }) as const
    const [good, bad] = await Promise.allSettled([
      store.commit('p', [put('a', 'fine')]),
      store.commit('p', [put('b', null)]),
    ])
    expect(good).toEqual({ status: 'fulfilled', value: 'ok' })
    expect(bad.status).toBe('rejected')
  })

  it('close completes waiting commits, and a later call is rejected with a sentence', async () => {
    const path = database()
    const store = await openSqlite(path)
    const waiting = store.commit('p', [], { expect: null, body: 'kept' })
    const closed = store.close()
    expect(await waiting).toBe('ok')
    await closed
    const calls = [
      store.commit('p', [], { expect: 1, body: '' }),
      store.read('p'),
      store.heads(['p']),
      store.due(0),
      store.sweep(0, 1),
    ]
    const error = expect.objectContaining({
      message: expect.stringMatching(/^The store is closed/),
    })
    for (const result of await Promise.allSettled(calls))
      expect(result).toEqual({ status: 'rejected', reason: error })
    await store.close()
    const again = await openSqlite(path)
    onTestFinished(() => again.close())
    expect((await again.heads(['p']))[0]?.body).toBe('kept')
  })
})

describe('a closed store', () => {
  const wanted = { marks: '', words: [], order: 'newest', limit: 9 } as const

  it('waits for reads in progress, including those of several statements', async () => {
    let isGated = false
    let finishSync = (): void => undefined
    const sync = (): Promise<void> =>
      isGated ? new Promise((resolve) => (finishSync = resolve)) : Promise.resolve()
    const store = await openSqlite(database(), 0, sync)
    const listed = { under: 'l', at: '1' }
    expect(await store.commit('p', [], { expect: null, body: 'first', listed })).toBe('ok')
    isGated = true
    const commit = store.commit('p', [], { expect: 1, body: 'second', listed })
    await turns()
    const reads = [store.read('p'), store.list('l'), store.find('l', wanted), store.due(0)]
    const ended: string[] = []
    const closed = store.close().then(() => ended.push('closed'))
    const all = Promise.all(reads).then(() => ended.push('reads'))
    await turns()
    expect(ended).toEqual([])
    finishSync()
    expect(await commit).toBe('ok')
    await Promise.all([closed, all])
    expect(ended).toEqual(['reads', 'closed'])
  })

  it('closes once, even when close is called repeatedly', async () => {
    const store = await openSqlite(database())
    const commit = store.commit('p', [], { expect: null, body: 'kept' })
    await Promise.all([store.close(), store.close()])
    expect(await commit).toBe('ok')
    await store.close()
  })
})

describe('durability', () => {
  it('a commit, and a read that observes it, are acknowledged only after the log is synced', async () => {
    let written = (): void => undefined
    const sync = (): Promise<void> => new Promise((resolve) => (written = resolve))
    const store = await openSqlite(database(), 0, sync)
    const answered: string[] = []
    const commit = store.commit('p', [], { expect: null, body: 'first' })
    void commit.then((result) => answered.push(result))
    await turns()
    const read = store.heads(['p'])
    void read.then(([row]) => answered.push(row?.body ?? 'nothing'))
    await turns()
    expect(answered).toEqual([])
    written()
    await Promise.all([commit, read])
    expect(answered.toSorted()).toEqual(['first', 'ok'])
    await store.close()
  })

  it('nothing is acknowledged after a failed sync, because the state on disk is unknown', async () => {
    let fails = false
    const sync = async (): Promise<void> => {
      if (fails) throw new Error('EIO')
    }
    const store = await openSqlite(database(), 0, sync)
    expect(await store.commit('p', [], { expect: null, body: 'kept' })).toBe('ok')
    fails = true
    const commit = store.commit('p', [], { expect: 1, body: 'lost' })
    await expect(commit).rejects.toThrow('EIO')
    fails = false
    await expect(store.commit('p', [], { expect: 2, body: 'later' })).rejects.toThrow('EIO')
    await expect(store.read('p')).rejects.toThrow('EIO')
    await store.close()
  })
})

/** Time for what is due at once. */
const turns = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

describe('rows with an expiry', () => {
  it('sweep removes expired rows and nothing else', async () => {
    const store = await openSqlite(database())
    onTestFinished(() => store.close())
    const put = (key: string, expiresAt?: number) =>
      ({ op: 'put', key, body: '', expect: 'absent', expiresAt }) as const
    await store.commit('p', [put('old', 10), put('edge', 20), put('new', 21), put('always')], {
      expect: null,
      body: '',
    })
    await store.sweep(20, 1)
    expect((await store.read('p')).map(({ key }) => key)).toEqual(['always', HEAD, 'new'])
  })

  it('sweep keeps up with a hundred runs per second, up to its page limit or until none remain', async () => {
    const store = await openSqlite(database())
    onTestFinished(() => store.close())
    const PARTITIONS = 30
    const KEYS = 90
    for (let part = 0; part < PARTITIONS; part += 1) {
      const writes = Array.from({ length: KEYS }, (_, index) => {
        return { op: 'put', key: `k${index}`, body: '', expect: 'absent', expiresAt: 10 } as const
      })
      await store.commit(`p${part}`, writes, { expect: null, body: '' })
    }
    const left = async (): Promise<number> => {
      const parts = Array.from({ length: PARTITIONS }, (_, part) => store.read(`p${part}`))
      return (await Promise.all(parts)).flat().filter(({ key }) => key !== HEAD).length
    }
    await store.sweep(20, 2)
    expect(await left()).toBe(PARTITIONS * KEYS - 2 * 500)
    await store.sweep(20, 100)
    expect(await left()).toBe(0)
  })
})

it('a file created before lists had tags opens, keeps its lists, and accepts tags', async () => {
  const path = database()
  const old = new DatabaseSync(path)
  old.exec(`CREATE TABLE entry (p TEXT NOT NULL, k TEXT NOT NULL, version INTEGER NOT NULL,
    body TEXT NOT NULL, alarm_rank INTEGER, alarm_at INTEGER, alarm_lane TEXT, listed_under TEXT,
    listed_at TEXT, expires_at INTEGER, PRIMARY KEY (p, k))`)
  old.exec('CREATE INDEX entry_listed ON entry (listed_under, listed_at)')
  old.exec(`INSERT INTO entry (p, k, version, body, listed_under, listed_at)
    VALUES ('p', 'head', 1, 'old', 'l', '1')`)
  old.close()
  const store = await openSqlite(path)
  expect((await store.list('l')).map(({ body }) => body)).toEqual(['old'])
  const listed = { under: 'l', at: '1', tags: 'c word ' }
  expect(await store.commit('p', [], { expect: 1, body: 'new', listed })).toBe('ok')
  const wanted = { marks: 'c', words: ['word'], order: 'newest', limit: 9 } as const
  expect((await store.find('l', wanted)).rows).toMatchObject([{ body: 'new' }])
  await store.close()
})
