/** examples/evolve.sh as a person runs it: an agent extends itself between two runs. */

import { describe, expect, it } from 'vitest'
import { cleanup } from '../support/cleanup.ts'
import { startEverything } from '../support/everything.ts'
import { runExample } from '../support/example.ts'
import { startNodeApi } from '../support/node-api.ts'

describe('examples/evolve.sh', () => {
  it('lists files, writes a skill, enables a server, and the next run uses both', async () => {
    const api = await startNodeApi()
    const everything = await startEverything('streamableHttp')
    cleanup.push(everything.close)
    const env = { STRATA_URL: api.url, STRATA_API_KEY: api.key, MCP_URL: everything.url }
    const { code, out } = await runExample('evolve.sh', env)
    expect(out).toContain('unknown_tool')
    expect(out.trim().split('\n').at(-1)).toBe(
      'evolve ok: 2 tools, the last said: Echo: hello hello',
    )
    expect(code).toBe(0)
  })
})
