/**
 * The counting Worker in workerd on this machine, and its model: runs are asked for by HTTP, and
 * what they cost is read when everything that they set off has come to rest.
 */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newKey } from '../../../../src/engine/tenant/api-keys.ts'
import { startModelServer } from '../../../support/model-server.ts'
import { migrateLocally, startWorker } from '../../../support/worker.ts'
import type { Counted } from './bill.ts'

export interface CountingHome {
  /** Starts a run (`key`: its Idempotency-Key) and resolves with its id, and the processor's ms until the answer was there. */
  start(input: string, key?: string): Promise<{ readonly id: string; readonly cpuMs: number }>
  /** What was counted since `reset`, when nothing is at work and no alarm is near. */
  rest(): Promise<Counted>
  reset(): Promise<void>
  /** Puts the clock forward; what is due by then happens. */
  advance(ms: number): Promise<void>
  /** Undefined: there is none (any more). */
  status(id: string): Promise<string | undefined>
  modelCalls(): number
  stop(): Promise<void>
}

/** An alarm that is so far away belongs to no run that is under way. */
const NEAR_MS = 120_000
const PATIENCE_MS = 180_000
const WORKER = join(import.meta.dirname, 'worker.ts')

export async function countingHome(thinkMs: number): Promise<CountingHome> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-cost-'))
  const model = await startModelServer({ thinkMs })
  const { key } = newKey((count) => crypto.getRandomValues(new Uint8Array(count)))
  const vars = {
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'none',
    STRATA_MODEL: 'openai/scripted',
    STRATA_MASTER_KEY: '0123456789abcdef'.repeat(4),
    STRATA_ADMIN_KEY: key,
    ALLOW_LOOPBACK: 'true',
    LOG_LEVEL: 'error',
  }
  await migrateLocally(folder)
  // Its clock is wound by nobody: what the minute costs is no run's.
  const { url, stop } = await startWorker(vars, folder, { clockMs: 3_600_000, entrypoint: WORKER })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const counted = async (path = 'now'): Promise<Counted> =>
    (await (await fetch(`${url}/cost/${path}`)).json()) as Counted
  return {
    async start(input, idempotencyKey) {
      const before = await cpuMs()
      const body = JSON.stringify({ input })
      const response = await fetch(`${url}/v1/runs`, {
        method: 'POST',
        headers: idempotencyKey ? { ...headers, 'idempotency-key': idempotencyKey } : headers,
        body,
      })
      const run = (await response.json()) as { id: string }
      const cpu = (await cpuMs()) - before
      if (response.status !== 202) throw new Error(JSON.stringify(run))
      return { id: run.id, cpuMs: cpu }
    },
    async rest() {
      const until = Date.now() + PATIENCE_MS
      for (let calm = 0; ; ) {
        const now = await counted()
        const isNear = now.alarm !== null && now.alarm < Date.now() + NEAR_MS
        calm = now.active > 0 || isNear ? 0 : calm + 1
        // Twice in a row: a call may be on its way from one object to another.
        if (calm === 2) return now
        if (Date.now() > until) throw new Error(`no rest: ${JSON.stringify(now)}`)
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    },
    async reset() {
      await counted('reset')
    },
    async advance(ms) {
      await counted(`skip?ms=${ms}`)
    },
    async status(id) {
      const response = await fetch(`${url}/v1/runs/${id}`, { headers })
      const run = (await response.json()) as { status: string }
      return response.status === 200 ? run.status : undefined
    },
    modelCalls: () => model.calls(),
    async stop() {
      await stop()
      await model.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Milliseconds of processor time of all processes of the runtime below this one. */
async function cpuMs(): Promise<number> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const all = await Promise.all(names.map(usedBy))
  return all.reduce((sum, ms) => sum + ms, 0)
}

async function usedBy(pid: string): Promise<number> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ')
    if (!stat.includes('(workerd)') || Number(fields[1]) !== process.pid) return 0
    const tasks = await readdir(`/proc/${pid}/task`)
    const times = await Promise.all(
      tasks.map((task) => readFile(`/proc/${pid}/task/${task}/schedstat`, 'utf8')),
    )
    return times.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e6, 0)
  } catch {
    // It has ended meanwhile.
    return 0
  }
}
