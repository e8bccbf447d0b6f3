/** What a backup rests on: a database that is copied while it changes, and bodies that stay. */

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openAtWork, writeAtRest } from '../../../../src/hosts/node/active-partitions.ts'
import { deferredDeletes } from '../../../../src/hosts/node/deferred-deletes.ts'
import { openFiles } from '../../../../src/hosts/node/files.ts'
import { openSqlite } from '../../../../src/hosts/node/sqlite.ts'
import { encode } from '../../../../src/lib/bytes.ts'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'strata-backup-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

describe('a database backup', () => {
  it('contains each concurrent commit completely or not at all', async () => {
    const [from, to] = [join(folder(), 'a.db'), join(folder(), 'b.db')]
    const store = await openSqlite(from)
    const large = 'x'.repeat(20_000)
    const put = (key: string, body: string) => ({ op: 'put', key, body, expect: 'any' }) as const
    let isOver = false
    let count = 0
    const commits = (async () => {
      for (; !isOver; count += 1) {
        const writes = ['a', 'b', 'c'].map((key) => put(`${key}/${count}`, large))
        expect(await store.commit('t/run/r', writes)).toBe('ok')
      }
    })()
    while (count < 20) await new Promise((resolve) => setTimeout(resolve, 5))
    const least = count
    await store.copyTo(to)
    isOver = true
    await commits
    await store.close()

    expect(statSync(to).mode & 0o777).toBe(0o600)
    const db = new DatabaseSync(to, { readOnly: true })
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    db.close()
    const copy = await openSqlite(to)
    const rows = await copy.read('t/run/r')
    await copy.close()
    expect(rows.length % 3).toBe(0)
    expect(rows.length / 3).toBeGreaterThanOrEqual(least)
  })

  it('starts at the moment it was made, not when it is restored', () => {
    const path = join(folder(), 'at-work')
    const at = Date.UTC(2026, 10, 1)
    writeAtRest(path, at)
    const journal = openAtWork(path)
    onTestFinished(() => journal.close())
    expect(journal.lastAlive).toBeCloseTo(at, -3)
    expect(journal.interrupted).toEqual([])
  })
})

describe('deletes while a backup copies the files', () => {
  const BODY = 't/bodies/run_1/abc'
  const FILE = 't/files/base/AGENTS.md'

  it('of bodies wait for its end, and those of files do not', async () => {
    const { objects, defer } = deferredDeletes(openFiles(join(folder(), 'objects')))
    for (const key of [BODY, FILE]) await objects.put(key, encode('text'), 'any')
    const first = defer()
    const second = defer()
    expect(await objects.delete(BODY, 'any')).toBe('ok')
    expect(await objects.delete(FILE, 'any')).toBe('ok')
    await first()
    await first()
    expect(await objects.get(BODY)).not.toBeNull()
    expect(await objects.get(FILE)).toBeNull()
    await second()
    expect(await objects.get(BODY)).toBeNull()
  })

  it('spare a body that is written again meanwhile', async () => {
    const { objects, defer } = deferredDeletes(openFiles(join(folder(), 'objects')))
    await objects.put(BODY, encode('text'), 'any')
    const release = defer()
    await objects.delete(BODY, 'any')
    await objects.put(BODY, encode('text'), 'absent')
    await release()
    expect(await objects.get(BODY)).not.toBeNull()
  })
})
