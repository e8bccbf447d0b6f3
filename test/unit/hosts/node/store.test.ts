/** The store in a file keeps the promises of its port. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openSqlite } from '../../../../src/hosts/node/sqlite.ts'
import { storeContract } from '../../../contract/store.ts'

storeContract('node:sqlite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-store-'))
  const store = await openSqlite(join(folder, 'strata.db'))
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  return store
})
