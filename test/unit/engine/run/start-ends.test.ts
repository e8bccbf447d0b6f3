/** Starting a run ends, whatever its MCP servers do and whatever their entries say. */

import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { memoryClock } from '../../../../src/hosts/memory/clock.ts'
import { fail } from '../../../../src/lib/outcome.ts'
import type { Tools, Web } from '../../../../src/ports/world.ts'
import { look, outputOf, putFiles, startRun, testWorld } from '../../../support/drive.ts'
import { layerWorld } from '../../../support/layers.ts'
import { BASE_CONFIG, server } from '../../../support/resolved.ts'
import type { ScriptModel } from '../../../support/script.ts'
import { together } from '../../../support/together.ts'

const OPEN: Web = { check: () => undefined, send: async () => fail('not in this world') }

const CONFIG = '[mcp_servers.slow]\nurl = "https://slow.example/mcp"\n'
/** Never lists its tools, and ends when it is told to. */
const hanging = (onStop: () => void): Tools => ({
  list: (_, __, signal) =>
    new Promise((resolve) => {
      signal?.addEventListener('abort', () => {
        onStop()
        resolve(fail('the request was aborted'))
      })
    }),
  call: async () => fail({ code: 'unsent', message: 'not in this world' }),
  probe: async () => fail('not in this world'),
  forget: () => undefined,
})

describe('the start of a run', () => {
  it('completes although a server never lists its tools: an aborted call is not awaited', async () => {
    let told = 0
    const tools = hanging(() => {
      told += 1
    })
    const clock = memoryClock()
    const world = testWorld({ clock, tools, web: OPEN })
    await putFiles(world, { 'base/.agents/config.toml': CONFIG })
    const id = await startRun(world, { input: '@say began' })
    await together(world)
    const run = await look(world, id)
    expect(told).toBe(1)
    expect(outputOf(run)).toBe('began')
    expect((world.model as ScriptModel).requests[0]?.notes).toContain(
      'MCP server "slow" (unreachable)',
    )
  })

  it('waits for its servers for half its time limit, and reports it', async () => {
    const clock = memoryClock()
    const world = testWorld({ clock, tools: hanging(() => {}), web: OPEN })
    await putFiles(world, { 'base/.agents/config.toml': CONFIG })
    const began = clock.now()
    const id = await startRun(world, { input: '@say began', limits: { timeout_seconds: 5 } })
    await together(world)
    const run = await look(world, id)
    expect(outputOf(run)).toBe('began')
    expect(clock.now() - began).toBeLessThan(5_000)
    const why = "no tool list within 2.5 seconds, half of the run's timeout_seconds"
    expect((world.model as ScriptModel).requests[0]?.notes).toContain(why)
    expect(run.state.started?.warnings).toEqual([
      { code: 'unreachable', message: `MCP server slow: ${why}` },
    ])
  })
})

describe('server time-outs', () => {
  it('are capped by the deployment, with a notice on the entry', async () => {
    const url = 'url = "https://x.example/mcp"\n'
    const { resolve } = layerWorld({
      [BASE_CONFIG]:
        server('x', `${url}startup_timeout_sec = 3600\ntool_timeout_sec = 3600`) +
        server('y', `${url}startup_timeout_ms = 3600000`) +
        server('z', `${url}startup_timeout_sec = 5\ntool_timeout_sec = 7.5`),
    })
    const resolved = await resolve({ strict: true })
    const times = resolved.servers.map((one) => [one.startup_timeout_sec, one.tool_timeout_sec])
    const [startup, call] = [LIMITS.server_startup_seconds, LIMITS.tool_call_seconds]
    expect(times).toEqual([
      [startup, call],
      [startup, 60],
      [5, 7.5],
    ])
    const said = resolved.records.flatMap(({ diagnostics }) => diagnostics)
    expect(said.map(({ code }) => code)).toEqual(Array(3).fill('timeout_capped'))
    expect(said[0]).toMatchObject({ severity: 'warning', line: expect.any(Number) })
    expect(said[0]?.message).toContain(`${startup} seconds are used`)
  })
})
