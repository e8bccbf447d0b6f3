/**
 * A hundred runs at once before a provider that never stops talking: the memory of the server has a
 * bound, each run hears why its answer was cut, and others are served meanwhile.
 */

import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { cleanup } from '../support/cleanup.ts'
import { FLOOD_NAMES, FLOODS, inTurn, startHostilePeer } from '../support/hostile/index.ts'
import { createRun, startServer, untilEnd } from '../support/server.ts'

const RUNS = 100
const BOUND_MB = 600
const endless = FLOOD_NAMES.filter((name) => name !== 'ten-thousand-calls')

/** Resident memory of a process in MB. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024
}

it('U27 a hundred runs whose model never stops stay below 600 MB, and fail with the reason', async () => {
  const peer = await startHostilePeer(inTurn(endless.map((name) => FLOODS[name])))
  cleanup.push(peer.close)
  const server = await startServer({
    env: {
      OPENAI_BASE_URL: `${peer.origin}/v1`,
      STRATA_MODEL: 'openai/x',
      LANE_MAIN: String(RUNS),
    },
  })
  let most = 0
  let done = false
  const watch = (async () => {
    while (!done) {
      most = Math.max(most, await residentMb(server.process.pid))
      await sleep(50)
    }
  })()
  const runs = await Promise.all(
    Array.from({ length: RUNS }, () => createRun(server, { input: 'hello' })),
  )
  // One after the other: a hundred that ask again and again are a load of their own.
  for (const { id } of runs) {
    const run = await untilEnd(server, id, 300)
    expect(run.status).toBe('failed')
    expect(run.error?.message).toMatch(/the answer of the model .*bytes|too much is being read/)
  }
  done = true
  await watch
  console.log(`most: ${Math.round(most)} MB`)
  expect(most).toBeLessThan(BOUND_MB)
  expect(await peer.allClosed(2_000)).toBe(true)
})
