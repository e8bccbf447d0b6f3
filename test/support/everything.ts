/** The reference MCP server: by stdio as a server entry, over HTTP as a process of its own. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../examples/demo/process.ts'
import type { ServerEntry } from '../../src/core/config/types.ts'
import { until } from './patience.ts'

const SCRIPT = fileURLToPath(
  new URL(
    '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
    import.meta.url,
  ),
)

/** A server entry with the usual defaults. */
export const serverEntry = (more: Partial<ServerEntry>): ServerEntry => ({
  name: 'everything',
  transport: 'stdio',
  enabled: true,
  command: null,
  args: [],
  env: {},
  cwd: null,
  url: null,
  bearer_token_env_var: null,
  http_headers: {},
  env_http_headers: {},
  enabled_tools: null,
  disabled_tools: [],
  startup_timeout_sec: 20,
  tool_timeout_sec: 20,
  approval: {},
  origin: { kind: 'base', layer: 'base/', key: '.agents/config.toml', etag: 'e', shadows: [] },
  ...more,
})

export const everythingByStdio = (more: Partial<ServerEntry> = {}): ServerEntry =>
  serverEntry({ command: process.execPath, args: [SCRIPT, 'stdio'], ...more })

export interface Everything {
  readonly url: string
  readonly pid: number
  close(): Promise<void>
}

/** Starts it on a free port and waits until it listens. */
export async function startEverything(mode: 'streamableHttp' | 'sse'): Promise<Everything> {
  const port = await freePort()
  const child = spawn(process.execPath, [SCRIPT, mode], {
    env: { PATH: process.env.PATH ?? '', PORT: String(port) },
    stdio: 'ignore',
  })
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const origin = `http://127.0.0.1:${port}`
  const answers = (): Promise<boolean> =>
    fetch(`${origin}/`).then(
      (response) => response.body?.cancel().then(() => true) ?? true,
      () => false,
    )
  await until('the reference server answers', answers).catch(async (error: unknown) => {
    await close()
    throw error
  })
  return { url: `${origin}/${mode === 'sse' ? 'sse' : 'mcp'}`, pid: child.pid ?? 0, close }
}
