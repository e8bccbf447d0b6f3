/** What comes too late is removed, in memory and in SQLite. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { memoryStore } from '../../../src/hosts/memory/store.ts'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'
import { strayLetters } from '../../contract/strays.ts'

strayLetters('memory', memoryStore)

strayLetters('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-strays-'))
  const store = await openSqlite(join(folder, 'strata.db'))
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return store
})
