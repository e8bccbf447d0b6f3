/** examples/evolve.sh as a person runs it: an agent extends itself between two runs. */

import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { cleanup } from '../support/cleanup.ts'
import { startEverything } from '../support/everything.ts'
import { startNodeApi } from '../support/node-api.ts'

async function script(env: Record<string, string>): Promise<{ code: number | null; out: string }> {
  const child = spawn('sh', ['examples/evolve.sh'], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out }
}

describe('examples/evolve.sh', () => {
  it('lists, writes a skill, enables a server, and the next run uses both', async () => {
    const api = await startNodeApi()
    const everything = await startEverything('streamableHttp')
    cleanup.push(everything.close)
    const env = { STRATA_URL: api.url, STRATA_API_KEY: api.key, MCP_URL: everything.url }
    const { code, out } = await script(env)
    expect(out).toContain('unknown_tool')
    expect(out.trim().split('\n').at(-1)).toBe(
      'evolve ok: 2 tools, the last said: Echo: hello hello',
    )
    expect(code).toBe(0)
  })
})
