/**
 * `strata backup`: copies a data folder while its server runs, and reports which data the copy does
 * not contain.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { backUp } from '../hosts/node/backup.ts'
import { storageOf } from '../hosts/node/options.ts'
import type { Terminal } from './terminal.ts'

export interface BackupOptions {
  readonly destination: string
  /** Data folder to copy; defaults to DATA_DIR. */
  readonly data?: string | undefined
}

export async function backup(terminal: Terminal, options: BackupOptions): Promise<number> {
  const { env, out: print } = terminal
  const { dataDir, store, objects } = storageOf(env)
  if (store !== 'sqlite') {
    throw new Error(
      `STORE=${store} stores the data in a table and a bucket. To back them up, see ` +
        'infra/aws.md.',
    )
  }
  const { destination, data = dataDir } = options
  const result = await backUp(data, destination)
  const { files, bytes, skipped } = result
  print(
    `Backed up ${data} to ${destination}: database (${size(result.databaseBytes)}), ` +
      `${files} ${files === 1 ? 'file' : 'files'} (${size(bytes)}).`,
  )
  if (skipped > 0) print(`Not copied: ${skipped} links, because servers do not follow links.`)
  if (objects === 's3') print('Not copied: the bucket with files and large text (OBJECTS=s3).')
  const devKey = existsSync(join(destination, 'dev-key'))
    ? ', and dev-key, which is an API key'
    : ''
  const keys = `master.key, which decrypts all its secrets${devKey}`
  print(
    result.hasMasterKey
      ? `The copy contains ${keys}; protect it from other users.`
      : 'Not copied: STRATA_MASTER_KEY, which is required to decrypt the secrets in the copy.',
  )
  print("Not copied: the server's environment variables, including its model keys.")
  print(`To restore, run: DATA_DIR=${destination} strata serve --paused`)
  return 0
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

function size(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const value = bytes / 1024 ** power
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`
}
