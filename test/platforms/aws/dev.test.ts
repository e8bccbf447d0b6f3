/** `npm run dev:aws`: the functions between local services, in one command. */

import { expect, it } from 'vitest'
import { startNode } from '../../../examples/demo/process.ts'
import { cleanup } from '../../support/cleanup.ts'
import { clientOf } from '../../support/launch.ts'
import { startModelServer } from '../../support/model-server.ts'

const SCRIPT = 'infra/dev-aws.ts'

it('the dev server answers a run, and leaves no process behind when it is stopped', async () => {
  const model = await startModelServer()
  cleanup.push(() => model.close())
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'none',
    STRATA_MODEL: 'openai/scripted',
    ALLOW_LOOPBACK: 'true',
  }
  const started = startNode([SCRIPT, '--port', '0'], { env })
  cleanup.push(() => started.stop('SIGKILL'))
  const [, url = ''] = await started.line(/listens on (\S+)\s/)
  const [, key = ''] = await started.line(/Admin API key: (\S+)\s/)
  const json = { input: '@spawn 2 {"task":"@say part {i}"}\n@await\n@say all {results}' }
  const init = { method: 'POST', json, headers: { prefer: 'wait=30' } }
  const answer = await clientOf(url, key).ask('/v1/runs', init)
  expect(await answer.json()).toMatchObject({ status: 'completed' })
  await started.stop('SIGTERM')
  await expect(fetch(`${url}/healthz`)).rejects.toThrow()
})

it('the dev server refuses an invalid option', async () => {
  const started = startNode([SCRIPT, '--port', ''], { env: { PATH: process.env.PATH ?? '' } })
  cleanup.push(() => started.stop('SIGKILL'))
  await started.line(/--port takes a whole number from 0 to 65535, not /)
})
