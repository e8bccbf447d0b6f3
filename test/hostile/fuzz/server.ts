/** Requests of a fuzz to a real server: the Node host as a process, with the scripted model. */

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { launchServer, type Open } from '../../support/launch.ts'
import { startModelServer } from '../../support/model-server.ts'
import { reference } from '../../support/reference.ts'
import type { Case } from './requests.ts'
import { furnish, fuzzRoutes, HELD_MS, type Reply, shownRequest, type Target } from './routes.ts'

const PATIENCE_MS = 20_000
/** While nothing runs, the clock ticks and little else: less than this in 20 ms. */
const REST_MS = 2

/** What the main thread of a process has used of processors, in ms. */
const cpuOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

/** A request for each seed; how many were red. */
export async function fuzzServer(seeds: Iterable<number>): Promise<number> {
  const open: Open = []
  try {
    const model = await startModelServer({ keep: 0 })
    open.push(model.close)
    const server = await launchServer({ open, env: { OPENAI_BASE_URL: model.url } })
    const { pid } = server.process
    const send = async ({ method, path, headers, body }: Case): Promise<Reply> => {
      const before = cpuOf(pid)
      const signal = AbortSignal.timeout(PATIENCE_MS)
      const init = { method, headers, signal, ...(body === undefined ? {} : { body }) }
      const response = await server.ask(path, init)
      const text = await response.text()
      const type = response.headers.get('content-type') ?? ''
      return { status: response.status, type, text, cpuMs: cpuOf(pid) - before }
    }
    const settle = async (): Promise<void> => {
      for (let waited = 0; waited < 5_000; waited += 20) {
        const before = cpuOf(pid)
        await sleep(20)
        if (cpuOf(pid) - before < REST_MS) return
      }
    }
    const target: Target = { send, settle }
    const heldMs = HELD_MS * Math.max(1, reference())
    console.log(`a request may hold the processor for ${heldMs.toFixed(0)} ms`)
    let reds = 0
    const began = performance.now()
    const known = await furnish(target)
    const { tried, statuses } = await fuzzRoutes(target, known, { seeds, heldMs }, (one) => {
      reds += 1
      if (reds <= 20) console.log(shownRequest(one))
    })
    const seconds = ((performance.now() - began) / 1_000).toFixed(1)
    const shown = [...statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${n} × ${status}`)
    console.log(`${tried} requests, ${reds} red, ${seconds} s: ${shown.join(', ')}`)
    return reds
  } finally {
    for (const close of open.reverse()) await close()
  }
}
