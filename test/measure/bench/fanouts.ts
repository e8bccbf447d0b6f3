/**
 * `npm run bench -- fanouts`: what one task of an open fan-out costs, and what the server holds in
 * memory, as the fan-out grows. The cost of a task must not follow from how many there are.
 *
 *   --tasks 2000,20000,100000   sizes, each on a server and a folder of its own
 *   --data DIR                  where the stores lie (default: a folder here)
 */

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startBenchModel, startBenchServer } from './processes.ts'

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '2000,20000,100000' },
    data: { type: 'string', default: '.' },
  },
})

const PAGE = 1_000
const LOOK_MS = 250
const SHARES = 5

interface Look {
  readonly status: string
  readonly children: { readonly total: number; readonly completed: number }
}

/** Milliseconds of work of a process so far. */
async function cpuMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function measure(count: number): Promise<void> {
  const model = await startBenchModel(0)
  const folder = await mkdtemp(join(values.data, 'bench-'))
  const server = await startBenchServer(folder, model.url)
  const { api, pid } = server
  try {
    const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
      (await (await api.call(method, path, body)).json()) as T
    const { id } = await ask<{ id: string }>('POST', '/v1/fanouts', { open: true })
    const [began, worked] = [performance.now(), await cpuMs(pid)]
    const hand = async (): Promise<void> => {
      for (let page = 0; page * PAGE < count; page += 1) {
        const tasks = Array.from({ length: Math.min(PAGE, count - page * PAGE) }, (_, index) => ({
          task: `@say part ${page * PAGE + index}`,
        }))
        await ask('POST', `/v1/fanouts/${id}/tasks`, { page, tasks })
      }
      await ask('POST', `/v1/fanouts/${id}/seal`, { pages: Math.ceil(count / PAGE) })
    }
    const handed = hand().then(() => performance.now() - began)
    let [share, since, spent, before] = [1, began, worked, 0]
    for (;;) {
      const { status, children } = await ask<Look>('GET', `/v1/fanouts/${id}`)
      if (children.completed >= (count * share) / SHARES || status !== 'running') {
        const [now, work, done] = [performance.now(), await cpuMs(pid), children.completed]
        const each = (ms: number): string => (ms / (done - before)).toFixed(2)
        const rss = Math.round(await server.rssMb())
        console.log(
          `${count} tasks, ${done} done: ${each(now - since)} ms and ${each(work - spent)} ms of ` +
            `work a task, ${rss} MB`,
        )
        ;[share, since, spent, before] = [share + 1, now, work, done]
      }
      if (status !== 'running') break
      await sleep(LOOK_MS)
    }
    const end = await ask<Look>('GET', `/v1/fanouts/${id}`)
    const all = performance.now() - began
    const { calls } = await model.stats()
    console.log(
      `${count} tasks: ${end.status}, ${end.children.completed} completed, ${calls} calls of the ` +
        `model, ${(all / count).toFixed(2)} ms a task; handed in within ` +
        `${((await handed) / 1_000).toFixed(1)} s of ${(all / 1_000).toFixed(1)} s`,
    )
  } finally {
    await server.end()
    model.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

for (const count of values.tasks.split(',')) await measure(Number(count))
