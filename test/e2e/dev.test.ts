/** `strata dev` as a person types it; the package's own test has it from the tarball. */

import { execFile } from 'node:child_process'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startNode } from '../../examples/demo/process.ts'
import { cleanup } from '../support/cleanup.ts'
import { clientOf, runToEnd } from '../support/launch.ts'
import { MAIN, temporaryFolder } from '../support/server.ts'

const PROGRAM = join(import.meta.dirname, '../..', MAIN)

interface Said {
  readonly code: number
  readonly err: string
}
const refused = (cwd: string, ...args: string[]): Promise<Said> =>
  new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, 'dev', ...args], { cwd, env: {} }, (error, _, err) =>
      resolve({ code: Number(error?.code ?? 0), err }),
    )
  })

async function started(cwd: string, env: Readonly<Record<string, string>> = {}) {
  const args = [PROGRAM, 'dev', '--port', '0']
  const dev = startNode(args, { cwd, env: { HOME: cwd, LOG_LEVEL: 'silent', ...env } })
  cleanup.push(() => dev.stop('SIGKILL'))
  await dev.line(/Press Ctrl-C to stop/)
  return dev
}

it('strata dev serves the layers of its folder, including those added while it runs', async () => {
  const folder = await temporaryFolder()
  mkdirSync(join(folder, 'base/.agents/agents'), { recursive: true })
  const file = (name: string) => join(folder, `base/.agents/agents/${name}.md`)
  const text = (name: string) => `---\nname: ${name}\ndescription: Helps.\n---\nYou help.\n`
  writeFileSync(file('one'), text('one'))
  const dev = await started(folder)
  const [, url = ''] = await dev.line(/listens on (\S+)/)
  const [, key = ''] = await dev.line(/API key: +(\S+)/)
  await dev.line(/Layers: +base; uploaded when/)
  const server = clientOf(url, key)
  const run = await runToEnd(server, { input: '@say Hello.', agent: 'one' })
  expect(run.output?.text).toBe('Hello.')
  writeFileSync(file('two'), text('two'))
  await dev.line(/pushed 1 file to base\/ \(1 unchanged\)/)
  expect((await runToEnd(server, { input: 'You?', agent: 'two' })).output?.text).toBe('ok: You?')
  expect(statSync(join(folder, '.data/dev-key')).mode & 0o777).toBe(0o600)
  await dev.stop('SIGINT')
  expect(dev.child.exitCode).toBe(0)
})

it('strata dev uses a model from .env and a key from the shell, and does not print that key', async () => {
  const folder = await temporaryFolder()
  writeFileSync(join(folder, '.env'), 'OPENAI_API_KEY=none\nSTRATA_MODEL=openai/mine\n')
  const key = 'strata_0000000000000000_0'
  const wrong = startNode([PROGRAM, 'dev', '--port', '0'], {
    ...{ cwd: folder, env: { HOME: folder, STRATA_ADMIN_KEY: key } },
  })
  await expect(wrong.line(/listens/)).rejects.toThrow(/Invalid STRATA_ADMIN_KEY/)
  const dev = await started(folder)
  await dev.line(/Model: +openai\/mine\n/)
  expect(dev.output()).not.toContain('scripted')
})

it('strata dev restarts with the new settings when .env is saved, and names missing settings', async () => {
  const folder = await temporaryFolder()
  mkdirSync(join(folder, 'base/.agents/agents'), { recursive: true })
  const dev = await started(folder)
  await dev.line(/Model: +openai\/scripted/)
  writeFileSync(join(folder, 'base/.agents/agents/one.md'), '---\nname: one\n---\nYou help.\n')
  await dev.line(/one\.md: error: `description` is missing or blank/)
  writeFileSync(join(folder, '.env'), 'LANE_MAIN=many\n')
  await dev.line(/LANE_MAIN.*waits until \.env changes/)
  writeFileSync(join(folder, '.env'), 'OPENAI_API_KEY=none\nSTRATA_MODEL=openai/mine\n')
  await dev.line(/\.env changed; restarting the server/)
  await dev.line(/Model: +openai\/mine\n/)
  await dev.line(/Press Ctrl-C to stop[\s\S]*Press Ctrl-C to stop/)
  await dev.stop('SIGINT')
  expect(dev.child.exitCode).toBe(0)
})

it('strata dev refuses unknown options and a port in use with a sentence', async () => {
  const folder = await temporaryFolder()
  expect((await refused(folder, '--port', '99999')).code).toBe(2)
  expect((await refused(folder, '--port', 'x')).err).toContain('from 0 to 65535')
  expect((await refused(folder, 'extra')).code).toBe(2)
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  cleanup.push(async () => other.close())
  const { port } = other.address() as AddressInfo
  const taken = await refused(folder, '--port', String(port))
  expect(taken).toEqual({ code: 1, err: expect.stringMatching(/^strata: .*EADDRINUSE/) })
})
