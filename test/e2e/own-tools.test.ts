/** Tools of one's own, as `strata init --tool` writes them: by stdio in dev, by HTTP elsewhere. */

import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startNode, startProcess } from '../../examples/demo/process.ts'
import { cleanup } from '../support/cleanup.ts'
import { clientOf, runToEnd } from '../support/launch.ts'
import { MAIN, temporaryFolder } from '../support/server.ts'

const ROOT = join(import.meta.dirname, '../..')
const PROGRAM = join(ROOT, MAIN)
const TOKEN = 'a-token-of-hours'
const ASK =
  '@call mcp__hours__opening_hours {"shop":"Berlin","weekday":"Sunday"}\n@then\n@say {last}'

const strata = (cwd: string, ...args: string[]): string =>
  execFileSync(process.execPath, [PROGRAM, ...args], { cwd, env: {}, encoding: 'utf8' })

async function dev(cwd: string, env: Readonly<Record<string, string>>) {
  const args = [PROGRAM, 'dev', '--port', '0']
  const process = startNode(args, { cwd, env: { HOME: cwd, LOG_LEVEL: 'silent', ...env } })
  cleanup.push(() => process.stop('SIGKILL'))
  const [, url = ''] = await process.line(/listens on (\S+)/)
  const [, key = ''] = await process.line(/API key: +(\S+)/)
  await process.line(/Press Ctrl-C to stop/)
  return { process, server: clientOf(url, key) }
}

describe.each([
  ['typescript', 'tools/hours.mts', [process.execPath]],
  ['python', 'tools/hours.py', ['python3']],
] as const)('a tool in %s', (language, path, [command]) => {
  it('is called in dev, reloaded after a save, and called over HTTP with its token', async () => {
    const folder = await temporaryFolder()
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    const said = strata(folder, 'init', '--tool', language)
    expect(said).toContain(`wrote ${path}`)
    expect(said).toContain('wrote .gitignore')
    expect(said).toContain('ALLOW_STDIO_MCP=true')
    writeFileSync(join(folder, 'package.json'), '{"type": "commonjs"}')
    expect(strata(folder, 'check', '.')).toContain('0 rejected')
    const { PATH = '' } = process.env
    const { process: running, server } = await dev(folder, {
      ...{ ALLOW_STDIO_MCP: 'true', ALLOW_LOOPBACK: 'true', PATH },
      ...{ STRATA_SECRETS: 'HOURS_TOKEN@127.0.0.1', HOURS_TOKEN: TOKEN },
    })
    const run = await runToEnd(server, { input: ASK })
    expect(run.output?.text).toBe('The shop in Berlin is closed on Sunday.')
    const file = join(folder, path)
    writeFileSync(file, readFileSync(file, 'utf8').replace('is closed', 'has closed'))
    await running.line(/tools: .* changed and was reloaded/)
    const next = await runToEnd(server, { input: ASK })
    expect(next.output?.text).toBe('The shop in Berlin has closed on Sunday.')

    const started = (env: Readonly<Record<string, string>>) => {
      const tool = startProcess(command, [path], { cwd: folder, env: { PATH, PORT: '0', ...env } })
      cleanup.push(() => tool.stop('SIGKILL'))
      return tool
    }
    await started({}).line(/Set HOURS_TOKEN/)
    const [, url = ''] = await started({ HOURS_TOKEN: TOKEN }).line(/listens on (\S+)/)
    const headers = { authorization: 'Bearer another' }
    expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(401)
    const entry = `[mcp_servers.hours]\nurl = "${url}"\nbearer_token_env_var = "HOURS_TOKEN"\n`
    writeFileSync(join(folder, 'base/.agents/config.toml'), entry)
    await running.line(/pushed 1 file to base\//)
    const far = await runToEnd(server, { input: ASK })
    expect(far.output?.text).toBe('The shop in Berlin has closed on Sunday.')
  })
})

it('strata init --tool adds its server once to an existing configuration', async () => {
  const folder = await temporaryFolder()
  strata(folder, 'init')
  const config = join(folder, 'base/.agents/config.toml')
  const before = readFileSync(config, 'utf8')
  expect(strata(folder, 'init', '--tool', 'python')).toContain('added [mcp_servers.hours]')
  const after = readFileSync(config, 'utf8')
  expect(after.startsWith(before)).toBe(true)
  expect(strata(folder, 'init', '--tool', 'python')).toContain('kept  tools/hours.py')
  expect(readFileSync(config, 'utf8')).toBe(after)
  const other = strata(folder, 'init', '--tool', 'typescript')
  expect(other).toContain('To start tools/hours.mts, change the entry to:\n  command = "node"')
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toMatch(/^\.strata\/\nnode_modules\/$/m)
  expect(() => strata(folder, 'init', '--tool', 'cobol')).toThrow(/typescript, python/)
})
