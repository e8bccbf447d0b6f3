/**
 * A hundred runs at once before a provider that never stops talking: the memory of the server has a
 * bound, each run hears why its answer was cut, and others are served meanwhile.
 */

import { expect, it } from 'vitest'
import { cleanup } from '../support/cleanup.ts'
import { FLOOD_NAMES, FLOODS, inTurn, startHostilePeer } from '../support/hostile/index.ts'
import { measuredProcess } from '../support/measured-process.ts'
import { createRun, startServer, untilEnd } from '../support/server.ts'

const RUNS = 100
const BOUND_MB = 600
const endless = FLOOD_NAMES.filter((name) => name !== 'ten-thousand-calls')

it('a hundred runs with endless models stay below 600 MB and fail with the reason [U27]', async () => {
  const peer = await startHostilePeer(inTurn(endless.map((name) => FLOODS[name])))
  cleanup.push(peer.close)
  const server = await startServer({
    env: {
      OPENAI_BASE_URL: `${peer.origin}/v1`,
      STRATA_MODEL: 'openai/x',
      LANE_MAIN: String(RUNS),
    },
  })
  const act = async (): Promise<void> => {
    const runs = await Promise.all(
      Array.from({ length: RUNS }, () => createRun(server, { input: 'hello' })),
    )
    // One after the other: a hundred that poll are a load of their own.
    for (const { id } of runs) {
      const run = await untilEnd(server, id)
      expect(run.status).toBe('failed')
      expect(run.error?.message).toMatch(/the model's response .*bytes|too many responses/)
    }
  }
  const { pid } = server.process
  await measuredProcess('a server with endless models', pid, act, { megabytes: BOUND_MB })
  expect(await peer.allClosed()).toBe(true)
})
