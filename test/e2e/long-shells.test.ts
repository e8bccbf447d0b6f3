/** `shell_start` and its like on a server that may start no long processes. */

import { expect, it } from 'vitest'
import { allowCommands } from '../contract/host-shell.ts'
import { cleanup } from '../support/cleanup.ts'
import { startModelServer } from '../support/model-server.ts'
import { eventPages, runToEnd, startServer } from '../support/server.ts'

const call = (tool: string, given: object): string =>
  `@call ${tool} ${JSON.stringify(given)}\n@then\n`

it('long processes are refused with the reason without ALLOW_SHELL; commands still run', async () => {
  const model = await startModelServer()
  cleanup.push(model.close)
  const server = await startServer({ env: { OPENAI_BASE_URL: model.url, ALLOW_SHELL: 'false' } })
  await allowCommands(server, ['shell_execute', 'shell_start'])
  const { lacks } = await server.get<{ lacks: Record<string, string> }>('/v1/resolve', {
    method: 'POST',
    json: {},
  })
  const why = 'long-running processes require a Node server with ALLOW_SHELL=true'
  expect(lacks).toMatchObject({ shell_start: why, shell_read: why, shell_kill: why })
  const input = `${call('shell_start', { command: 'ls' })}${call('shell_execute', { command: 'pwd' })}@say x`
  const { id, status } = await runToEnd(server, { input })
  expect(status).toBe('completed')
  const texts = (await eventPages(server, id)).flatMap(({ type, data }) =>
    type === 'tool.result' ? [data.text] : [],
  )
  expect(texts[0]).toContain(why)
  expect(texts[1]).toBe('exit code: 0\nstdout:\n/work')
})
