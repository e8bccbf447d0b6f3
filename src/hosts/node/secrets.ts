/** Stores the machine's master key, which encrypts secrets at rest, in the data folder. */

import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { keyFromHex } from '../shared/secrets.ts'
import { hasCode, syncFolders } from './folders.ts'

const KEY_BYTES = 32

/**
 * Reads the master key: 64 hex digits in a file that only the owner may read, created on the first
 * start. The file is renamed after a sync, so a crash leaves a complete key or none. Throws if the
 * file has other content, because a new key would make all sealed data unreadable.
 */
export async function masterKey(path: string): Promise<Uint8Array> {
  const text = readIfThere(path) ?? (await create(path))
  const key = keyFromHex(text)
  if (!key) throw new Error(`${path} is not a master key; it must contain 64 hex digits.`)
  return key
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return undefined
    throw error
  }
}

async function create(path: string): Promise<string> {
  const draft = `${path}.${process.pid}.tmp`
  const text = `${randomBytes(KEY_BYTES).toString('hex')}\n`
  rmSync(draft, { force: true })
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
    linkSync(draft, path)
  } finally {
    closeSync(file)
    rmSync(draft, { force: true })
  }
  await syncFolders([dirname(path)])
  return text
}
