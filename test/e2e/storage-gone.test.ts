/** A data folder that vanishes under a running server, or is another one, is not an empty one. */

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startNodeApi } from '../support/node-api.ts'
import { ask, putFile, runToEnd } from '../support/node-client.ts'
import { until } from '../support/patience.ts'

const AGENT = '---\nname: helper\ndescription: Helps.\n---\nHelp.\n'

it('missing storage returns 503 for reads, writes, runs, and readiness until it is back', async () => {
  const api = await startNodeApi()
  await putFile(api, 'base/.agents/agents/helper.md', AGENT)
  const objects = join(api.folder, 'objects')
  const away = join(api.folder, 'away')
  const statuses = async () => {
    const asked = await Promise.all([
      ask(api, 'GET', '/v1/files/base/.agents/agents/helper.md'),
      ask(api, 'GET', '/v1/files?prefix=base/'),
      ask(api, 'GET', '/v1/agents'),
      ask(api, 'PUT', '/v1/files/base/AGENTS.md', 'Be brief.'),
      ask(api, 'DELETE', '/v1/files/base/none.md'),
      ask(api, 'POST', '/v1/runs', { input: '@say hello', agent: 'helper' }),
    ])
    return asked.map(({ status, body }) => body?.code ?? status)
  }
  // For a moment what was seen last still counts.
  const allGone = () =>
    until('refusals alone', async () => (await statuses()).every((one) => one === 'unavailable'))

  renameSync(objects, away)
  await allGone()
  await until('503', async () => (await ask(api, 'GET', '/readyz')).status === 503)
  // A volume that is not mounted leaves its empty folder.
  mkdirSync(objects)
  await allGone()
  expect(api.told.join('\n')).toContain(
    'the bucket is empty, is a different bucket, or is on a volume',
  )
  mkdirSync(join(objects, '_'))
  writeFileSync(join(objects, '_/marker'), 'another\n')
  await allGone()

  rmSync(objects, { recursive: true })
  renameSync(away, objects)
  await until('200', async () => (await ask(api, 'GET', '/readyz')).status === 200)
  expect((await runToEnd(api, { input: '@say hello', agent: 'helper' })).status).toBe('completed')
  expect(readFileSync(join(objects, '_/marker'), 'utf8')).toMatch(/^[0-9a-z]{16}\n$/)
})
