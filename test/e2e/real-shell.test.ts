/** `ALLOW_SHELL` on a machine without a sandbox: the server says so and runs no commands. */

import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cleanup } from '../support/cleanup.ts'
import { startModelServer } from '../support/model-server.ts'
import { problem } from '../support/problem.ts'
import { runToEnd, type Server, startServer, temporaryFolder } from '../support/server.ts'

async function serverWith(env: Readonly<Record<string, string>>): Promise<Server> {
  const model = await startModelServer()
  cleanup.push(model.close)
  return startServer({ env: { OPENAI_BASE_URL: model.url, ALLOW_SHELL: 'true', ...env } })
}

const lacksOf = async (server: Server): Promise<Record<string, string>> => {
  const { lacks } = await server.get<{ lacks: Record<string, string> }>('/v1/resolve', {
    method: 'POST',
    json: {},
  })
  return lacks
}

describe('a server that may run commands without a sandbox', () => {
  const refused = async (env: Readonly<Record<string, string>>, why: string): Promise<void> => {
    const server = await serverWith(env)
    const said = server.process.output()
    expect(said).toContain('warning: ALLOW_SHELL is set, but no sandbox is available: ')
    expect(said).toContain(why)
    expect((await lacksOf(server)).shell_execute).toContain(why)
    const named = { input: '@say x', tools: ['Bash'] }
    const answer = await server.ask('/v1/runs', { method: 'POST', json: named })
    expect(await problem(answer, 422)).toMatchObject({ code: 'tool_unavailable' })
    const run = await runToEnd(server, { input: '@call shell_execute {"command":"ls"}\n@say x' })
    expect(run.status).toBe('completed')
    const events = await (await server.ask(`/v1/runs/${run.id}/events?limit=100`)).text()
    expect(events).toContain(why)
  }

  it('starts, and reports that bubblewrap is not installed', async () => {
    const folder = await temporaryFolder()
    symlinkSync(process.execPath, join(folder, 'node'))
    await refused({ PATH: folder }, 'bwrap is not installed (bubblewrap)')
  })

  it('starts, and reports why bubblewrap does not work', async () => {
    const folder = await temporaryFolder()
    // Also for the user whom a server of root lets run commands.
    chmodSync(folder, 0o755)
    const said = 'bwrap: No permissions to create a new namespace'
    writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\necho "${said}" >&2\nexit 1\n`, { mode: 0o755 })
    await refused({ PATH: `${folder}:${process.env.PATH}` }, said)
  })
})
