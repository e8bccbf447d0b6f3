/** What `wrangler d1 migrations apply` makes is what the store expects. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { SCHEMA } from '../../src/hosts/sql/schema.ts'

const FOLDER = join(import.meta.dirname, '../../infra/migrations')

it('the migrations, applied in order, make the schema of src/hosts/sql', () => {
  const migrated = new DatabaseSync(':memory:')
  for (const file of readdirSync(FOLDER).sort())
    migrated.exec(readFileSync(join(FOLDER, file), 'utf8'))
  const wanted = new DatabaseSync(':memory:')
  for (const statement of SCHEMA) wanted.exec(statement)
  const tables = 'SELECT type, name, sql FROM sqlite_schema ORDER BY name'
  expect(migrated.prepare(tables).all()).toEqual(wanted.prepare(tables).all())
})

it('a database that was never written to needs no adoption; one that a release of before used does', () => {
  const files = readdirSync(FOLDER).sort()
  const state = (before: string): unknown => {
    const db = new DatabaseSync(':memory:')
    for (const file of files) {
      if (file.startsWith('0002')) db.exec(before)
      db.exec(readFileSync(join(FOLDER, file), 'utf8'))
    }
    return db.prepare("SELECT body FROM entry WHERE p = '_/adoption/state'").get()?.body
  }
  expect(JSON.parse(String(state('')))).toMatchObject({ settled: true })
  const key = "INSERT INTO entry (p, k, version, body) VALUES ('_/key/x', 'head', 1, '{}')"
  expect(state(key)).toBe(undefined)
})
