/** Files of a folder keep the promises of an object store. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openFiles } from '../../../../src/hosts/node/files.ts'
import { objectsContract } from '../../../contract/objects.ts'

objectsContract('files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return openFiles(join(folder, 'objects'))
})
