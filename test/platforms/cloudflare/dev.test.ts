/** `npm run dev:cloudflare`: a local home in one command, with keys that nobody has to make. */

import { expect, it } from 'vitest'
import { startNode } from '../../../examples/demo/process.ts'
import { cleanup } from '../../support/cleanup.ts'
import { clientOf, temporaryFolder } from '../../support/launch.ts'
import { startModelServer } from '../../support/model-server.ts'

const SCRIPT = 'infra/dev-cloudflare.ts'

it('the dev server answers a run, keeps its keys, and prints no secret but the new key', async () => {
  const model = await startModelServer()
  cleanup.push(() => model.close())
  const data = await temporaryFolder(cleanup)
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: data,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'a-key-that-nobody-prints',
    STRATA_MODEL: 'openai/scripted',
    ALLOW_LOOPBACK: 'true',
  }
  const start = async () => {
    const started = startNode([SCRIPT, '--port', '0', '--data', data], { env })
    // A killed one would leave its workerd processes behind.
    cleanup.push(() => started.stop('SIGTERM'))
    const [, url = ''] = await started.line(/listens on (\S+)\s/)
    return { started, url }
  }
  const first = await start()
  const [, key = ''] = /shown only once.*: (strata_\S+)/.exec(first.started.output()) ?? []
  const headers = { prefer: 'wait=30' }
  const json = { input: '@say hello' }
  const answer = await clientOf(first.url, key).ask('/v1/runs', { method: 'POST', json, headers })
  expect(await answer.json()).toMatchObject({ status: 'completed', output: { text: 'hello' } })
  expect(first.started.output()).not.toContain('a-key-that-nobody-prints')
  await first.started.stop('SIGTERM')
  const again = await start()
  expect(again.started.output()).not.toContain('shown only once')
  expect((await clientOf(again.url, key).ask('/v1/runs')).status).toBe(200)
})

it('the dev server refuses an invalid option', async () => {
  const started = startNode([SCRIPT, '--port', 'many'], { env: { PATH: process.env.PATH ?? '' } })
  cleanup.push(() => started.stop('SIGKILL'))
  await started.line(/--port takes a whole number from 0 to 65535, not many/)
})
