/** What a server says that cannot start. */

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { printAdminKey } from '../../../src/cli/serve.ts'
import { Unavailable } from '../../../src/lib/unavailable.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** The sentence on its standard error; it must end by itself. */
async function refusal(env: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve) => {
    const args = ['src/cli/strata.ts', 'serve']
    const options = { cwd: ROOT, env: { PATH: process.env.PATH ?? '', PORT: '0', ...env } }
    execFile(process.execPath, args, options, (error, _out, err) => {
      resolve(error === null ? 'it has started' : err.trim())
    })
  })
}

it('unreachable storage is reported at start-up by the name of its variable', async () => {
  const cloud = {
    STORE: 'dynamodb',
    OBJECTS: 's3',
    QUEUE: 'sqs',
    STRATA_TABLE: 'runs',
    STRATA_BUCKET: 'files',
    STRATA_MASTER_KEY: '0'.repeat(64),
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
    AWS_MAX_ATTEMPTS: '1',
  }
  expect(await refusal(cloud)).toMatch(
    /^strata: STRATA_BUCKET=files cannot be read: .*ECONNREFUSED/,
  )
})

it('a disk that is full when the admin key has been printed does not end the server', async () => {
  const lines: string[] = []
  const keyShown = () => Promise.reject(new Unavailable('database or disk is full'))
  await printAdminKey({ adminKey: 'strata_key', keyShown }, (line) => lines.push(line))
  expect(lines).toEqual([
    'Admin API key (shown only once): strata_key',
    'warning: the admin key could not be recorded as shown (database or disk is full). It works, ' +
      'and the next start creates another one.',
  ])
})
