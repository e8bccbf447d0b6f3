/**
 * `strata backup`: copies a data folder while its server runs, and reports what the copy does not
 * contain.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { backUp } from '../hosts/node/backup.ts'
import { storageOf } from '../hosts/node/options.ts'
import type { Terminal } from './terminal.ts'

export interface BackupOptions {
  readonly destination: string
  /** Data folder; defaults to DATA_DIR. */
  readonly data?: string | undefined
}

export async function backup(terminal: Terminal, options: BackupOptions): Promise<number> {
  const { env, out: print } = terminal
  const { dataDir, store, objects } = storageOf(env)
  if (store !== 'sqlite') {
    throw new Error(
      `STORE=${store}: the data is in a table and a bucket. infra/aws.md describes their ` +
        'backup.',
    )
  }
  const { destination, data = dataDir } = options
  const result = await backUp(data, destination)
  const { files, bytes, skipped } = result
  print(
    `Backup of ${data} in ${destination}: a database of ${size(result.databaseBytes)}, ` +
      `${files} ${files === 1 ? 'file' : 'files'} of ${size(bytes)}.`,
  )
  if (skipped > 0) print(`Not in the copy: ${skipped} links, which servers do not follow either.`)
  if (objects === 's3')
    print('Not in the copy: the bucket with files and large texts (OBJECTS=s3).')
  const devKey = existsSync(join(destination, 'dev-key')) ? ', and dev-key, an API key' : ''
  const keys = `master.key, which opens all secrets in it${devKey}`
  print(
    result.hasMasterKey
      ? `The copy holds ${keys}: keep others from reading it.`
      : 'Not in the copy: STRATA_MASTER_KEY, without which its secrets cannot be opened.',
  )
  print('Not in the copy: the variables of the server, its model keys among them.')
  print(`Restore: DATA_DIR=${destination} strata serve --paused`)
  return 0
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

function size(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const value = bytes / 1024 ** power
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`
}
