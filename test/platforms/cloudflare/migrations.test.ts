/** What `wrangler d1 migrations apply` makes is what the store expects. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { SCHEMA } from '../../../src/hosts/sql/schema.ts'

const FOLDER = join(import.meta.dirname, '../../../infra/migrations')

it('the migrations, applied in order, produce the schema of src/hosts/sql', () => {
  const migrated = new DatabaseSync(':memory:')
  for (const file of readdirSync(FOLDER).sort())
    migrated.exec(readFileSync(join(FOLDER, file), 'utf8'))
  const wanted = new DatabaseSync(':memory:')
  for (const statement of SCHEMA) wanted.exec(statement)
  const tables = 'SELECT type, name, sql FROM sqlite_schema ORDER BY name'
  expect(migrated.prepare(tables).all()).toEqual(wanted.prepare(tables).all())
})
